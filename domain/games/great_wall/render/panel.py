"""Who has what: a card for each seat, and for the Reed Clan."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.panel import INK, card, note
from domain.engine.svg import Markup, group, text
from domain.engine.telling import begun
from domain.games.great_wall.cards import decks
from domain.games.great_wall.render import pieces, words
from domain.games.great_wall.render.pieces import LINE
from domain.games.great_wall.view import ClanView, View

COLUMNS = 2
GAP = 16
HEAD = 40
FOOT = 10


def height(view: View, across: float) -> float:
    """How much room all cards need."""
    return sum(_row_heights(view, across))


def parts(view: View, across: float) -> Iterator[Markup]:
    """The cards in two columns."""
    width, y = _width(across), 0.0
    for row, high in enumerate(_row_heights(view, across)):
        for column in range(COLUMNS):
            clan = COLUMNS * row + column
            if clan < len(view.clans):
                at = (column * (width + GAP), y)
                yield group(*_card(view, clan, width, high - FOOT), at=at)
        y += high


def _width(across: float) -> float:
    return (across - GAP * (COLUMNS - 1)) / COLUMNS


def _row_heights(view: View, across: float) -> list[float]:
    """How high each row of cards is: as the longest of its cards needs it."""
    width = _width(across)
    longest = [len(_lines(view, clan, width)) for clan in range(len(view.clans))]
    rows = [longest[start : start + COLUMNS] for start in range(0, len(longest), COLUMNS)]
    return [HEAD + LINE * max(row) + 2 * FOOT for row in rows]


def _card(view: View, clan: int, width: float, high: float) -> Iterator[Markup]:
    """A clan: who it is, its honor, and all that it has."""
    yield card(view, clan, width, high)
    yield group(pieces.token(view, clan), at=(22, 22), scale=1.2)
    name = begun(words.clan_name(view, clan))
    notes = note(view, clan, view.active)
    yield text(42, 27, f"{name}{f', {notes}' if notes else ''}", 15, fill=INK, font_weight=700)
    if clan != view.reed:
        scores = f"{view.clans[clan].honor} honor, {view.scores[clan]} in all"
        yield text(width - 12, 27, scores, 14, fill=INK, font_weight=700, text_anchor="end")
    yield from pieces.lines(14, HEAD + LINE - 4, _lines(view, clan, width), fill=INK)


def _lines(view: View, clan: int, width: float) -> list[str]:
    """All that is said of a clan, in lines that its card has room for."""
    owned = view.clans[clan]
    told = [f"Soldiers: {words.troops(owned.pool)}"] if clan == view.reed else _facts(owned)
    return [line for part in told for line in pieces.folded(part, width - 28)]


def _facts(owned: ClanView) -> Iterator[str]:
    """Leaders, resources, pieces and cards of a player."""
    yield _general(owned)
    for advisor in owned.active:
        yield f"{words.advisor_name(advisor)}: {decks.ADVISORS[advisor].text}"
    if owned.supporting:
        yield f"Supporting: {', '.join(map(words.advisor_name, owned.supporting))}"
    yield f"Resources: {'hidden' if owned.resources is None else words.amounts(owned.resources)}"
    shamed = f"; under Shame {words.troops(owned.shamed)}" if any(owned.shamed.values()) else ""
    yield f"Soldiers: {words.troops(owned.pool)}{shamed}"
    yield f"Clerks: {owned.clerks_pool} in the pool, {owned.clerks_space} to be hired"
    yield f"Command cards: {', '.join(map(words.command_name, owned.commands)) or 'none'}"
    if owned.discard:
        yield f"Discarded: {', '.join(map(words.command_name, owned.discard))}"
    yield _tactics(owned)
    if owned.claimed:
        yield f"Claimed: {', '.join(_claimed(owned))}"
    yield from _choices(owned)


def _general(owned: ClanView) -> str:
    if not owned.general:
        return "General: not chosen yet"
    card = decks.GENERALS[owned.general]
    return f"{card.name}: {card.text}"


def _tactics(owned: ClanView) -> str:
    if owned.tactics is None:
        return f"Tactic cards: {owned.tactics_held}, hidden"
    return f"Tactic cards: {', '.join(map(words.tactic_name, owned.tactics)) or 'none'}"


def _claimed(owned: ClanView) -> Iterator[str]:
    for claim in owned.claimed:
        horde = decks.HORDES[claim.card]
        yield f"{horde.name} ({f'{claim.shame} Shame' if claim.shame else horde.honor})"


def _choices(owned: ClanView) -> Iterator[str]:
    """What is to be chosen, what was chosen, and which moments it lets pass."""
    if owned.dealt_generals:
        generals = ", ".join(decks.GENERALS[one].name for one in owned.dealt_generals)
        yield f"Chooses of {generals}; {', '.join(map(words.advisor_name, owned.dealt_advisors))}"
    if owned.chosen:
        yield f"Chosen: {words.command_name(owned.chosen)}"
    elif owned.ready:
        yield "Has chosen"
    if owned.passing:
        yield f"Lets pass: {', '.join(owned.passing).replace('_', ' ')}"
