"""The table as lines of text, for terminals and screen readers; 80 columns are enough."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from domain.engine.panel import count
from domain.engine.telling import Words
from domain.games.qin.board import Space, name_of
from domain.games.qin.render.words import board_name, last_placement, seat_name, status
from domain.games.qin.telling import ENGLISH
from domain.games.qin.view import View

COLUMNS = 80
SIGNS = {
    ".": ". grassland",
    "V": "V village",
    "~": "~ water",
    "": "R Y B start spaces   r y b covered spaces",
}
OWNERS = "A digit after it is the seat that owns it; an x marks what is ruined."


def text(view: View, _words: Words = ENGLISH) -> str:
    """The whole table as this seat sees it."""
    lines = [
        f"Qin, {board_name(view)}",
        *wrap(status(view), COLUMNS),
        "",
        *_board(view),
        "",
        "   ".join(words for sign, words in SIGNS.items() if sign in "".join(view.cells)),
        OWNERS,
        *_last(view),
        "",
        *(_player(view, seat) for seat in range(len(view.supply))),
        "",
        *_pile(view),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _board(view: View) -> Iterator[str]:
    """A line of column letters, then a line for each row."""
    columns = "".join(f"  {name_of(0, col)[:-1]}" for col in range(len(view.cells[0])))
    yield f"  {columns}"
    placed = _placed(view)
    for row, line in enumerate(view.cells):
        cells = "".join(_cell(view, (row, col), placed) for col in range(len(line)))
        yield f"{row + 1:2} {cells}"


def _cell(view: View, at: Space, placed: set[Space]) -> str:
    """Three letters: a star for the last tile, what is there, who owns it."""
    row, col = at
    sign, owner = view.cells[row][col], view.owners[row][col]
    return f"{'*' if at in placed else ' '}{sign if sign != '#' else ' '}{owner.strip('.'):1}"


def _placed(view: View) -> set[Space]:
    return {(half.row, half.col) for half in view.last.halves} if view.last else set()


def _last(view: View) -> Iterator[str]:
    if view.last is not None:
        yield "A star stands before the tile placed last."
        yield ""
        yield last_placement(view)


def _player(view: View, seat: int) -> str:
    """Colour, pagodas, hand."""
    left = f"{view.supply[seat]:2} of {view.allotment} pagodas left"
    return f"{seat_name(view, seat).capitalize():16} {left}   {_hand(view, seat)}"


def _hand(view: View, seat: int) -> str:
    hand, size = view.hands[seat], view.hand_sizes[seat]
    whose = " (you)" if seat == view.seat else ""
    if hand is None:
        return f"{count(size, 'hidden tile')}{whose}"
    return f"hand {' '.join(hand) or 'empty'}{whose}"


def _pile(view: View) -> Iterator[str]:
    yield f"Pile: {view.pile}"
    yield "Not seen yet: " + ", ".join(f"{count} {kind}" for kind, count in view.unseen.items())
