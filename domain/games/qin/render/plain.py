"""The table as text for terminals and screen readers, at most 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.terminal_width import column_width, pad, wrap
from domain.engine.sentences import Words, seat_number
from domain.games.qin.board import Space, name_of
from domain.games.qin.render.pieces import letters
from domain.games.qin.render.sentences import board_name, colour, last_placement, status
from domain.games.qin.view import View

SIGNS = {".": "plain_grassland", "V": "plain_village", "~": "plain_water", "": "plain_colors"}
"""The explanation of each sign, shown if the sign is on the board."""


def text(view: View, words: Words) -> str:
    """The whole table as the seat of this view sees it."""
    signs = [words(key) for sign, key in SIGNS.items() if sign in "".join(view.cells)]
    lines = [
        words("plain_heading", title=words("title"), board=board_name(view, words)),
        *wrap(status(view, words)),
        "",
        *_board(view),
        "",
        "   ".join(signs),
        words("plain_owners"),
        *_last(view, words),
        "",
        *_players(view, words),
        "",
        *_pile(view, words),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _board(view: View) -> Iterator[str]:
    """A line of column letters, then one line per row."""
    columns = "".join(f"  {name_of(0, col)[:-1]}" for col in range(len(view.cells[0])))
    yield f"  {columns}"
    placed = _last_spaces(view)
    for row, line in enumerate(view.cells):
        cells = "".join(_cell(view, (row, col), placed) for col in range(len(line)))
        yield f"{row + 1:2} {cells}"


def _cell(view: View, at: Space, placed: set[Space]) -> str:
    """Three characters: a star for the last tile, what is on the cell, its owner."""
    row, col = at
    sign, owner = view.cells[row][col], view.owners[row][col]
    name = seat_number(int(owner)) if owner.isdigit() else owner.strip(".")
    return f"{'*' if at in placed else ' '}{sign if sign != '#' else ' '}{name:1}"


def _last_spaces(view: View) -> set[Space]:
    return {(half.row, half.col) for half in view.last.halves} if view.last else set()


def _last(view: View, words: Words) -> Iterator[str]:
    if view.last is not None:
        yield words("plain_last")
        yield ""
        yield from wrap(last_placement(view, words))


def _players(view: View, words: Words) -> Iterator[str]:
    """Colour, pagodas and hand of each player."""
    names = [
        words("seat", seat=words.heading(seat), colour=colour(view, seat))
        for seat in range(len(view.supply))
    ]
    across = max(map(column_width, names)) + 2
    for seat, name in enumerate(names):
        left = words("supply", left=f"{view.supply[seat]:2}", allotment=view.allotment)
        yield f"{pad(name, across)} {left}   {_hand(view, seat, words)}"


def _hand(view: View, seat: int, words: Words) -> str:
    tiles, size = view.hands[seat], view.hand_sizes[seat]
    if tiles is None:
        hand = words("hidden_tiles", count=size)
    else:
        said = " ".join(letters(words, kind) for kind in tiles)
        hand = words("hand", tiles=said) if tiles else words("hand_none")
    return words("yours", what=hand) if seat == view.seat else hand


def _pile(view: View, words: Words) -> Iterator[str]:
    yield words("plain_pile", count=view.pile)
    kinds = (f"{count} {letters(words, kind)}" for kind, count in view.unseen.items())
    yield words("plain_unseen", kinds=words("list_more").join(kinds))
