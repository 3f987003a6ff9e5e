"""The part of the picture with the turn, and what each seat has."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Panel, plain_panel, seat_panel, seats_from_own
from domain.engine.drawing.panel import FAINT, INK, mark_own, seat_card, seat_note
from domain.engine.drawing.svg import Attribute, Markup, group, rect, text
from domain.engine.drawing.terminal_width import column_width, wrap
from domain.engine.play import Seat
from domain.engine.sentences import Words
from domain.engine.touches import TouchKind
from domain.games.hansa_teutonica import touch
from domain.games.hansa_teutonica.board import ABILITIES, PIECES, PRIVILEGES, VALUES, WHOLE_STOCK
from domain.games.hansa_teutonica.render import pieces
from domain.games.hansa_teutonica.render.sentences import Scene

WIDTH = 372
CARD_HEIGHT = 158
HEAD, TABLE = 98, 50
BOX = 22
ROW = 22
"""The height of a row of a card, and the least width of what players touch in it."""
FINGER = 26


def panels(scene: Scene) -> Iterator[Panel]:
    """The turn, the players, and what is shared."""
    view, words = scene.view, scene.words
    yield plain_panel(words, "head", (WIDTH, HEAD), _head(scene))
    for seat in seats_from_own(view, len(view.players)):
        yield seat_panel(view, words, seat, (WIDTH, CARD_HEIGHT), _card(scene, seat))
    yield plain_panel(words, "table", (WIDTH, TABLE), _table(scene))


def _head(scene: Scene) -> Iterator[Markup]:
    """The title, the current decision, and the last deed."""
    words = scene.words
    yield text(0, 30, words("title"), 27, fill=INK, font_weight=700)
    turn = words("panel_turn", turn=scene.view.turn)
    yield text(WIDTH, 30, turn, 16, fill=FAINT, text_anchor="end")
    tasks = wrap(scene.status, 48)[:3]
    strong = len(tasks)
    lines = [*tasks, *wrap(scene.last_deed, 54)[: 3 - strong]]
    for number, line in enumerate(lines):
        style: dict[str, Attribute] = {"fill": FAINT}
        if number < strong:
            style = {"fill": INK, "font_weight": 700}
        yield text(0, 56 + 19 * number, line, 15 if number < strong else 14, **style)


def _card(scene: Scene, seat: Seat) -> Iterator[Markup]:
    """One player: points, pieces, desk, markers."""
    view, words = scene.view, scene.words
    player, colour = view.players[seat], view.colours[seat]
    yield seat_card(view, seat, WIDTH, CARD_HEIGHT)
    yield group(pieces.trader(colour, str(seat), 22), at=(20, 19))
    yield text(40, 24, _whose(scene, seat), 15, fill=INK, font_weight=700)
    points = words("panel_points", prestige=player.prestige, points=scene.points(seat))
    yield text(40, 43, points, 14, fill=INK, font_weight=700)
    yield group(*_pieces(scene, seat, touch.SUPPLY, player.supply), at=(12, 68))
    yield group(*_pieces(scene, seat, touch.STOCK, player.stock), at=(182, 68))
    used = sum(player.used.values())
    key = "panel_network_used" if used else "panel_network"
    network = words(key, network=player.network, used=used)
    yield text(WIDTH - 12, 43, network, 13, fill=FAINT, text_anchor="end")
    for number, name in enumerate(ABILITIES):
        side, row = number % 2, number // 2
        label = 50 if side else 58
        ability = group(*_ability(words, name, player.levels[name], label))
        drawn = mark_own(view, seat, touch.ABILITY.of(name), ability)
        yield group(drawn, at=(12 + 170 * side, 86 + 23 * row))
    yield from _markers(scene, seat)


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


def _pieces(
    scene: Scene, seat: Seat, place: TouchKind, counts: tuple[int, int]
) -> Iterator[Markup]:
    """The numbers of traders and merchants."""
    view = scene.view
    yield text(0, 5, scene.words(f"panel_{place.kind}"), 13, fill=FAINT)
    shapes = pieces.trader, pieces.merchant
    for number, (piece, shape, held) in enumerate(zip(PIECES, shapes, counts, strict=True)):
        drawn = group(
            group(pieces.reach(FINGER), at=(FINGER / 4, 0)),
            shape(view.colours[seat], "", 13),
            text(11, 5, str(held), 14, fill=INK, font_weight=700),
        )
        yield group(mark_own(view, seat, place.of(piece), drawn), at=(60 + 46 * number, 0))


def _ability(words: Words, name: str, level: int, label: float) -> Iterator[Markup]:
    """A row of the desk: the current value is dark, covered ones are pale."""
    values = VALUES[ABILITIES.index(name)]
    across = label + (BOX - 1) * len(values)
    yield group(pieces.reach(across, ROW), at=(across / 2, ROW / 2 - 2))
    yield text(0, 15, words(f"ability_{name}"), 13, fill=FAINT)
    for number, value in enumerate(values):
        sign = _sign(words, name, value)
        yield group(_value(name, value, sign, number - level), at=(label + (BOX - 1) * number, 0))


def _sign(words: Words, name: str, value: int) -> str:
    """A value of an ability as printed on the desk."""
    if name == "privilege":
        return words(f"letter_{PRIVILEGES[value]}")
    return "C" if value == WHOLE_STOCK else str(value)


def _value(name: str, value: int, sign: str, beyond: int) -> Markup:
    """A value; pale if `beyond` is above 0, that is if it is still covered."""
    fill, ink = ("#ffffff", INK)
    if name == "privilege":
        fill, ink = pieces.OFFICES[PRIVILEGES[value]], pieces.LETTERS[PRIVILEGES[value]]
    if beyond > 0:
        fill, ink = "#ddd3ba", "#8d836d"
    here = beyond == 0
    style: dict[str, Attribute] = {
        "fill": pieces.GOLD if here and name != "privilege" else fill,
        "stroke": INK if here else "#a89d84",
        "stroke_width": 2.2 if here else 1,
    }
    letter = text(9, 14, sign, 13, fill=ink, text_anchor="middle", font_weight=700)
    return group(rect(0, 0, BOX - 4, BOX - 3, rx=3, **style), letter)


def _markers(scene: Scene, seat: Seat) -> Iterator[Markup]:
    """Face-up markers, smaller if there are many."""
    view = scene.view
    tiles, x = [], 0.0
    for kind, held in view.players[seat].ready.items():
        name = scene.words(f"short_{kind}") + (f" x{held}" if held > 1 else "")
        width = 6.6 * column_width(name) + 8
        tile = mark_own(view, seat, touch.MARKER.of(kind), _tile(name, width))
        tiles.append(group(tile, at=(x, 0)))
        x += width + 4
    left = 182.0
    yield group(*tiles, at=(left, 131), scale=min(1.0, (WIDTH - left - 4) / max(x, 1)))


def _tile(name: str, width: float) -> Markup:
    return group(
        group(pieces.reach(max(width, ROW), ROW), at=(width / 2, 13)),
        rect(0, 5, width, 16, rx=5, fill=pieces.GOLD, stroke="#7a5a00", stroke_width=1),
        text(width / 2, 17, name, 11.5, fill=INK, font_weight=700, text_anchor="middle"),
    )


def _table(scene: Scene) -> Iterator[Markup]:
    """What is shared: complete cities, the connection, the supply of markers."""
    view, words = scene.view, scene.words
    complete = words("panel_complete", complete=view.complete, limit=view.map.completed_city_limit)
    yield text(0, 16, complete, 14, fill=INK)
    supply = words("panel_markers", count=sum(view.marker_supply.values()) + len(view.bottom))
    yield text(WIDTH, 16, supply, 14, fill=INK, text_anchor="end")
    connected = words("panel_connected")
    yield text(0, 40, connected, 14, fill=INK)
    right = 7.8 * column_width(connected)
    if not view.connected:
        yield text(right, 40, words("nobody"), 14, fill=FAINT)
    for number, seat in enumerate(view.connected):
        sign = pieces.piece(view.colours, f"{seat}t", 16)
        yield group(sign, at=(right + 12 + 24 * number, 35))
