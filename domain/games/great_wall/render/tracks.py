"""The tracks beside the board: Tea order, commands, Years, and those that decide other modes."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Panel
from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Attribute, Markup, explain, group, mark, path, rect, text
from domain.games.great_wall import touch
from domain.games.great_wall.render import letters, pieces, sentences, signs
from domain.games.great_wall.render.letters import SMALL
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.render.signs import Sign
from domain.games.great_wall.state.table import LaidCommand

HEAD = 22
"""The height of the name of a track."""
BOX, BETWEEN = 28, 4
"""The height of a box of a track, and between two of them."""
YEAR = 48
"""The height of a box of the Time track."""
EDGE = "#a89d84"
DONE = "#d5e5c8"
"""The background of a fulfilled Request."""
SHAME = "#eccfca"
"""The background of the Shame tokens that are left."""

Part = tuple[float, list[Markup]]
"""The height of a track and its shapes."""


def panels(table: Table, across: float) -> Iterator[Panel]:
    """The tracks in a panel, each below its name."""
    parts, y = [], 0.0
    for name, (high, shapes) in _tracks(table, across):
        head = text(0, 15, table.words(name), 14, fill=INK, font_weight=700)
        parts.append(group(head, group(*shapes, at=(0, HEAD)), at=(0, y)))
        y += HEAD + high + 8
    yield Panel("tracks", "table", table.words("tracks"), across, y - 8, tuple(parts))


def _tracks(table: Table, across: float) -> Iterator[tuple[str, Part]]:
    view = table.view
    yield "command_track", _commands(table, across)
    yield "tea_order", _tea(table)
    yield "time_track", _time(table, across)
    if view.qin is not None:
        yield "location_track", _locations(table, across)
    if view.mode == "coop":
        yield "requests_track", _requests(table, across)
    if view.mode != "standard":
        yield "shame_track", _shame(table, across)


def _box(width: float, height: float, fill: str, **style: Attribute) -> Markup:
    return rect(1, 0, width - 2, height, **{"rx": 5, "fill": fill, "stroke": EDGE, **style})


def _commands(table: Table, across: float) -> Part:
    """The Command track: its boxes from left to right in two columns."""
    view, shapes = table.view, []
    width = (across - BETWEEN) / 2
    proposed = sentences.find_proposed_order(view)
    for number, laid in enumerate(view.track):
        row, column = divmod(number, 2)
        at = (column * (width + BETWEEN), row * (BOX + BETWEEN))
        if laid is None and number < len(proposed):
            name, shown = touch.SHOWN_COMMAND.of(proposed[number].clan), proposed[number]
            drawn = _draw_proposal(table, number, shown, width)
        else:
            name, drawn = touch.SLOT.of(number), _slot(table, number, laid, width)
        shapes.append(group(mark(name, *drawn), at=at))
    return -(-len(view.track) // 2) * (BOX + BETWEEN), shapes


def _slot(table: Table, number: int, laid: LaidCommand | None, width: float) -> Iterator[Markup]:
    """A slot of the Command track, with the card on it and its owner."""
    view = table.view
    now = laid is not None and laid.clan == view.active
    edge: dict[str, Attribute] = {"stroke": INK, "stroke_width": 2.5} if now else {}
    yield _box(width, BOX, "#fff1bf" if now else "#ffffff", **edge)
    yield letters.small(8, 19, str(number + 1), fill=FAINT)
    if laid is not None:
        yield from _command(table, laid)


def _draw_proposal(table: Table, number: int, laid: LaidCommand, width: float) -> Iterator[Markup]:
    """A command card where it would lie in the proposed order: GW-16.3."""
    box = _box(width, BOX, "#ffffff", stroke=INK, stroke_dasharray="4 4")
    yield explain(table.words("proposed"), box)
    yield letters.small(8, 19, str(number + 1), fill=FAINT)
    yield from _command(table, laid)


def _command(table: Table, laid: LaidCommand) -> Iterator[Markup]:
    """A command card and its owner."""
    name = table.words(f"command_{laid.card}")
    yield group(pieces.token(table, laid.clan), at=(30, 14))
    yield letters.small(44, 19, name, font_weight=700)


def _tea(table: Table) -> Part:
    """The Tea order from the top."""
    view, words = table
    order = " > ".join(sentences.clan_name(table, clan) for clan in view.tea)
    tokens = [
        group(pieces.token(table, clan), at=(12 + 28 * place, 11), scale=1.1)
        for place, clan in enumerate(view.tea)
    ]
    return 24, [explain(words("tea_line", order=order), *tokens)]


def _time(table: Table, across: float) -> Part:
    """The Time track: the Years, their Lethality, and what comes in their Spring."""
    view, shapes = table.view, []
    width = across / len(view.slots)
    for number in range(len(view.slots)):
        drawn = explain(_say_year(table, number), *_year(table, number, width))
        shapes.append(group(drawn, at=(width * number, 0)))
    return YEAR, shapes


def _say_year(table: Table, number: int) -> str:
    slot = table.view.slots[number]
    return table.words(
        "year_slot", year=slot.year, lethality=slot.lethality, hordes=slot.new_hordes
    )


def _year(table: Table, number: int, width: float) -> Iterator[Markup]:
    """A box of the Time track; the Year that it is stands out."""
    view = table.view
    slot, now = view.slots[number], number == view.slot
    edge: dict[str, Attribute] = {"stroke": INK, "stroke_width": 2.5} if now else {}
    yield _box(width, YEAR, "#fff1bf" if now else "#ffffff", **edge)
    yield text(
        width / 2,
        18,
        table.words("year", year=slot.year),
        SMALL,
        fill=INK,
        text_anchor="middle",
        font_weight=700 if now else 400,
    )
    said = _say_year(table, number)
    row = [_small(signs.count("lethality", slot.lethality, said))]
    row.append(_small(signs.count("horde", slot.new_hordes, said)))
    left = (width - signs.length(row, 2)) / 2
    yield from signs.place(row, left, 34, 2)


def _small(sign: Sign) -> Sign:
    return Sign(sign.width - 1, sign.drawn)


def _locations(table: Table, across: float) -> Part:
    """The Location track of Qin Jiushao, the highest Location first: GW-14.3."""
    view, words = table
    places = list(sentences.location_track(view))
    ends = {0: words("highest"), len(places) - 1: words("lowest")}
    boxes = [_chip(words(place), ends.get(number, "")) for number, place in enumerate(places)]
    rows = signs.rows(boxes, across, BETWEEN)
    shapes = [
        group(*signs.place(row, 0, 0, BETWEEN), at=(0, number * (BOX + BETWEEN)))
        for number, row in enumerate(rows)
    ]
    return len(rows) * (BOX + BETWEEN), shapes


def _chip(name: str, note: str) -> Sign:
    """A box with a name and a note behind it."""
    wide = 12 + letters.length(name, bold=True)
    width = wide + (letters.length(note) + 8 if note else 0)
    said = letters.small(7, 19, name, font_weight=700)
    noted = [letters.small(wide, 19, note, fill=FAINT)] if note else []
    return Sign(width, group(_box(width, BOX, "#ece4f4"), said, *noted))


def _requests(table: Table, across: float) -> Part:
    """A box for each Request needed to win, with a tick if it is fulfilled: GW-16.2."""
    view, shapes = table.view, []
    width = across / view.requests_to_win
    tick = path(f"M {width / 2:.1f} 15 l 5 6 l 9 -13", fill="none", stroke=INK, stroke_width=2.5)
    for number in range(view.requests_to_win):
        done = number < len(view.fulfilled)
        count = letters.small(7, 19, str(number + 1), fill=INK if done else FAINT)
        box = _box(width, BOX, DONE if done else "#ffffff")
        shapes.append(group(box, count, *[tick] * done, at=(width * number, 0)))
    return BOX, shapes


def _shame(table: Table, across: float) -> Part:
    """How many of the Shame tokens are left: GW-14.14, GW-16.7."""
    view, words = table
    left = (across - 2) * view.shame / view.shame_pool
    said = words("tokens_left", left=view.shame, all=view.shame_pool)
    return BOX, [
        _box(across, BOX, "#ffffff"),
        rect(1, 0, left, BOX, rx=5, fill=SHAME, stroke=INK),
        letters.small(10, 19, said, font_weight=700),
    ]
