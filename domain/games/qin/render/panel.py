"""The side of the picture that says who has what and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine import panel as shared
from domain.engine.panel import FAINT, INK
from domain.engine.svg import Markup, group, text
from domain.games.qin.board import COLOR_NAMES, name_of
from domain.games.qin.render.pieces import back, pagoda, tile
from domain.games.qin.render.words import ENGLISH, board_name, status
from domain.games.qin.touch import TILE
from domain.games.qin.view import View

WIDTH = 370
CARD = WIDTH - 30
TOP = 132
HALF = {2: 42, 3: 36, 4: 26}
"""The side of half a tile in a hand, by the number of players: as large as there is room for."""


SMALL = 25
"""The same in the pile."""


def height(view: View) -> int:
    """How much room it needs."""
    return TOP + len(view.supply) * _card_height(view) + 160


def _card_height(view: View) -> int:
    """The height of a card, with the room between two of them."""
    return _half(view) + 84


def _half(view: View) -> int:
    return HALF[len(view.supply)]


def parts(view: View) -> Iterator[Markup]:
    """From the title down to the legend."""
    yield text(0, 52, "Qin", 32, fill=INK, font_weight=700)
    joining = "" if view.joining_majors == "forbidden" else ", majors may join"
    yield text(62, 52, board_name(view) + joining, 18, fill=FAINT)
    yield text(0, 84, _headline(view), 19, fill=INK, font_weight=700)
    yield text(0, 110, _last(view), 17, fill=FAINT)
    for seat in range(len(view.supply)):
        yield group(*_card(view, seat), at=(0, TOP + seat * _card_height(view)))
    yield group(*_pile(view), at=(0, TOP + len(view.supply) * _card_height(view) + 14))


def _headline(view: View) -> str:
    return status(view) if view.ended is None else f"Game over: {ENGLISH[f'end_{view.ended}']}"


def _last(view: View) -> str:
    """The last placement in a line as short as the panel is narrow."""
    if view.last is None:
        return "No tile has been placed"
    halves = (f"{COLOR_NAMES[h.color]} {name_of(h.row, h.col)}" for h in view.last.halves)
    return f"Last tile, seat {view.last.seat}: {', '.join(halves)}"


def _card(view: View, seat: int) -> Iterator[Markup]:
    """One player: colour, pagodas, hand."""
    yield shared.card(view, seat, CARD, _card_height(view) - 10)
    yield group(pagoda(view.colours[seat], str(seat)), at=(29, 34), scale=1.3)
    yield text(58, 27, f"Seat {seat}, {view.colours[seat]}", 19, fill=INK, font_weight=700)
    left = shared.count(view.supply[seat], "pagoda")
    yield text(58, 50, f"{left} left", 17, fill=INK)
    note = shared.note(view, seat)
    yield text(CARD - 14, 50, note, 16, fill=INK, font_weight=700, text_anchor="end")
    yield group(*_hand(view, seat), at=(58, 62))


def _hand(view: View, seat: int) -> Iterator[Markup]:
    """Tiles face up for who may know them, to be touched by their owner; else their backs."""
    hand, half = view.hands[seat], _half(view)
    shown = [shared.own(view, seat, TILE.of(kind), tile(kind, half)) for kind in hand or ()]
    for number, piece in enumerate(shown or [back(half)] * view.hand_sizes[seat]):
        yield group(piece, at=(number * (2 * half + 8), 0))


def _pile(view: View) -> Iterator[Markup]:
    """The pile, and which tiles nobody has seen yet."""
    yield group(back(SMALL), at=(0, 0))
    yield text(62, 19, f"{shared.count(view.pile, 'tile')} in the pile", 17, fill=INK)
    yield text(0, 56, "Not seen yet", 17, fill=FAINT)
    for number, (kind, count) in enumerate(view.unseen.items()):
        at = ((number % 3) * 112, 68 + (number // 3) * 36)
        yield group(tile(kind, SMALL), text(60, 19, str(count), 18, fill=INK), at=at)
