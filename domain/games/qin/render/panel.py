"""The side of the picture that says who has what and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine import panel as shared
from domain.engine.panel import FAINT, INK
from domain.engine.svg import Markup, group, text
from domain.games.qin.board import COLOR_NAMES, name_of
from domain.games.qin.render.pieces import back, pagoda, tile
from domain.games.qin.render.words import ENDINGS, board_name, status
from domain.games.qin.view import View

WIDTH = 330
CARD = WIDTH - 30
CARD_HEIGHT = 102
TOP = 124
HALF = 22
"""The side of half a tile in a hand."""


def height(view: View) -> int:
    """How much room it needs."""
    return TOP + len(view.supply) * CARD_HEIGHT + 152


def parts(view: View) -> Iterator[Markup]:
    """From the title down to the legend."""
    yield text(0, 52, "Qin", 30, fill=INK, font_weight=700)
    joining = "" if view.joining_majors == "forbidden" else ", majors may join"
    yield text(56, 52, board_name(view) + joining, 16, fill=FAINT)
    yield text(0, 82, _headline(view), 16, fill=INK, font_weight=700)
    yield text(0, 105, _last(view), 14, fill=FAINT)
    for seat in range(len(view.supply)):
        yield group(*_card(view, seat), at=(0, TOP + seat * CARD_HEIGHT))
    yield group(*_pile(view), at=(0, TOP + len(view.supply) * CARD_HEIGHT + 14))


def _headline(view: View) -> str:
    return status(view) if view.ended is None else f"Game over: {ENDINGS[view.ended]}"


def _last(view: View) -> str:
    """The last placement in a line as short as the panel is narrow."""
    if view.last is None:
        return "No tile has been placed"
    halves = (f"{COLOR_NAMES[h.color]} {name_of(h.row, h.col)}" for h in view.last.halves)
    return f"Last tile, seat {view.last.seat}: {', '.join(halves)}"


def _card(view: View, seat: int) -> Iterator[Markup]:
    """One player: colour, pagodas, hand."""
    yield shared.card(view, seat, CARD, CARD_HEIGHT - 10)
    yield group(pagoda(view.colours[seat], str(seat)), at=(28, 30), scale=1.1)
    yield text(54, 27, f"Seat {seat}, {view.colours[seat]}", 16, fill=INK, font_weight=700)
    note = shared.note(view, seat)
    yield text(CARD - 14, 27, note, 13, fill=INK, font_weight=700, text_anchor="end")
    yield text(54, 46, f"{view.supply[seat]} of {view.allotment} pagodas left", 14, fill=INK)
    yield group(*_hand(view, seat), at=(54, 58))


def _hand(view: View, seat: int) -> Iterator[Markup]:
    hand = view.hands[seat]
    pieces = [tile(kind, HALF) for kind in hand or ()] or [back(HALF)] * view.hand_sizes[seat]
    for number, piece in enumerate(pieces):
        yield group(piece, at=(number * (2 * HALF + 10), 0))


def _pile(view: View) -> Iterator[Markup]:
    """The pile, and which tiles nobody has seen yet."""
    yield group(back(HALF), at=(0, 0))
    yield text(56, 17, f"{view.pile} tiles in the pile", 14, fill=INK)
    yield text(0, 50, "Not seen yet", 14, fill=FAINT)
    for number, (kind, count) in enumerate(view.unseen.items()):
        at = ((number % 3) * 100, 60 + (number // 3) * 32)
        yield group(tile(kind, HALF), text(54, 17, str(count), 14, fill=INK), at=at)
