"""What each clan owns: the viewer's supply with its prices, and a compact card for each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from domain.engine.drawing.layout import Panel, seat_panel
from domain.engine.drawing.panel import INK, seat_card
from domain.engine.drawing.seat_marks import SeatMark
from domain.engine.drawing.svg import Markup, explain, group, text
from domain.engine.sentences import Words, capitalize, seat_number
from domain.games.great_wall.render import facts, letters, pieces, sentences, signs
from domain.games.great_wall.render.letters import LINE
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.render.signs import Sign
from domain.games.great_wall.rules.costs import Costs
from domain.games.great_wall.view import ClanView, View

LEFT = 10
HEAD, HEADING = 14, 18
"""Above the first line of a heading, and the height of each."""
ROW = 26
"""The height of a row of signs."""
FOOT = 8
ALL_OWN, MAX_OWN = 296, 268
"""The height of all panels of the viewer together, and of the one with their supply."""


class Own(NamedTuple):
    """The panel with the supply of the viewer, and the facts that had no room in it."""

    panel: Panel
    more: list[str]


def own(table: Table, across: float, taken: float) -> Own:
    """The supply of the viewer: as many facts as fit beside a hand of this height."""
    assert table.view.seat is not None
    clan = table.view.seat
    room = min(MAX_OWN, ALL_OWN - taken) - _above(table, clan, across) - FOOT
    shown, more = _split(facts.own_facts(table, clan), int(room // LINE), across)
    return Own(_panel(table, clan, shown, across), more)


def others(table: Table, across: float) -> Iterator[Panel]:
    """A panel for each other clan, the Reed Clan last."""
    view = table.view
    clans = [clan for clan in range(len(view.clans)) if clan != view.seat]
    for clan in sorted(clans, key=lambda clan: clan == view.reed):
        yield _panel(table, clan, list(facts.seat_facts(table, clan)), across)


def _split(found: Iterator[str], room: int, across: float) -> tuple[list[str], list[str]]:
    """The facts that fit into this number of lines, and the others."""
    shown: list[str] = []
    more: list[str] = []
    for fact in found:
        lines = len(_wrap(fact, across))
        (shown if lines <= room else more).append(fact)
        room -= lines if lines <= room else 0
    return shown, more


def _wrap(fact: str, across: float) -> Sequence[str]:
    return letters.wrap_text(fact, across - 2 * LEFT)


def _panel(table: Table, clan: int, said: list[str], across: float) -> Panel:
    """The card of a clan: its name, its honor, its supply in signs, and facts in words."""
    view, above = table.view, _above(table, clan, across)
    wrapped = [(fact, _wrap(fact, across)) for fact in said]
    high = above + LINE * sum(len(lines) for _, lines in wrapped) + FOOT
    parts = [seat_card(view, clan, across, high), *_head(table, clan, across)]
    y = HEAD + HEADING * len(_heading(table, clan, across))
    for row in _rows(table, clan, across):
        gap = signs.even_gap(row, across - 2 * LEFT)
        parts += signs.place(row, LEFT, y + ROW / 2 - 3, gap)
        y += ROW
    for fact, lines in wrapped:
        parts += _explain_wrapped(fact, list(letters.draw_lines(LEFT, y + 13, lines)))
        y += LINE * len(lines)
    made = seat_panel(view, table.words, clan, (across, high), parts)
    key = sentences.without_seat(view, clan)
    return replace(made, label=capitalize(table.words(key))) if key else made


def _explain_wrapped(said: str, lines: list[Markup]) -> list[Markup]:
    """Lines of a text, which screen readers read as a whole."""
    return lines if len(lines) == 1 else [explain(said, *lines)]


def _above(table: Table, clan: int, across: float) -> float:
    """The height of the heading and the signs."""
    heading, rows = _heading(table, clan, across), _rows(table, clan, across)
    return HEAD + HEADING * len(heading) + ROW * len(rows)


def _heading(table: Table, clan: int, across: float) -> Sequence[str]:
    between = table.words("list_more")
    said = sentences.heading(table, clan).split(between)
    return letters.wrap_list(said, between, across - 130, 15, bold=True)


def _head(table: Table, clan: int, across: float) -> Iterator[Markup]:
    """The token and the name of a clan, and its honor."""
    view = table.view
    yield group(pieces.token(table, clan), at=(LEFT + 11, 18), scale=1.15)
    lines = _heading(table, clan, across)
    name = [
        text(LEFT + 26, 23 + HEADING * number, line, 15, fill=INK, font_weight=700)
        for number, line in enumerate(lines)
    ]
    yield from _explain_wrapped(sentences.heading(table, clan), name)
    if clan != view.reed:
        honor = _honor(table, clan)
        yield group(honor.drawn, at=(across - LEFT - honor.width, 18))


def _honor(table: Table, clan: int) -> Sign:
    """The honor of a clan, and in brackets its total at the end."""
    view = table.view
    own, said = view.clans[clan].honor, sentences.honor(table, clan, "honor_line")
    if view.mode == "coop":
        return signs.count("honor", own, said)
    return signs.count("honor", f"{own} ({sentences.total(view, clan)})", said)


def _rows(table: Table, clan: int, across: float) -> list[list[Sign]]:
    """The supply of a clan as rows of signs."""
    view, words = table
    owned, costs = view.clans[clan], facts.own_costs(view)
    stock = [] if owned.resources is None else signs.stock(words, owned.resources)
    people = list(_people(table, clan))
    held = _cards(words, owned) if clan not in _without_seat(table) else []
    if clan == view.seat and costs is not None:
        rows = [stock, people, [*_prices(words, costs), *held]]
    else:
        rows = [stock, [*people, *held]]
    return [part for row in rows for part in signs.rows(row, across - 2 * LEFT)]


def _without_seat(table: Table) -> set[int]:
    clans = range(len(table.view.clans))
    return {clan for clan in clans if sentences.without_seat(table.view, clan)}


def _cards(words: Words, owned: ClanView) -> list[Sign]:
    """How many tactic cards and command cards a clan holds."""
    tactics = words("tactic_cards", count=owned.tactics_held)
    commands = words("command_cards", count=len(owned.commands))
    return [
        signs.count("tactics", owned.tactics_held, tactics),
        signs.count("command", len(owned.commands), commands),
    ]


def _people(table: Table, clan: int) -> Iterator[Sign]:
    """The soldiers and the clerks in the supply of a clan, and its Shame."""
    view, words = table
    owned = view.clans[clan]
    shamed = sum(owned.shamed.values())
    said = facts.supply(words, owned)
    yield from (signs.count(name, number, said) for name, number in owned.pool.items())
    if shamed:
        yield signs.count("shame", shamed, said)
    if clan != view.reed:
        clerks = facts.clerks(table, clan)
        number = (
            f"{owned.clerks_pool}+{owned.clerks_space}" if owned.clerks_space else owned.clerks_pool
        )
        yield signs.count("clerk", number, clerks)


def _prices(words: Words, costs: Costs) -> list[Sign]:
    """What the viewer pays for a clerk, a saved soldier, and a Shame token that they return."""
    return [
        signs.price(signs.name_cost(words, f"cost_{name}", cost), cost, name)
        for name, cost in (("clerk", costs.clerk), ("life", costs.life), ("shame", costs.shame))
    ]


def seat_mark(view: View, clan: int) -> SeatMark:
    """The token of a player."""
    name = view.clans[clan].colour
    token = pieces.make_token(name, str(seat_number(clan)))
    return SeatMark(pieces.COLOURS[name][0], group(token, scale=2))
