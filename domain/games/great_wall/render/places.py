"""The Locations with clerks and Overseers, the tracks, the decks."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Markup, group, mark, rect, text
from domain.games.great_wall import touch
from domain.games.great_wall.render import pieces, sentences
from domain.games.great_wall.render.pieces import LINE, SMALL
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.state.table import LaidCommand
from domain.games.great_wall.view import LocationView

COLUMNS = 5
GAP = 10
TILE = 88
TRACK = 40
"""The height of a track."""
LABEL = 122
"""The width of its name."""


def height(table: Table, across: float) -> float:
    """The height of the Locations and everything below them."""
    rows = -(-len(table.view.locations) // COLUMNS)
    return rows * (TILE + GAP) + 2 * TRACK + LINE * len(_stocks(table, across)) + 24


def parts(table: Table, across: float) -> Iterator[Markup]:
    """The Locations in two rows, the tracks, and the supplies beside the board."""
    locations = table.view.locations
    width = (across - GAP * (COLUMNS - 1)) / COLUMNS
    for number, place in enumerate(locations):
        row, column = divmod(number, COLUMNS)
        at = (column * (width + GAP), row * (TILE + GAP))
        drawn = mark(touch.LOCATION.of(place.location), *_location(table, place, width))
        yield group(drawn, at=at)
    below = -(-len(locations) // COLUMNS) * (TILE + GAP)
    yield group(*_commands(table, across), at=(0, below))
    yield group(*_time(table, across), at=(0, below + TRACK))
    yield from pieces.lines(0, below + 2 * TRACK + 14, _stocks(table, across), fill=INK)


def _location(table: Table, place: LocationView, width: float) -> Iterator[Markup]:
    """A Location: its slots with clerks, its Shame icon, and the Overseers there."""
    view, words = table
    yield rect(0, 0, width, TILE, rx=7, fill="#f3ecd9", stroke="#a89d84", stroke_width=1)
    yield text(10, 18, words(f"location_{place.location}"), 14, fill=INK, font_weight=700)
    if place.shame_icon:
        shame = words("shame_icon")
        yield text(width - 10, 18, shame, SMALL, fill=pieces.WOUND, text_anchor="end")
    there = list(pieces.tokens(view, enumerate(place.clerks)))
    there += [pieces.empty_slot()] * ((place.slots or 0) - len(there))
    step = min(23.0, (width - 30) / max(1, len(there)))
    for number, shape in enumerate(there):
        yield group(shape, at=(19 + step * number, 40))
    if not there:
        yield text(10, 44, words("no_clerk"), SMALL, fill=FAINT)
    standing = [
        (clan, one.overseers[place.location].level)
        for clan, one in enumerate(view.clans)
        if place.location in one.overseers
    ]
    step = min(56.0, (width - 10) / max(1, len(standing)))
    for number, (clan, level) in enumerate(standing):
        said = words("overseer_level", level=level)
        yield group(pieces.token(view, clan), at=(19 + step * number, 69))
        yield text(31 + step * number, 73, said, SMALL, fill=INK)


def _commands(table: Table, across: float) -> Iterator[Markup]:
    """The Command track from left to right."""
    view, words = table
    yield text(0, 22, words("command_track"), 14, fill=INK, font_weight=700)
    width = (across - LABEL) / max(1, len(view.track))
    proposed = sentences.find_proposed_order(view)
    for number, laid in enumerate(view.track):
        name, shapes = touch.SLOT.of(number), [track_slot(width, "#ffffff")]
        if laid is not None:
            shapes += _command(table, laid)
        elif number < len(proposed):
            name = touch.SHOWN_COMMAND.of(proposed[number].clan)
            shapes += _draw_proposal(table, proposed[number], width)
        else:
            shapes.append(text(14, 22, str(number + 1), 13, fill=FAINT))
        yield group(mark(name, *shapes), at=(LABEL + width * number, 0))


def _command(table: Table, laid: LaidCommand) -> Iterator[Markup]:
    """A command card and its owner."""
    name = table.words(f"command_{laid.card}")
    yield group(pieces.token(table.view, laid.clan), at=(18, 17))
    yield text(34, 22, name, 13, fill=INK, font_weight=700)


def _draw_proposal(table: Table, laid: LaidCommand, width: float) -> Iterator[Markup]:
    """A command card where it would lie in the proposed order: GW-16.3."""
    yield rect(5, 5, width - 14, 24, rx=4, fill="none", stroke=INK, stroke_dasharray="4 4")
    yield from _command(table, laid)
    said = table.words("proposed")
    yield text(width - 16, 21, said, SMALL, fill=FAINT, text_anchor="end")


def _time(table: Table, across: float) -> Iterator[Markup]:
    """The Time track: the Years, their Lethality, and what comes in their Spring."""
    view, words = table
    yield text(0, 22, words("time_track"), 14, fill=INK, font_weight=700)
    width = (across - LABEL) / len(view.slots)
    for number, slot in enumerate(view.slots):
        said = words("year_slot", year=slot.year, lethality=slot.lethality, hordes=slot.new_hordes)
        now = number == view.slot
        box = rect(2, 2, width - 8, 30, rx=5, fill="none", stroke=INK, stroke_width=2.5)
        label = text(10, 21, said, SMALL, fill=INK if now else FAINT)
        shapes = [track_slot(width, "#fff1bf" if now else "#ffffff"), *[box] * now, label]
        yield group(*shapes, at=(LABEL + width * number, 0))


def track_slot(width: float, fill: str) -> Markup:
    """A box of a track."""
    return rect(2, 2, width - 8, 30, rx=5, fill=fill, stroke="#a89d84")


def _stocks(table: Table, across: float) -> list[str]:
    """The supplies beside the board, in lines."""
    return pieces.wrap_text(" \u00b7 ".join(sentences.stocks(table)), across)
