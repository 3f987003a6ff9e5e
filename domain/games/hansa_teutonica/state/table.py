"""The state of the table, and the agenda."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from domain.engine.constraints import Unique
from domain.engine.play import Seat
from domain.games.hansa_teutonica import board as box
from domain.games.hansa_teutonica.state.setup import Setup

EndReason = Literal["prestige", "cities", "markers", "pieces"]
Deed = Literal[
    "income",
    "place",
    "displace",
    "relocate",
    "move",
    "establish",
    "office",
    "extra_office",
    "ability",
    "special",
    "marker",
    "swap",
    "remove",
    "pawn",
    "refill",
    "deploy",
    "green_office",
]
FREE = 0
KINDS = len(box.MARKERS)
ROWS = len(box.ABILITIES)


class LastDeed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last deed, for players who look at the board."""

    seat: Seat
    deed: Deed
    route: box.RouteName | None = None
    posts: Unique[box.PostNumber] = ()
    city: box.CityName | None = None


def code_of(seat: Seat, piece: int) -> int:
    """The code of a piece on a post or an office; never 0, which means free."""
    return 1 + 2 * seat + piece


def owner_of(code: int) -> Seat:
    """The owner of a piece."""
    return (code - 1) >> 1


def piece_of(code: int) -> int:
    """0 for a trader, 1 for a merchant."""
    return (code - 1) & 1


@dataclass(slots=True)
class State:
    """The table. Pieces are small numbers (`code_of`), which also index supply and stock."""

    setup: Setup
    board: box.Board
    agenda: list[Any]
    seats: int
    posts: bytearray  # by post: a piece or FREE
    offices: bytearray  # by printed office: a piece or FREE
    extras: list[bytes]  # by city: pieces on extra offices from left to right
    special: bytearray  # by space of special prestige: a piece or FREE
    supply: bytearray  # by piece: how many
    stock: bytearray  # by piece: how many
    levels: bytearray  # by seat and ability: improvements
    prestige: list[int]
    markers: bytearray  # by route: 1 + the number of a marker, or 0
    ready: bytearray  # by seat and kind of marker: face up
    used: bytearray  # by seat and kind of marker: face down
    fresh: bytearray  # by kind: markers that the active player took in this turn
    pile: bytearray  # by kind: in the marker supply
    bottom: bytes = b""  # returned markers at the bottom of the supply, topmost first
    complete: int = 0
    connected: tuple[Seat, ...] = ()
    active: Seat = 0
    turn: int = 0
    actions: int = 0
    acted: bool = False
    pawn: str | None = None
    pawn_moved: bool = False
    closed: bool = False
    """The pawn moved freely after an action, so that the turn can only end: HT-11.6."""
    passes: tuple[str, ...] = ()  # cities whose permission was used in this turn: HT-14.12
    last: LastDeed | None = None
    ended: EndReason | None = None
    winners: tuple[Seat, ...] = ()

    def copy(self) -> State:
        """A copy of the table that shares nothing mutable."""
        return State(
            self.setup,
            self.board,
            self.agenda[:],
            self.seats,
            self.posts[:],
            self.offices[:],
            self.extras[:],
            self.special[:],
            self.supply[:],
            self.stock[:],
            self.levels[:],
            self.prestige[:],
            self.markers[:],
            self.ready[:],
            self.used[:],
            self.fresh[:],
            self.pile[:],
            self.bottom,
            self.complete,
            self.connected,
            self.active,
            self.turn,
            self.actions,
            self.acted,
            self.pawn,
            self.pawn_moved,
            self.closed,
            self.passes,
            self.last,
            self.ended,
            self.winners,
        )

    def level(self, seat: Seat, ability: int) -> int:
        """How many times a seat has improved an ability: HT-1.5."""
        return self.levels[seat * ROWS + ability]

    def value(self, seat: Seat, ability: int) -> int:
        """The rightmost uncovered value of an ability: HT-1.5."""
        return box.VALUES[ability][self.levels[seat * ROWS + ability]]

    def in_supply(self, seat: Seat) -> tuple[int, int]:
        """The traders and merchants that can be placed: HT-1.6."""
        code = code_of(seat, 0)
        return self.supply[code], self.supply[code + 1]

    def in_stock(self, seat: Seat) -> tuple[int, int]:
        """The traders and merchants that must come to the supply first: HT-1.6."""
        code = code_of(seat, 0)
        return self.stock[code], self.stock[code + 1]

    def markers_of(self, counts: bytearray, seat: Seat) -> bytearray:
        """By kind, the number of markers of a seat, face up or face down."""
        return counts[seat * KINDS : (seat + 1) * KINDS]

    def count_markers(self, number: int) -> int:
        """How many of a kind are in the supply, on routes and with players: HT-1.7."""
        there = self.pile[number] + self.bottom.count(number) + self.markers.count(number + 1)
        return there + sum(self.ready[number::KINDS]) + sum(self.used[number::KINDS])

    def count_pieces(self, seat: Seat, piece: int) -> int:
        """How many traders or merchants a seat has, those on its desk included: HT-1.6."""
        desk = sum(
            box.COMPLETE[number] - self.level(seat, number)
            for number, covered in enumerate(box.COVERED_BY)
            if covered == piece
        )
        code = code_of(seat, piece)
        places = (self.posts, self.offices, self.special, *self.extras)
        placed = sum(place.count(code) for place in places)
        return desk + self.supply[code] + self.stock[code] + placed

    def drawable(self) -> int:
        """The number of markers in the supply."""
        return sum(self.pile) + len(self.bottom)

    def free_office(self, city: int) -> int:
        """The leftmost free printed office of a city, or -1."""
        offices = self.board.offices[city]
        return self.offices.find(FREE, offices.start, offices.stop)


def blank(setup: Setup, seats: int) -> State:
    """An empty table: all supplies are empty, all markers are in the pile: HT-2.4, HT-2.6."""
    board = box.board_of(setup.map, setup.provinces)
    stock = bytearray(1 + 2 * seats)
    for seat in range(seats):
        stock[code_of(seat, 0)], stock[code_of(seat, 1)] = _LOOSE
    return State(
        setup=setup,
        board=board,
        agenda=[],
        seats=seats,
        posts=bytearray(len(board.route_of)),
        offices=bytearray(len(board.shapes)),
        extras=[b""] * len(board.offices),
        special=bytearray(len(board.prize_points)),
        supply=bytearray(1 + 2 * seats),
        stock=stock,
        levels=bytearray(ROWS * seats),
        prestige=[0] * seats,
        markers=bytearray(len(board.ends)),
        ready=bytearray(KINDS * seats),
        used=bytearray(KINDS * seats),
        fresh=bytearray(KINDS),
        pile=bytearray(setup.markers),
        pawn=None,
    )


_LOOSE = (
    box.START_SUPPLY[0][0] + box.START_STOCK[0][0],
    box.START_SUPPLY[0][1] + box.START_STOCK[0][1],
)
"""The traders and merchants of a player that are not on the desk."""
