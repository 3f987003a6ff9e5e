"""The panels beside the map: the turn, what each seat has, and what is shared."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Panel, plain_panel, seat_panel, seats_from_own
from domain.engine.drawing.panel import FAINT, INK, PAPER, mark_own, seat_card, seat_note
from domain.engine.drawing.seat_marks import SeatMark
from domain.engine.drawing.svg import Attribute, Markup, Point, explain, group, rect, text
from domain.engine.drawing.terminal_width import wrap
from domain.engine.play import Seat
from domain.engine.sentences import seat_number
from domain.engine.touches import TouchKind
from domain.games.hansa_teutonica import touch
from domain.games.hansa_teutonica.board import (
    ABILITIES,
    COMPLETE,
    MARKERS,
    PIECES,
    PRIVILEGES,
    VALUES,
    WHOLE_STOCK,
)
from domain.games.hansa_teutonica.render import pieces
from domain.games.hansa_teutonica.render.room import text_width
from domain.games.hansa_teutonica.render.sentences import Scene
from domain.games.hansa_teutonica.view import View

WIDTH = 340
PAD = 10
"""Between the edge of a card and its contents."""
LETTER = 13
LINE = 18
COLUMNS, DESK_COLUMNS = 49, 52
"""How many columns of letters of this size a card has; more for abilities, in narrow words."""
HEAD, GOALS = 98, 46
TOP, PIECES_ROW, ROW, TILES = 52, 32, 26, 28
"""The heights of the parts of the viewer's card: the name with the points, the pieces, an ability,
and a row of markers.
"""
TILE = 25
"""The height of a row of markers of another seat."""
BOX = 18
"""The width of a value of an ability."""
BADGE = 20
"""The side of the trader beside the name of a player."""


def panels(scene: Scene) -> Iterator[Panel]:
    """The turn, the players, and what is shared."""
    view, words = scene.view, scene.words
    yield plain_panel(words, "head", (WIDTH, HEAD), _head(scene))
    for seat in seats_from_own(view, len(view.players)):
        height, parts = _own(scene, seat) if seat == view.seat else _other(scene, seat)
        card = seat_card(view, seat, WIDTH, height)
        yield seat_panel(view, words, seat, (WIDTH, height), [card, *parts])
    goals = tuple(_goals(scene))
    yield Panel("goals", "table", words("panel_goals"), WIDTH, GOALS, goals)
    yield _supply(scene)


def _head(scene: Scene) -> Iterator[Markup]:
    """The title, the current decision, and the last deed."""
    words = scene.words
    yield text(0, 28, words("title"), 24, fill=INK, font_weight=700)
    turn = words("panel_turn", turn=scene.view.turn)
    yield text(WIDTH, 28, turn, 15, fill=FAINT, text_anchor="end")
    tasks = _cut(wrap(scene.status, 42), 3)
    strong = len(tasks)
    lines = [*tasks, *_cut(wrap(scene.last_deed, 46), 3 - strong)]
    for number, line in enumerate(lines):
        style: dict[str, Attribute] = {"fill": FAINT}
        if number < strong:
            style = {"fill": INK, "font_weight": 700}
        yield text(0, 53 + 19 * number, line, 15 if number < strong else 14, **style)


def _cut(lines: list[str], room: int) -> list[str]:
    """As many of these lines as there is room for; an ellipsis stands for the rest."""
    shown = lines[:room]
    return shown if shown == lines or not shown else [*shown[:-1], f"{shown[-1][:-1]}\u2026"]


Card = tuple[float, list[Markup]]
"""The height of a card, and what is on it."""


def _own(scene: Scene, seat: Seat) -> Card:
    """The card of the viewer: everything that they touch is large, and abilities are in words."""
    view = scene.view
    parts = [*_name(scene, seat), *_actions(scene, seat)]
    for place, left in ((touch.SUPPLY, PAD), (touch.STOCK, WIDTH / 2 + 4)):
        parts.append(group(*_own_pieces(scene, place), at=(left, TOP)))
    for row, name in enumerate(ABILITIES):
        said = pieces.name_effect(scene.words, name, f"ability_{name}")
        ability = explain(said, *_ability(scene, seat, name))
        top = TOP + PIECES_ROW + ROW * row
        parts.append(group(mark_own(view, seat, touch.ABILITY.of(name), ability), at=(0, top)))
    top = TOP + PIECES_ROW + ROW * len(ABILITIES)
    rows = list(_own_markers(scene, seat))
    parts += [group(tiles, at=(PAD, top + TILES * row)) for row, tiles in enumerate(rows)]
    return top + TILES * len(rows) + (0 if rows else 4), parts


def _other(scene: Scene, seat: Seat) -> Card:
    """The card of another seat, with the same in few lines."""
    view, words = scene.view, scene.words
    player, colour = view.players[seat], view.colours[seat]
    bold: dict[str, Attribute] = {"fill": INK, "font_weight": 700}
    network = words("panel_network", network=player.network)
    parts = [
        *_name(scene, seat),
        text(PAD, 45, _points(scene, seat), LETTER, **bold),
        text(WIDTH - PAD, 45, network, LETTER, fill=FAINT, text_anchor="end"),
    ]
    places = ((touch.SUPPLY, player.supply), (touch.STOCK, player.stock))
    for number, (place, counts) in enumerate(places):
        x = PAD + 165 * number
        parts.append(text(x, 67, words(f"panel_{place.kind}"), LETTER, fill=FAINT))
        shapes = zip((pieces.trader, pieces.merchant), counts, strict=True)
        for column, (shape, count) in enumerate(shapes):
            at = x + 62 + 46 * column
            parts.append(group(shape(colour, "", 13), at=(at, 62)))
            parts.append(text(at + 11, 67, str(count), 14, **bold))
    desk = [scene.say_ability(name, level) for name, level in player.levels.items()]
    lines = wrap(scene.join_words(desk), DESK_COLUMNS)
    parts += [text(PAD, 87 + LINE * row, line, LETTER, fill=INK) for row, line in enumerate(lines)]
    bottom = 77 + LINE * len(lines)
    rows = _in_rows(_tiles(scene, seat))
    for row, tiles in enumerate(rows):
        top = bottom + TILE * row
        parts += [group(tile, at=(PAD + x, top)) for x, (_, _, tile) in tiles]
    return bottom + TILE * len(rows), parts


def _name(scene: Scene, seat: Seat) -> Iterator[Markup]:
    """The player of a card, and their current roles."""
    yield group(
        pieces.trader(scene.view.colours[seat], str(seat_number(seat)), BADGE), at=(PAD + 10, 17)
    )
    yield text(PAD + 28, 22, _whose(scene, seat), 14, fill=INK, font_weight=700)


def _points(scene: Scene, seat: Seat) -> str:
    prestige = scene.view.players[seat].prestige
    return scene.words("panel_points", prestige=prestige, points=scene.points(seat))


def _whose(scene: Scene, seat: Seat) -> str:
    """The player of a card, and their current roles."""
    view, words = scene.view, scene.words
    notes = seat_note(view, seat, words=words)
    return words(
        "panel_seat_noted" if notes else "panel_seat",
        who=words.heading(seat),
        colour=words(f"colour_{view.colours[seat]}"),
        notes=notes,
    )


def _actions(scene: Scene, seat: Seat) -> Iterator[Markup]:
    """How many actions are left in the turn of the viewer, and their points."""
    view = scene.view
    if view.active == seat and view.awaiting:
        left = scene.words("panel_left", count=0 if view.closed else view.actions)
        yield text(PAD, 47, left, 19, fill=INK, font_weight=700)
    points = _points(scene, seat)
    yield text(WIDTH - PAD, 46, points, LETTER, fill=INK, text_anchor="end", font_weight=700)


def _own_pieces(scene: Scene, place: TouchKind) -> Iterator[Markup]:
    """The traders and merchants of the viewer in a place, with their numbers."""
    view = scene.view
    seat = view.seat or 0
    counts = getattr(view.players[seat], place.kind)
    yield text(0, 20, scene.words(f"panel_{place.kind}"), LETTER, fill=FAINT)
    shapes = zip(PIECES, (pieces.trader, pieces.merchant), counts, strict=True)
    for number, (piece, shape, held) in enumerate(shapes):
        drawn = explain(
            pieces.name_effect(scene.words, piece, f"piece_{piece}"),
            pieces.button(-14, -14, 52, 28),
            shape(view.colours[seat], "", 18),
            text(13, 6, str(held), 17, fill=INK, font_weight=700),
        )
        yield group(mark_own(view, seat, place.of(piece), drawn), at=(62 + 56 * number, 16))


def _ability(scene: Scene, seat: Seat, name: str) -> Iterator[Markup]:
    """A row of the desk: in words, with the next value, and its values, the current one dark."""
    number = ABILITIES.index(name)
    values, player = VALUES[number], scene.view.players[seat]
    level = player.levels[name]
    yield group(pieces.reach(WIDTH - 2 * PAD, ROW), at=(WIDTH / 2, ROW / 2))
    now = scene.value(name, level)
    said = scene.words(f"desk_{name}", value=now, network=player.network)
    if level < COMPLETE[number]:
        then = scene.value(name, level + 1)
        said = scene.words("desk_next", ability=said, value=then)
    yield text(PAD, 18, said, LETTER, fill=INK)
    left = WIDTH - PAD - BOX * len(values)
    for step, value in enumerate(values):
        box = _value(scene, name, value, step - level)
        yield group(box, at=(left + BOX * step, 4))


def _value(scene: Scene, name: str, value: int, beyond: int) -> Markup:
    """A value as printed on the desk; pale if `beyond` is above 0, that is if it is covered."""
    fill, ink = ("#ffffff", INK)
    sign = scene.words("letter_all") if value == WHOLE_STOCK else str(value)
    if name == "privilege":
        sign = scene.words(f"letter_{PRIVILEGES[value]}")
        fill, ink = pieces.OFFICES[PRIVILEGES[value]], pieces.LETTERS[PRIVILEGES[value]]
    if beyond > 0:
        fill, ink = PAPER, "#7a705b"
    here = beyond == 0
    style: dict[str, Attribute] = {
        "fill": pieces.GOLD if here and name != "privilege" else fill,
        "stroke": INK if here else "#a89d84",
        "stroke_width": 2 if here else 1,
    }
    letter = text(BOX / 2 - 1, 14, sign, LETTER, fill=ink, text_anchor="middle", font_weight=700)
    return group(rect(0, 0, BOX - 2, 18, rx=3, **style), letter)


def _own_markers(scene: Scene, seat: Seat) -> Iterator[Markup]:
    """The rows of the viewer's markers."""
    for row in _in_rows(_tiles(scene, seat)):
        tiles = []
        for x, (kind, width, tile) in row:
            if kind:
                reach = group(pieces.reach(width, TILES - 2), at=(width / 2, TILES / 2 - 1))
                drawn = explain(
                    pieces.name_effect(scene.words, kind, f"marker_{kind}"), reach, tile
                )
                tile = mark_own(scene.view, seat, touch.MARKER.of(kind), drawn)
            tiles.append(group(tile, at=(x, 0)))
        yield group(*tiles)


Tile = tuple[str, float, Markup]
"""A kind of marker, the width of the picture of it, and the picture; no kind for words."""


def _tiles(scene: Scene, seat: Seat) -> list[Tile]:
    """The markers of a seat that lie face up, and how many are used."""
    player = scene.view.players[seat]
    tiles = [_tile(scene, kind, player.ready[kind]) for kind in MARKERS if kind in player.ready]
    if used := sum(player.used.values()):
        words = scene.words("panel_used", used=used)
        width = text_width(words, LETTER)
        tiles.append(("", width, text(0, 18, words, LETTER, fill=FAINT)))
    return tiles


def _tile(scene: Scene, kind: str, count: int) -> Tile:
    name = scene.words("short_several", count=count, what=scene.words(f"short_{kind}"))
    width = max(28.0, text_width(name, LETTER) + 10)
    style: dict[str, Attribute] = {"fill": pieces.GOLD, "stroke": "#7a5a00", "stroke_width": 1}
    words = text(width / 2, 18, name, LETTER, **pieces.BOLD)
    return kind, width, group(rect(0, 4, width, 19, rx=5, **style), words)


def _in_rows(tiles: list[Tile]) -> list[list[tuple[float, Tile]]]:
    """Markers in rows as wide as a card, each with its left edge."""
    rows: list[list[tuple[float, Tile]]] = []
    x = float(WIDTH)
    for tile in tiles:
        if x + tile[1] > WIDTH - 2 * PAD:
            rows.append([])
            x = 0.0
        rows[-1].append((x, tile))
        x += tile[1] + 6
    return rows


def _goals(scene: Scene) -> Iterator[Markup]:
    """The complete cities, and who has connected west and east."""
    view, words = scene.view, scene.words
    complete = words("panel_complete", complete=view.complete, limit=view.map.completed_city_limit)
    yield text(0, 15, complete, 14, fill=INK)
    connected = words("panel_connected")
    yield text(0, 37, connected, 14, fill=INK)
    right = text_width(connected, 14)
    if not view.connected:
        yield text(right + 4, 37, words("nobody"), 14, fill=FAINT)
    for number, seat in enumerate(view.connected):
        sign = pieces.piece(view.colours, f"{seat}t", 18)
        yield group(sign, at=(right + 14 + 24 * number, 32))


def _supply(scene: Scene) -> Panel:
    """The markers in the supply, whose order is unknown."""
    view, words = scene.view, scene.words
    count = sum(view.marker_supply.values()) + len(view.bottom)
    pile = [
        words("plain_several", count=held, what=scene.marker(kind))
        for kind, held in view.marker_supply.items()
    ]
    pile += [words("plain_bottom", what=scene.marker(kind)) for kind in view.bottom]
    lines = [words("panel_markers", count=count), *wrap(scene.join_words(pile), COLUMNS)]
    drawn = [
        text(0, 15 + LINE * row, line, 13 if row else 14, fill=FAINT if row else INK)
        for row, line in enumerate(lines)
    ]
    size: Point = WIDTH, LINE * len(lines) + 4
    return Panel("supply", "table", words("panel_pile"), *size, tuple(drawn), folds=True)


def seat_mark(view: View, seat: Seat) -> SeatMark:
    """The trader of a seat."""
    colour = view.colours[seat]
    sign = group(pieces.trader(colour, str(seat_number(seat)), BADGE), scale=1.7)
    return SeatMark(pieces.PLAYERS[colour], sign)
