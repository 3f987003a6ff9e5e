"""The table as lines of text, for terminals and screen readers. 80 columns are enough."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.terminal_width import MAX_COLUMNS, pad, wrap
from domain.engine.sentences import Sentence, Words, capitalize, sentence
from domain.games.great_wall.render import cards, facts, sentences
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.view import HordeView, SectionView, SpotView, View

REWARDS = {
    "wood": "W",
    "stone": "S",
    "gold": "G",
    "chi": "C",
    "any": "A",
    "honor": "H",
    "tactics": "T",
}
WIDE = 4
"""How many columns a Vital spot takes."""
NAME = 24
"""How many columns the name of a Location takes."""


def text(view: View, words: Words) -> str:
    """The whole table as this seat sees it."""
    table = Table(view, words)
    lines = [
        _title(table),
        *wrap(sentences.status(table)),
        *wrap(sentences.moment(table)),
        *_course(table),
        "",
        *(line for section in view.sections for line in _section(table, section)),
        "",
        *wrap(words("legend" if view.qin is None else "legend_with_qin")),
        "",
        *_locations(table),
        "",
        *_cards(words, "cards_of_qin", cards.of_qin(table)),
        *_cards(words, "requests", cards.requests(table)),
        *_cards(words, "events", cards.events(table)),
        *_cards(words, "advisors_to_hire", cards.advisors(table)),
        *_cards(words, "artifacts", cards.artifacts(table)),
        *_cards(words, "your_cards", cards.own(table)),
        "",
        *(line for clan in range(len(view.clans)) for line in _clan(table, clan)),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _title(table: Table) -> str:
    title = sentences.title(table)
    return table.words("with_open_resources", title=title) if table.view.open_resources else title


def _indent(words: str) -> Iterator[str]:
    """The words as indented lines below a heading."""
    for number, line in enumerate(wrap(words, MAX_COLUMNS - 4)):
        yield f"{'    ' if number else '  '}{line}"


def _course(table: Table) -> Iterator[str]:
    """The Tea order, the Command track, and the supplies."""
    view, words = table
    order = " > ".join(sentences.clan_name(table, clan) for clan in view.tea)
    yield from wrap(words("tea_line", order=order))
    track = sentences.join_words(words, _track(table))
    yield from wrap(words("tracked", cards=track))
    for said in (*sentences.stocks(table), *sentences.aims(table)):
        yield from wrap(said)


def _track(table: Table) -> Iterator[str]:
    view, words = table
    proposed = dict(enumerate(sentences.find_proposed_order(view)))
    for number, laid in enumerate(view.track):
        if shown := laid or proposed.get(number):
            card = Sentence(f"command_{shown.card}")
            clan = sentences.clan_name(table, shown.clan)
            key = "slot_taken" if laid else "slot_proposed"
            yield words(key, slot=number + 1, card=card, clan=clan)
        else:
            yield words("slot_free", slot=number + 1)


def _section(table: Table, section: SectionView) -> Iterator[str]:
    """The Wall with its defenders, and the Horde cards before it."""
    view, words = table
    line = words(
        "section_line",
        section=Sentence(f"section_{section.section}"),
        level=section.level,
        barricades=sentence("barricades", count=section.barricades),
        defense=section.defense,
        power=section.power,
    )
    yield from wrap(capitalize(line))
    yield from _indent(_firing(table, section))
    for clan, owned in enumerate(view.clans):
        if section.section in owned.rest:
            there = sentences.troops(words, owned.rest[section.section])
            rest = words("rest_line", clan=sentences.clan_name(table, clan), soldiers=there)
            yield from _indent(rest)
    for horde in section.hordes:
        yield from _horde(table, horde)


def _firing(table: Table, section: SectionView) -> str:
    """How many Archers of each clan stand on the Wall."""
    view, words = table
    archers = [(c, one.firing.get(section.section, 0)) for c, one in enumerate(view.clans)]
    there = [
        words("firing_of", number=number, clan=sentences.clan_name(table, clan))
        for clan, number in archers
        if number
    ]
    taken = {"taken": sum(number for _, number in archers), "spots": section.firing_spots}
    if not there:
        return words("firing_line", **taken)
    return words("firing_line_by", **taken, archers=sentences.join_words(words, there))


def _horde(table: Table, horde: HordeView) -> Iterator[str]:
    """A Horde card with its grid."""
    words = table.words
    line = words(
        "horde_line_full" if horde.full else "horde_line",
        row=horde.row + 1,
        card=Sentence(f"horde_{horde.card}"),
        figures=sentences.horde_figures(words, horde),
        text=Sentence(f"horde_{horde.type}_text"),
    )
    yield from _indent(line)
    signs = {spot.at: _spot(table, spot) for spot in horde.spots}
    for row in range(2):
        cells = (signs.get(f"{row},{column}", ".") for column in range(6))
        yield "      " + "".join(pad(cell, WIDE) for cell in cells)


def _spot(table: Table, spot: SpotView) -> str:
    """What lies on a Vital spot, or its reward."""
    if spot.wounded:
        return "x"
    if spot.clan is not None:
        whose = sentences.sign(table, spot.clan)
        return f"{whose}{'s' if spot.soldier == 'spearman' else 'h'}"
    rewards = (f"{REWARDS[name]}{number}" for name, number in spot.reward.items())
    return "".join(rewards) or "o"


def _locations(table: Table) -> Iterator[str]:
    """A line for each Location with its clerks."""
    view, words = table
    for place in view.locations:
        there = [
            f"{sentences.clan_name(table, clan)} {number}"
            for clan, number in enumerate(place.clerks)
            if number
        ]
        taken = sum(place.clerks)
        room = words("location_room", taken=taken, slots=place.slots) if place.slots else str(taken)
        begins = pad(words(f"location_{place.location}"), NAME) + pad(room, 8)
        first, *more = wrap(words("list_more").join(there), MAX_COLUMNS - NAME - 8) or [""]
        yield begins + first
        yield from (" " * (NAME + 8) + line for line in more)


def _cards(words: Words, head: str, shown: list[cards.Card]) -> Iterator[str]:
    """Cards with what they do, below a heading; nothing if there are no cards."""
    if shown:
        yield words(head)
    for card in shown:
        yield from _indent(cards.line(words, card))


def _clan(table: Table, clan: int) -> Iterator[str]:
    """What a clan owns."""
    view = table.view
    yield from wrap(sentences.heading(table, clan))
    if clan != view.reed:
        yield from _indent(sentences.honor(table, clan, "has_honor"))
    for fact in facts.all_facts(table, clan):
        yield from _indent(fact)
