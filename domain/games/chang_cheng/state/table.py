"""What lies on the table, and what follows from it at a glance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from domain.engine.constraints import Unique
from domain.engine.play import Seat
from domain.games.chang_cheng import board
from domain.games.chang_cheng.state.setup import Setup

EndReason = Literal["wall_complete"]
Category = Literal["regions", "double", "invasion", "diplomat", "hegemon", "imperial_reward"]
CATEGORIES: tuple[Category, ...] = (
    "regions",
    "double",
    "invasion",
    "diplomat",
    "hegemon",
    "imperial_reward",
)

EMPTY = 0
NEUTRAL = 5  # after the colours of four seats
RUINED = 10
"""A cell is EMPTY, the colour of its wall (seat + 1 or NEUTRAL), or that + RUINED."""
SINGLE, DOUBLE, TOWER = 1, 2, 3
Kind = Literal["single", "double", "tower"]
KINDS: tuple[Kind, ...] = ("single", "double", "tower")
"""Pieces by name, from SINGLE."""
NO_TILE = 255
"""No prestige tile lies in this region yet: tiles have values from 0."""
OPEN = 255
"""All seats know this threat tile; other values are the bits of the seats that do."""
FULL_HAND = sum(1 << number for number in board.CARDS)


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A card that lies face down in a region, or waits there face up."""

    seat: Seat
    number: board.CardNumber
    region: board.ChineseRegion


class Tally(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A scoring that is going on: cards that wait, and what cards have changed so far: CC-6.3."""

    region: board.ChineseRegion
    waiting: tuple[Card, ...]
    change: int
    extra: tuple[int, ...]


class Last(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What the last turn touched."""

    turn: int
    seat: Seat
    cells: Unique[board.Cell] = ()
    regions: Unique[board.ChineseRegion] = ()


class Paid(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The points that a region paid when it scored, and the seats: CC-6.4, CC-6.5."""

    region: board.ChineseRegion
    value: int
    seats: Unique[Seat]  # that got the value; empty if no seat had most walls


@dataclass(slots=True)
class State:
    """The table. A colour is seat + 1, or NEUTRAL."""

    setup: Setup
    map: board.Map
    wall: board.Wall
    agenda: list[Any]
    cells: bytearray  # by cell: EMPTY, a colour, or a ruin
    kinds: bytearray  # by cell: SINGLE, DOUBLE or TOWER
    empty: int  # the cells in play where nothing was built, as a row
    tall: int  # those with a tower, as a row
    singles: bytearray  # by colour: how many are in the supply
    doubles: bytearray  # by colour
    towers: bytearray  # by colour
    hands: bytearray  # by seat: a bit for each card
    laid: tuple[Card, ...]
    reserved: list[tuple[int, ...]]  # by seat: the cells beside the tower
    prestige: bytearray  # by Chinese region; NO_TILE before one is dealt
    threats: bytearray  # by Mongol region, also if removed; 0 if not in play
    removed: bytearray  # by Mongol region: 1 if the tile has left the game
    known: bytearray  # by Mongol region: a bit for each seat that has seen the tile, or OPEN
    scored: bytearray  # by Chinese region: 1 if it has scored
    emperors: tuple[str, ...]
    extensions: int
    events: tuple[board.EventCard, ...]
    points: list[int]  # by seat, in each of the CATEGORIES
    paid: tuple[Paid, ...] = ()  # in the order of scoring
    tally: Tally | None = None
    first: Seat = 0
    turn: int = 0
    last: Last | None = None
    ended: EndReason | None = None
    winners: tuple[Seat, ...] = ()

    def copy(self) -> State:
        """The same table again, sharing nothing that can change."""
        return State(
            self.setup,
            self.map,
            self.wall,
            self.agenda[:],
            self.cells[:],
            self.kinds[:],
            self.empty,
            self.tall,
            self.singles[:],
            self.doubles[:],
            self.towers[:],
            self.hands[:],
            self.laid,
            self.reserved[:],
            self.prestige[:],
            self.threats[:],
            self.removed[:],
            self.known[:],
            self.scored[:],
            self.emperors,
            self.extensions,
            self.events,
            self.points[:],
            self.paid,
            self.tally,
            self.first,
            self.turn,
            self.last,
            self.ended,
            self.winners,
        )

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.hands)

    def lay(self, row: board.Row) -> None:
        """Have these boards in play, with what stands on them: CC-2.1, CC-8.2."""
        self.wall = board.wall_of(self.map.layouts, row)
        alone = self.wall.alone
        self.empty = sum(alone[cell] for cell in self.wall.cells if not self.cells[cell])
        self.tall = sum(alone[cell] for cell in self.wall.cells if self.kinds[cell] == TOWER)

    def build(self, cell: int, content: int, kind: int) -> None:
        """Have a piece of this kind on an empty cell."""
        self.cells[cell] = content
        self.kinds[cell] = kind
        self.empty &= ~self.wall.alone[cell]
        if kind == TOWER:
            self.tall |= self.wall.alone[cell]

    def full(self, region: int) -> bool:
        """No cell of this Chinese region in play is empty: CC-6.1."""
        return not self.empty & self.wall.regions[region]

    def incomplete(self) -> list[int]:
        """The Chinese regions in play with an empty cell."""
        return [region for region in self.wall.china if not self.full(region)]

    def complete(self) -> bool:
        """No cell in play is empty: CC-10.1."""
        return not self.empty

    def counts(self, cells: tuple[int, int]) -> list[int]:
        """Standing cells by colour in these cells: CC-6.5, CC-10.2."""
        count = self.cells.count
        return [count(colour, *cells) for colour in range(NEUTRAL + 1)]

    def is_single(self, cell: int) -> bool:
        """Whether a cell has a standing single; cards can destroy and swap it: CC-7.4, CC-7.7."""
        return self.kinds[cell] == SINGLE and self.cells[cell] < RUINED

    def beside(self, cell: int) -> Iterator[int]:
        """The cells next to this one, left first: CC-1.2."""
        for other in (self.wall.left[cell], self.wall.right[cell]):
            if other < len(self.cells):
                yield other

    def cards_in(self, region: str) -> tuple[Card, ...]:
        """The cards that lie in a region."""
        return tuple(card for card in self.laid if card.region == region)

    def score(self, seat: Seat) -> int:
        """All points of a seat."""
        width = len(CATEGORIES)
        return sum(self.points[seat * width : (seat + 1) * width])

    def knows(self, seat: Seat | None, region: int) -> bool:
        """Whether a seat, or a spectator, knows this threat tile: CC-9.2."""
        known = self.known[region]
        return known == OPEN or (seat is not None and bool(known >> seat & 1))


def blank(setup: Setup, seats: int) -> State:
    """The table before the boards are laid: CC-1.3, CC-2.3."""
    regions = len(setup.layouts) * board.REGIONS
    cells = sum(sum(layout.china) for layout in setup.layouts)
    own = [1] * seats + [0] * (NEUTRAL - seats)
    return State(
        setup=setup,
        map=board.map_of(setup.layouts),
        wall=board.wall_of(setup.layouts, ()),
        agenda=[],
        cells=bytearray(cells),
        kinds=bytearray(cells),
        empty=0,
        tall=0,
        singles=bytearray([0, *(board.SINGLES * one for one in own[:-1]), setup.neutral]),
        doubles=bytearray([0, *own]),
        towers=bytearray([0, *own]),
        hands=bytearray([FULL_HAND] * seats),
        laid=(),
        reserved=[()] * seats,
        prestige=bytearray([NO_TILE]) * regions,
        threats=bytearray(regions),
        removed=bytearray(regions),
        known=bytearray(regions),
        scored=bytearray(regions),
        emperors=(),
        extensions=setup.extensions,
        events=setup.events,
        points=[0] * seats * len(CATEGORIES),
    )


def cards_of(hand: int) -> tuple[int, ...]:
    """The numbers of the cards in a hand."""
    return tuple(number for number in board.CARDS if hand >> number & 1)


def reserve(state: State) -> board.Row:
    """The boards that are not in play: CC-2.1."""
    return tuple(b for b in range(len(state.setup.layouts)) if b not in state.wall.row)


def prestige_left(state: State) -> list[int]:
    """How many prestige tiles of each value are in the pile: CC-2.2."""
    return [count - state.prestige.count(value) for value, count in enumerate(board.PRESTIGE)]


def threats_left(state: State) -> list[int]:
    """How many threat tiles of each loss from 0 are in the pile: CC-2.2."""
    return [
        board.THREATS[value] - state.threats.count(value) if value in board.THREATS else 0
        for value in range(max(board.THREATS) + 1)
    ]


def threats_unseen(state: State, seat: Seat | None) -> dict[int, int]:
    """By loss, how many threat tiles a seat, or a spectator, has not seen: CC-9.2, CC-9.3."""
    seen = [state.threats[region] for region in state.wall.china if state.knows(seat, region)]
    return {loss: count - seen.count(loss) for loss, count in board.THREATS.items()}


def emperors_left(state: State) -> int:
    """How many emperor cards are in the supply: CC-8.1."""
    return board.EMPERORS - len(state.emperors)


def emperors_due(state: State) -> int:
    """The number of emperor cards that scored regions call for: CC-8.1, CC-8.2, CC-8.4.

    Negative if the wall is longer than that.
    """
    added = len(state.wall.row) - board.AT_START
    return min(board.EMPERORS, len(find_scored_regions(state)) - board.EMPERORS * added)


def find_scored_regions(state: State) -> tuple[str, ...]:
    """The Chinese regions whose scoring is over, from left to right: CC-6.3."""
    now = state.tally.region if state.tally else None
    names = [board.CHINA[region] for region in state.wall.china if state.scored[region]]
    return tuple(name for name in names if name != now)


def region_name(state: State, cell: int) -> str:
    """The Chinese region of a cell."""
    return board.CHINA[state.map.china_of[cell]]


def region_with(state: State, name: str) -> str:
    """The Chinese region that has the cell of this name."""
    return region_name(state, board.CELL_NUMBER[name])
