"""What picture and text share: the areas on the board, and sentences about the game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from domain.engine.drawing.panel import name_with_colours, result_sentence
from domain.engine.play import Seat
from domain.engine.sentences import SeatName, Sentence, Words, describe_fields, prompt, sentence
from domain.games.qin.board import MAJOR, Space
from domain.games.qin.events import TilePlaced
from domain.games.qin.sayings import SAYINGS
from domain.games.qin.state.steps import Turn
from domain.games.qin.view import View


@dataclass(frozen=True, slots=True)
class Area:
    """Connected spaces of one colour; `owner` is a digit, `x` for ruined, or `.` for none."""

    owner: str
    spaces: tuple[Space, ...]
    starts: frozenset[Space]

    @property
    def major(self) -> bool:
        """Whether it carries a double pagoda."""
        return len(self.spaces) >= MAJOR

    @property
    def middle(self) -> Space:
        """The space nearest to the centre where a pagoda hides no start space."""
        rows, cols = zip(*self.spaces, strict=True)
        row, col = sum(rows) / len(rows), sum(cols) / len(cols)
        free = [at for at in self.spaces if at not in self.starts] or self.spaces
        return min(free, key=lambda at: ((at[0] - row) ** 2 + (at[1] - col) ** 2, at))


def areas(view: View) -> list[Area]:
    """All areas with an owner and all ruined areas, from the top left."""
    signs = {
        (row, col): cell.upper() + view.owners[row][col]
        for row, line in enumerate(view.cells)
        for col, cell in enumerate(line)
        if cell in "RYBryb" and view.owners[row][col] != "."
    }
    starts = frozenset(at for at in signs if view.cells[at[0]][at[1]] in "RYB")
    found = []
    while signs:
        first = next(iter(signs))
        owner = signs[first][1]
        found.append(Area(owner, tuple(sorted(_spread(signs, first))), starts))
    return found


def _spread(signs: dict[Space, str], start: Space) -> Iterator[Space]:
    """Remove and yield the spaces of the same colour and owner that are connected to this one."""
    sign, edge = signs.pop(start), [start]
    while edge:
        row, col = edge.pop()
        yield row, col
        for near in ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)):
            if signs.get(near) == sign:
                del signs[near]
                edge.append(near)


def summary(view: View, words: Words) -> str:
    """The position in a few sentences."""
    players = words("players", count=len(view.supply))
    parts = [words("summary", board=board_name(view, words), players=players), status(view, words)]
    named = name_with_colours(view.colours, words)
    parts += [
        named.line(sentence("supply_of", seat=SeatName(seat), left=left, allotment=view.allotment))
        for seat, left in enumerate(view.supply)
    ]
    parts += [last_placement(view, words), words("tiles_are_in_pile", count=view.pile)]
    return words("pause").join(part for part in parts if part)


def board_name(view: View, words: Words) -> str:
    """The name of this side of the board."""
    return words(f"board_{view.board}")


def colour(view: View, seat: int) -> Sentence:
    """The colour of a seat."""
    return sentence(f"colour_{view.colours[seat]}")


def status(view: View, words: Words) -> str:
    """Whose turn it is, or who has won."""
    return name_with_colours(view.colours, words).line(_status(view, words.reader(view)))


def _status(view: View, reader: Seat | None) -> Sentence:
    if view.ended is not None:
        return result_sentence(view)
    if not view.awaiting:
        return sentence("nobody")
    return prompt(Turn(view.awaiting), view, SAYINGS, reader)


def last_placement(view: View, words: Words) -> str:
    """Where the last tile was placed; empty if there is none."""
    if view.last is None:
        return ""
    placed = TilePlaced(view.last.seat, view.last.kind, view.last.halves)
    return name_with_colours(view.colours, words)(
        "last_placement", **describe_fields(placed, view, SAYINGS).parts
    )
