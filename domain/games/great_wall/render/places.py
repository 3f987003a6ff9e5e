"""The Locations with clerks and Overseers, the tracks, the decks."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.panel import FAINT, INK, count
from domain.engine.svg import Markup, group, marked, rect, text
from domain.games.great_wall import touch
from domain.games.great_wall.cards import decks
from domain.games.great_wall.render import pieces, words
from domain.games.great_wall.render.pieces import LINE, SMALL
from domain.games.great_wall.view import LocationView, View

COLUMNS = 5
GAP = 10
TILE = 88
TRACK = 40
"""How high a track is."""
LABEL = 122
"""How wide its name is."""


def height(view: View, across: float) -> float:
    """How much room the Locations and all below them need."""
    rows = -(-len(view.locations) // COLUMNS)
    return rows * (TILE + GAP) + 2 * TRACK + LINE * len(_told(view, across)) + 24


def parts(view: View, across: float) -> Iterator[Markup]:
    """The Locations in two rows, the Command track, and what lies beside the board."""
    width = (across - GAP * (COLUMNS - 1)) / COLUMNS
    for number, place in enumerate(view.locations):
        row, column = divmod(number, COLUMNS)
        at = (column * (width + GAP), row * (TILE + GAP))
        drawn = marked(touch.LOCATION.of(place.location), *_location(view, place, width))
        yield group(drawn, at=at)
    below = -(-len(view.locations) // COLUMNS) * (TILE + GAP)
    yield group(*_commands(view, across), at=(0, below))
    yield group(*_time(view, across), at=(0, below + TRACK))
    yield from pieces.lines(0, below + 2 * TRACK + 14, _told(view, across), fill=INK)


def _location(view: View, place: LocationView, width: float) -> Iterator[Markup]:
    """A Location: its slots with clerks, whether it brings Shame, and the Overseers there."""
    yield rect(0, 0, width, TILE, rx=7, fill="#f3ecd9", stroke="#a89d84", stroke_width=1)
    yield text(10, 18, place.name, 14, fill=INK, font_weight=700)
    if place.shame_icon:
        yield text(width - 10, 18, "Shame", SMALL, fill=pieces.WOUND, text_anchor="end")
    there = list(pieces.tokens(view, enumerate(place.clerks)))
    there += [pieces.empty_slot()] * ((place.slots or 0) - len(there))
    step = min(23.0, (width - 30) / max(1, len(there)))
    for number, shape in enumerate(there):
        yield group(shape, at=(19 + step * number, 40))
    if not there:
        yield text(10, 44, "no clerk", SMALL, fill=FAINT)
    standing = [
        (clan, one.overseers[place.location].level)
        for clan, one in enumerate(view.clans)
        if place.location in one.overseers
    ]
    for number, (clan, level) in enumerate(standing):
        yield group(pieces.token(view, clan), at=(19 + 44 * number, 69))
        yield text(31 + 44 * number, 73, f"lv {level}", SMALL, fill=INK)


def _commands(view: View, across: float) -> Iterator[Markup]:
    """The Command track from left to right."""
    yield text(0, 22, "Command track", 14, fill=INK, font_weight=700)
    width = (across - LABEL) / max(1, len(view.track))
    for number, laid in enumerate(view.track):
        shapes = [_slot(width, "#ffffff")]
        if laid is not None:
            name = words.command_name(laid.card)
            shapes.append(group(pieces.token(view, laid.clan), at=(18, 17)))
            shapes.append(text(34, 22, name, 13, fill=INK, font_weight=700))
        drawn = marked(touch.SLOT.of(number), *shapes)
        yield group(drawn, at=(LABEL + width * number, 0))


def _time(view: View, across: float) -> Iterator[Markup]:
    """The Time track: the Years, how lethal they are, and what comes in their Spring."""
    yield text(0, 22, "Time track", 14, fill=INK, font_weight=700)
    width = (across - LABEL) / len(view.slots)
    for number, slot in enumerate(view.slots):
        told = f"Year {slot.year}: Lethality {slot.lethality}, {slot.new_hordes} new"
        now = number == view.slot
        label = text(10, 21, told, pieces.SMALL, fill=INK if now else FAINT)
        yield group(
            _slot(width, "#fff1bf" if now else "#ffffff"), label, at=(LABEL + width * number, 0)
        )


def _slot(width: float, fill: str) -> Markup:
    return rect(2, 2, width - 8, 30, rx=5, fill=fill, stroke="#a89d84")


def _told(view: View, across: float) -> list[str]:
    """What lies beside the board, in lines."""
    advisors = ", ".join(map(words.advisor_name, view.advisors)) or "none"
    told = [
        f"Advisors to hire: {advisors}.",
        f"Warehouse: {words.amounts(view.warehouse)}. Shame pool: {view.shame}. "
        f"Horde deck: {count(view.horde_deck, 'card')}.",
        *(decks.ARTIFACTS[one].name + ": " + decks.ARTIFACTS[one].text for one in view.artifacts),
    ]
    return [line for part in told for line in pieces.folded(part, across)]
