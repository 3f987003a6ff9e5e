"""The side of the picture that says who has what and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from domain.engine.panel import FAINT, INK, card, count, note, own
from domain.engine.svg import Attribute, Markup, group, rect, text
from domain.engine.touch import Kind
from domain.games.hansa_teutonica import touch
from domain.games.hansa_teutonica.board import ABILITIES, ALL, PIECES, PRIVILEGES, VALUES
from domain.games.hansa_teutonica.render import pieces
from domain.games.hansa_teutonica.render.words import SHORT_NAMES, last_deed, status
from domain.games.hansa_teutonica.view import View

WIDTH = 372
CARD_HEIGHT = 146
BOX = 22
COLUMNS = 2
GAP = 20
"""Between the columns, in pixels of the picture."""


def height(view: View, across: float) -> float:
    """How much room it needs below a map so wide."""
    rows = -(-(len(view.players) + 1) // COLUMNS)
    return rows * CARD_HEIGHT * _scale(across) + GAP


def parts(view: View, across: float) -> Iterator[Markup]:
    """Whose turn it is and what belongs to nobody, then a card for each seat, in two columns."""
    scale = _scale(across)
    seats = [_card(view, seat) for seat in range(len(view.players))]
    for place, blocks in enumerate([_head(view), *seats]):
        row, col = divmod(place, COLUMNS)
        at = (col * (WIDTH * scale + GAP), row * CARD_HEIGHT * scale)
        yield group(*blocks, at=at, scale=scale)


def _scale(across: float) -> float:
    return (across - GAP) / COLUMNS / WIDTH


def _head(view: View) -> Iterator[Markup]:
    """The title, what is to be decided, what was done last, and what belongs to nobody."""
    yield text(0, 30, "Hansa Teutonica", 27, fill=INK, font_weight=700)
    yield text(WIDTH, 30, f"Turn {view.turn}", 16, fill=FAINT, text_anchor="end")
    tasks = wrap(status(view), 48)[:3]
    strong = len(tasks)
    lines = [*tasks, *wrap(last_deed(view), 54)[: 3 - strong]]
    for number, line in enumerate(lines):
        style: dict[str, Attribute] = {"fill": FAINT}
        if number < strong:
            style = {"fill": INK, "font_weight": 700}
        yield text(0, 56 + 19 * number, line, 15 if number < strong else 14, **style)
    yield group(*_table(view), at=(0, 98))


def _card(view: View, seat: int) -> Iterator[Markup]:
    """One player: points, pieces, desk, markers."""
    player, colour = view.players[seat], view.colours[seat]
    yield card(view, seat, WIDTH, CARD_HEIGHT - 8)
    yield group(pieces.trader(colour, str(seat), 22), at=(20, 19))
    notes = f" ({words})" if (words := note(view, seat)) else ""
    yield text(40, 24, f"Seat {seat}, {colour}{notes}", 15, fill=INK, font_weight=700)
    words = f"{player.prestige} prestige, {view.scores[seat]} in all"
    yield text(WIDTH - 12, 24, words, 14, fill=INK, font_weight=700, text_anchor="end")
    yield group(*_pieces(view, seat, touch.SUPPLY, player.supply), at=(12, 48))
    yield group(*_pieces(view, seat, touch.STOCK, player.stock), at=(136, 48))
    used = sum(player.used.values())
    words = f"network {player.network}" + (f", {used} used" if used else "")
    yield text(WIDTH - 12, 53, words, 13, fill=FAINT, text_anchor="end")
    for number, name in enumerate(ABILITIES):
        side, row = number % 2, number // 2
        label = 50 if side else 58
        ability = group(*_ability(name, player.levels[name], label))
        drawn = own(view, seat, touch.ABILITY.of(name), ability)
        yield group(drawn, at=(12 + 170 * side, 66 + 23 * row))
    yield from _markers(view, seat)


def _pieces(view: View, seat: int, place: Kind, counts: tuple[int, int]) -> Iterator[Markup]:
    """How many traders and merchants."""
    yield text(0, 5, place.kind, 13, fill=FAINT)
    shapes = pieces.trader, pieces.merchant
    for number, (piece, shape, held) in enumerate(zip(PIECES, shapes, counts, strict=True)):
        drawn = group(
            shape(view.colours[seat], "", 13),
            text(11, 5, str(held), 14, fill=INK, font_weight=700),
        )
        yield group(own(view, seat, place.of(piece), drawn), at=(52 + 38 * number, 0))


def _ability(name: str, level: int, label: float) -> Iterator[Markup]:
    """A row of the desk: what counts is dark, what is still covered is pale."""
    yield text(0, 15, name, 13, fill=FAINT)
    for number, value in enumerate(VALUES[ABILITIES.index(name)]):
        yield group(_value(name, value, number, level), at=(label + (BOX - 1) * number, 0))


def _value(name: str, value: int, number: int, level: int) -> Markup:
    words = "C" if value == ALL else str(value)
    fill, ink = ("#ffffff", INK)
    if name == "privilege":
        words = PRIVILEGES[value][0].upper()
        fill, ink = pieces.OFFICES[PRIVILEGES[value]], pieces.LETTERS[PRIVILEGES[value]]
    if number > level:
        fill, ink = "#ddd3ba", "#8d836d"
    here = number == level
    style: dict[str, Attribute] = {
        "fill": pieces.GOLD if here and name != "privilege" else fill,
        "stroke": INK if here else "#a89d84",
        "stroke_width": 2.2 if here else 1,
    }
    letter = text(9, 14, words, 13, fill=ink, text_anchor="middle", font_weight=700)
    return group(rect(0, 0, BOX - 4, BOX - 3, rx=3, **style), letter)


def _markers(view: View, seat: int) -> Iterator[Markup]:
    """Markers that lie face up, smaller if they are many."""
    tiles, x = [], 0.0
    for kind, held in view.players[seat].ready.items():
        words = SHORT_NAMES[kind] + (f" x{held}" if held > 1 else "")
        width = 6.6 * len(words) + 8
        tile = own(view, seat, touch.MARKER.of(kind), _tile(words, width))
        tiles.append(group(tile, at=(x, 0)))
        x += width + 4
    left = 182.0
    yield group(*tiles, at=(left, 111), scale=min(1.0, (WIDTH - left - 4) / max(x, 1)))


def _tile(words: str, width: float) -> Markup:
    return group(
        rect(0, 5, width, 16, rx=5, fill=pieces.GOLD, stroke="#7a5a00", stroke_width=1),
        text(width / 2, 17, words, 11.5, fill=INK, font_weight=700, text_anchor="middle"),
    )


def _table(view: View) -> Iterator[Markup]:
    """What belongs to nobody: complete cities, the connection, the supply of markers."""
    limit = view.map.completed_city_limit
    yield text(0, 16, f"{view.complete} of {limit} cities complete", 14, fill=INK)
    supply = count(sum(view.pile.values()) + len(view.bottom), "marker")
    yield text(WIDTH, 16, f"{supply} in the supply", 14, fill=INK, text_anchor="end")
    yield text(0, 40, "connected west and east:", 14, fill=INK)
    if not view.connected:
        yield text(172, 40, "nobody", 14, fill=FAINT)
    for number, seat in enumerate(view.connected):
        yield group(pieces.piece(view.colours, f"{seat}t", 16), at=(184 + 24 * number, 35))
