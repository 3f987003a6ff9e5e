"""What stands beside the board: whose turn it is, the last placement, the players, the pile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.engine.drawing import panel as shared
from domain.engine.drawing.layout import Panel, plain_panel, seat_panel, seats_from_own
from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.seat_marks import SeatMark
from domain.engine.drawing.svg import Markup, group, text
from domain.engine.drawing.terminal_width import wrap
from domain.engine.sentences import SeatName, Words, seat_number, sentence
from domain.games.qin.board import name_of
from domain.games.qin.render.pieces import PLAYERS, back, pagoda, tile
from domain.games.qin.render.sentences import board_name, colour, status
from domain.games.qin.touch import TILE
from domain.games.qin.view import View

WIDTH = 340
HEAD, LINE = 124, 19
PILE = 160
SMALL = 25
"""The side of half a tile in the pile in pixels."""


class Card(NamedTuple):
    """The sizes in the panel of a seat, in pixels."""

    height: float
    text: float
    pagoda: float  # as a multiple of one on the board
    half: float  # the side of half a tile in the hand
    hand: float  # from the left edge to the hand


OWN = Card(height=118, text=18, pagoda=1.1, half=46, hand=14)
OTHER = Card(height=86, text=16, pagoda=1, half=23, hand=58)


def panels(view: View, words: Words) -> Iterator[Panel]:
    """The turn, the players, and the pile."""
    yield plain_panel(words, "head", (WIDTH, HEAD), _head(view, words))
    for seat in seats_from_own(view, len(view.supply)):
        card = OWN if seat == view.seat else OTHER
        parts = _card(view, seat, card, words)
        yield seat_panel(view, words, seat, (WIDTH, card.height), parts)
    yield plain_panel(words, "table", (WIDTH, PILE), _pile(view, words))


def _head(view: View, words: Words) -> Iterator[Markup]:
    """The title, the board, whose turn it is, and the last placement."""
    board = board_name(view, words)
    if view.joining_majors != "forbidden":
        board = words("board_with_option", board=board)
    yield text(0, 32, words("title"), 32, fill=INK, font_weight=700)
    yield text(74, 32, board, 18, fill=FAINT)
    lines = wrap(_headline(view, words), 40)[:3]
    for number, line in enumerate(lines):
        yield text(0, 58 + LINE * number, line, 16, fill=INK, font_weight=700)
    yield text(0, 60 + LINE * max(2, len(lines)), _last(view, words), 15, fill=FAINT)


def _headline(view: View, words: Words) -> str:
    if view.ended is None:
        return status(view, words)
    return words("over_heading", reason=sentence(f"end_{view.ended}"))


def _last(view: View, words: Words) -> str:
    """The last placement in one line that fits the panel."""
    if view.last is None:
        return words("no_last")
    one, other = (
        sentence("half_short", color=sentence(f"color_{h.color}"), at=name_of(h.row, h.col))
        for h in view.last.halves
    )
    return words("last_tile", seat=SeatName(view.last.seat), one=one, other=other)


def _card(view: View, seat: int, card: Card, words: Words) -> Iterator[Markup]:
    """The card of a player: colour, pagodas, hand."""
    yield shared.seat_card(view, seat, WIDTH, card.height)
    yield group(pagoda(view.colours[seat], str(seat_number(seat))), at=(28, 31), scale=card.pagoda)
    name = words("seat_heading", seat=words.heading(seat), colour=colour(view, seat))
    yield text(58, 24, name, 17, fill=INK, font_weight=700)
    below = 26 + 1.15 * card.text
    left = words("pagodas_left", count=view.supply[seat])
    yield text(58, below, left, card.text, fill=INK)
    note = shared.seat_note(view, seat, words=words)
    yield text(WIDTH - 14, below, note, 15, fill=INK, font_weight=700, text_anchor="end")
    yield group(*_hand(view, words, seat, card.half), at=(card.hand, card.height - card.half - 9))


def _hand(view: View, words: Words, seat: int, half: float) -> Iterator[Markup]:
    """The tiles of a hand: face up if the viewer may see them, with touches for their owner."""
    hand = view.hands[seat]
    tiles = {kind: tile(words, kind, half) for kind in hand or ()}
    shown = [shared.mark_own(view, seat, TILE.of(kind), tiles[kind]) for kind in hand or ()]
    for number, piece in enumerate(shown or [back(half)] * view.hand_sizes[seat]):
        yield group(piece, at=(number * (2 * half + 8), 0))


def _pile(view: View, words: Words) -> Iterator[Markup]:
    """The pile, and the tiles that no player has seen yet."""
    yield group(back(SMALL), at=(0, 0))
    yield text(62, 19, words("tiles_in_pile", count=view.pile), 17, fill=INK)
    yield text(0, 56, words("unseen"), 17, fill=FAINT)
    for number, (kind, count) in enumerate(view.unseen.items()):
        at = ((number % 3) * 112, 68 + (number // 3) * 36)
        yield group(tile(words, kind, SMALL), text(60, 19, str(count), 18, fill=INK), at=at)


def seat_mark(view: View, seat: int) -> SeatMark:
    """The pagoda of a seat."""
    colour = view.colours[seat]
    sign = group(pagoda(colour, str(seat_number(seat))), at=(-1, 2), scale=0.88)
    return SeatMark(PLAYERS[colour], sign)
