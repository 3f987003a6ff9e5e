"""The state of the table and behind the screens, and the agenda."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from domain.engine.constraints import Unique
from domain.engine.play import Seat, clockwise
from domain.games.tigris_euphrates import board as box
from domain.games.tigris_euphrates.state.kingdoms import Kingdom, join, split
from domain.games.tigris_euphrates.state.setup import Setup

EndReason = Literal["treasures", "bag"]
SOURCES = ("tiles", "king", "revolts", "wars", "monuments")
"""The sources of points: tiles by their own leader, by the king instead, and so on."""
DEEDS = tuple(
    f"{kind}_{end}_as_{side}"
    for kind in ("wars", "revolts")
    for end in ("won", "lost")
    for side in ("attacker", "defender")
)
"""The counters of conflicts."""
COUNTERS = (*SOURCES, *DEEDS)


class LastAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last action of the active player, with its cells."""

    seat: Seat
    deed: Literal["leader", "withdraw", "tile", "catastrophe", "swap", "pass", "monument"]
    color: box.Color | None = None
    cells: Unique[box.Cell] = ()


class LastConflict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the last conflict ended."""

    kind: Literal["revolt", "war"]
    color: box.Color
    winner: Seat
    loser: Seat
    attacker: Seat
    attacker_total: int
    defender_total: int
    points: int
    removed: Unique[box.Cell] = ()


class UnitedKingdoms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cell of the unification tile, and the two kingdoms before it: TE-11.1."""

    at: box.Cell
    sides: tuple[tuple[box.Cell, ...], tuple[box.Cell, ...]]


@dataclass(slots=True)
class State:
    """The table. A leader is numbered 4 * seat + colour."""

    setup: Setup
    board: box.Board
    agenda: list[Any]
    cells: bytearray  # by cell: its content
    leaders: bytearray  # by leader: its cell, or OFF
    treasures: box.CellSet  # cells with a treasure
    monuments: bytearray  # by monument: its top left cell, or OFF
    hands: list[list[int]]  # by seat: how many of each colour
    bag: list[int]  # the number of tiles of each colour
    gone: list[int]  # by colour: tiles out of the game or face down, seen by all
    discarded: list[list[int]]  # by seat: tiles discarded unseen, by colour
    points: list[list[int]]  # by seat: how many of each colour
    treasures_taken: list[int]  # by seat: treasures
    catastrophes_left: list[int]  # by seat: catastrophe tiles left
    committed: list[int]  # by seat: tiles committed to the current conflict
    counted: list[list[int]]  # by seat: as COUNTED says
    united: UnitedKingdoms | None = None
    first: Seat = 0
    short: bool = False  # the bag ran out in this turn
    last: LastAction | None = None
    conflict: LastConflict | None = None
    ended: EndReason | None = None
    winners: tuple[Seat, ...] = ()
    occupied: box.CellSet = 0  # cells that connect others: neither empty nor lost
    kingdoms: tuple[Kingdom, ...] = ()  # by their first leaders; kept by `put` and `post`

    def copy(self) -> State:
        """A copy that shares nothing mutable except lookup tables."""
        return State(
            self.setup,
            self.board,
            self.agenda[:],
            self.cells[:],
            self.leaders[:],
            self.treasures,
            self.monuments[:],
            [hand[:] for hand in self.hands],
            self.bag[:],
            self.gone[:],
            [tiles[:] for tiles in self.discarded],
            [points[:] for points in self.points],
            self.treasures_taken[:],
            self.catastrophes_left[:],
            self.committed[:],
            [counts[:] for counts in self.counted],
            self.united,
            self.first,
            self.short,
            self.last,
            self.conflict,
            self.ended,
            self.winners,
            self.occupied,
            self.kingdoms,
        )

    def put(self, cell: int, what: int) -> None:
        """Set the content of a cell: TE-1.7."""
        self.cells[cell] = what
        bit, hangs_together = self.board.bits[cell], what not in (box.EMPTY, box.CATASTROPHE)
        if hangs_together != (self.occupied & bit != 0):
            self.occupied ^= bit
            if hangs_together:
                self._join(cell, what - box.LEADER if what >= box.LEADER else None)
            else:
                self._part(cell)

    def _join(self, cell: int, leader: int | None) -> None:
        """Join the kingdoms that a piece, which may be a leader, touches: TE-4.1."""
        near = self.board.reach[cell]
        touched = [kingdom for kingdom in self.kingdoms if kingdom.cells & near]
        if touched or leader is not None:
            others = [kingdom for kingdom in self.kingdoms if not kingdom.cells & near]
            others.append(join(self.board, self.occupied, touched, cell, leader))
            others.sort()
            self.kingdoms = tuple(others)

    def _part(self, cell: int) -> None:
        """Split the kingdom that was connected through this cell: TE-1.8."""
        if (kingdom := self.kingdom_at(cell)) is not None:
            self.kingdoms = self._without(kingdom, cell)

    def post(self, leader: int, cell: int) -> None:
        """Move a leader to this cell, or OFF the board."""
        origin, self.leaders[leader] = self.leaders[leader], box.OFF
        if origin != box.OFF:
            self.put(origin, box.EMPTY)
        if cell != box.OFF:
            self.leaders[leader] = cell
            self.put(cell, box.LEADER + leader)

    def face_up(self) -> dict[box.Cell, box.Color]:
        """The face-up tiles by cell."""
        return {
            name: box.COLORS[what - 1]
            for name, what in zip(self.board.names, self.cells, strict=True)
            if box.EMPTY < what < box.FACE_DOWN
        }

    def cells_with(self, what: int) -> tuple[box.Cell, ...]:
        """The cells with this content."""
        there = zip(self.board.names, self.cells, strict=True)
        return tuple(name for name, other in there if other == what)

    def home(self, seat: Seat, color: box.Color) -> int:
        """The cell of a leader, or OFF."""
        return self.leaders[box.leader_of(seat, color)]

    def kingdom_at(self, cell: int) -> Kingdom | None:
        """The kingdom of a cell, or None."""
        bit = self.board.bits[cell]
        for kingdom in self.kingdoms:
            if kingdom.cells & bit:
                return kingdom
        return None

    def without(self, home: int) -> tuple[Kingdom, ...]:
        """The kingdoms without the leader on a cell, if there is one: TE-4.3."""
        kingdom = None if home == box.OFF else self.kingdom_at(home)
        return self._without(kingdom, home) if kingdom else self.kingdoms

    def _without(self, kingdom: Kingdom, cell: int) -> tuple[Kingdom, ...]:
        """The kingdoms without a cell of one of them."""
        homes = [(leader, self.leaders[leader]) for leader in kingdom.leaders]
        homes = [(leader, home) for leader, home in homes if home not in (cell, box.OFF)]
        found = [other for other in self.kingdoms if other is not kingdom]
        found += split(self.board, kingdom, cell, homes)
        found.sort()
        return tuple(found)

    def kingdoms_beside(self, cell: int, lifted: int = box.OFF) -> list[Kingdom]:
        """The kingdoms that a piece on this cell touches, each once: TE-4.1, TE-4.2, TE-4.3."""
        bit = self.board.bits[cell]
        return [kingdom for kingdom in self.without(lifted) if kingdom.around & bit]

    def temples_beside(self, cell: int) -> int:
        """The number of face-up temples adjacent to a cell: TE-5.3."""
        cells = self.cells
        return [cells[near] for near in self.board.neighbours[cell]].count(box.TEMPLE)

    def turn_order(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats from this one on, clockwise: TE-1.10."""
        return clockwise(seat, len(self.hands))


def blank(setup: Setup, seats: int) -> State:
    """Temples and treasures on the board, all other tiles in the bag: TE-2.1, TE-2.2, TE-2.5."""
    state = bare(setup, seats)
    for cell in state.board.temples:
        state.put(cell, box.TEMPLE)
        state.treasures |= state.board.bits[cell]
        state.bag[box.RED] -= 1
    return state


def bare(setup: Setup, seats: int) -> State:
    """An empty board."""
    board = box.board_of(setup.rows)
    size = len(board.names)
    return State(
        setup=setup,
        board=board,
        agenda=[],
        cells=bytearray(size),
        leaders=bytearray([box.OFF] * seats * len(box.COLORS)),
        treasures=0,
        monuments=bytearray([box.OFF] * len(box.MONUMENTS)),
        hands=_none_of_each(seats),
        bag=list(box.TILES),
        gone=[0] * len(box.COLORS),
        discarded=_none_of_each(seats),
        points=_none_of_each(seats),
        treasures_taken=[0] * seats,
        catastrophes_left=[box.CATASTROPHES] * seats,
        committed=[0] * seats,
        counted=[[0] * len(COUNTERS) for _ in range(seats)],
    )


def tiles_of(counts: list[int]) -> tuple[box.Color, ...]:
    """Tiles one by one, colour by colour."""
    return tuple(
        color for color, count in zip(box.COLORS, counts, strict=True) for _ in range(count)
    )


def _none_of_each(seats: int) -> list[list[int]]:
    return [[0] * len(box.COLORS) for _ in range(seats)]
