"""The side panel of the picture: players, pile, last placement, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing import panel as shared
from domain.engine.drawing.layout import Panel, plain_panel, seat_panel, seats_from_own
from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Markup, group, text
from domain.engine.sentences import SeatName, Words, sentence
from domain.games.qin.board import name_of
from domain.games.qin.render.pieces import back, pagoda, tile
from domain.games.qin.render.sentences import board_name, colour, status
from domain.games.qin.touch import TILE
from domain.games.qin.view import View

WIDTH = 340
HEAD = 96
PILE = 160
HALF = {2: 42, 3: 36, 4: 26}
"""The side of half a tile in a hand in pixels, by the number of players."""


SMALL = 25
"""The side of half a tile in the pile in pixels."""


def panels(view: View, words: Words) -> Iterator[Panel]:
    """The turn, the players, and the pile."""
    yield plain_panel(words, "head", (WIDTH, HEAD), _head(view, words))
    for seat in seats_from_own(view, len(view.supply)):
        size = (WIDTH, _card_height(view))
        yield seat_panel(view, words, seat, size, _card(view, seat, words))
    yield plain_panel(words, "table", (WIDTH, PILE), _pile(view, words))


def _card_height(view: View) -> int:
    """The height of a player's card."""
    return _half(view) + 74


def _half(view: View) -> int:
    return HALF[len(view.supply)]


def _head(view: View, words: Words) -> Iterator[Markup]:
    """The title, the board, whose turn it is, and the last placement."""
    board = board_name(view, words)
    if view.joining_majors != "forbidden":
        board = words("board_with_option", board=board)
    yield text(0, 32, words("title"), 32, fill=INK, font_weight=700)
    yield text(74, 32, board, 18, fill=FAINT)
    yield text(0, 64, _headline(view, words), 19, fill=INK, font_weight=700)
    yield text(0, 89, _last(view, words), 15, fill=FAINT)


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


def _card(view: View, seat: int, words: Words) -> Iterator[Markup]:
    """The card of a player: colour, pagodas, hand."""
    yield shared.seat_card(view, seat, WIDTH, _card_height(view))
    yield group(pagoda(view.colours[seat], str(seat)), at=(29, 34), scale=1.3)
    name = words("seat_heading", seat=words.heading(seat), colour=colour(view, seat))
    yield text(58, 27, name, 19, fill=INK, font_weight=700)
    yield text(58, 50, words("pagodas_left", count=view.supply[seat]), 17, fill=INK)
    note = shared.seat_note(view, seat, words=words)
    yield text(WIDTH - 14, 50, note, 16, fill=INK, font_weight=700, text_anchor="end")
    yield group(*_hand(view, seat), at=(58, 62))


def _hand(view: View, seat: int) -> Iterator[Markup]:
    """The tiles of a hand: face up if the viewer may see them, with touches for their owner."""
    hand, half = view.hands[seat], _half(view)
    shown = [shared.mark_own(view, seat, TILE.of(kind), tile(kind, half)) for kind in hand or ()]
    for number, piece in enumerate(shown or [back(half)] * view.hand_sizes[seat]):
        yield group(piece, at=(number * (2 * half + 8), 0))


def _pile(view: View, words: Words) -> Iterator[Markup]:
    """The pile, and the tiles that no player has seen yet."""
    yield group(back(SMALL), at=(0, 0))
    yield text(62, 19, words("tiles_in_pile", count=view.pile), 17, fill=INK)
    yield text(0, 56, words("unseen"), 17, fill=FAINT)
    for number, (kind, count) in enumerate(view.unseen.items()):
        at = ((number % 3) * 112, 68 + (number // 3) * 36)
        yield group(tile(kind, SMALL), text(60, 19, str(count), 18, fill=INK), at=at)
