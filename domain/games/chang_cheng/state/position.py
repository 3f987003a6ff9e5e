"""The record of a position, and what it puts on the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from domain.engine.constraints import Choice, Holds, MidTurn, PerSeat, Unique
from domain.engine.errors import require, require_distinct
from domain.engine.game import Json
from domain.engine.play import Seat
from domain.engine.positions import reader
from domain.games.chang_cheng import board
from domain.games.chang_cheng.state import table
from domain.games.chang_cheng.state.setup import Setup
from domain.games.chang_cheng.state.steps import AnyStep, FirstTurn, NextTurn, Turn
from domain.games.chang_cheng.state.table import State

IN_PLAY = Holds("Name the boards in play.", lambda boards, _: boards)
Points = Annotated[int, msgspec.Meta(ge=-999, le=999)]
Count = Annotated[int, msgspec.Meta(ge=0, le=9999)]
Prestige = Annotated[int, msgspec.Meta(ge=0, le=len(board.PRESTIGE) - 1)]
Threat = Annotated[int, msgspec.Meta(ge=min(board.THREATS), le=max(board.THREATS))]
EventCards = Annotated[Unique[board.EventCard], msgspec.Meta(max_length=board.EVENTS_IN_PLAY)]
SeatName = Annotated[str, Choice("seat", lambda table: [str(s) for s in range(table.seats)])]


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A piece on its cells, as JSON; a seat of null is the neutral colour."""

    cells: Annotated[Unique[board.Cell], msgspec.Meta(min_length=1, max_length=2)]
    seat: Seat | None
    kind: table.Kind = "single"
    ruin: bool = False


class Position(reader.Position, tag="chang_cheng", frozen=True):
    """A table; a match starts where a turn begins: see docs/games/chang_cheng.md."""

    history: ClassVar[frozenset[str]] = frozenset({"last", "paid"})

    boards: Annotated[Unique[board.BoardName], IN_PLAY] = ()
    pieces: tuple[Piece, ...] = ()
    active: Seat = 0
    opening: bool = False
    cards: tuple[table.Card, ...] = ()
    hands: PerSeat[Unique[board.CardNumber]] | None = None
    prestige: dict[board.ChineseRegion, Prestige] = {}
    threats: dict[board.MongolRegion, Threat] = {}
    removed: Unique[board.MongolRegion] = ()
    seen: dict[board.MongolRegion, Unique[Seat] | Literal["all"]] = {}
    reserved: dict[SeatName, Unique[board.Cell]] = {}
    emperors: Unique[board.ChineseRegion] | None = None
    events: EventCards | None = None
    points: PerSeat[dict[table.Category, Points]] | None = None
    scored: Unique[board.ChineseRegion] | None = None
    paid: tuple[table.Paid, ...] = ()
    first: Seat | None = None
    turn: Count = 0
    last: table.Last | None = None
    tally: MidTurn[table.Tally | None] = None
    agenda: tuple[AnyStep, ...] | None = None
    ended: table.EndReason | None = None
    winners: tuple[Seat, ...] = ()

    def bare_table(self, setup: Setup, seats: int) -> State:
        """A table with these boards; those after the first two were added: CC-2.1, CC-8.2."""
        state, boards = table.blank(setup, seats), self.boards
        most = board.AT_START + state.extensions
        right = not boards or board.AT_START <= len(boards) <= most
        require(right, f"`boards` must name 2 to {most} different boards.")
        state.lay(tuple(board.BOARD_NUMBER[name] for name in boards))
        state.extensions -= max(0, len(boards) - board.AT_START)
        return state

    def put(self, state: State) -> None:
        """Build the pieces, deal cards and tiles, and begin a turn if there is no agenda."""
        for piece in self.pieces:
            _build(state, piece)
        _reserve(state, self.reserved)
        _deal_cards(state, self)
        _deal(state.prestige, state, board.CHINA_NUMBER, self.prestige, table.prestige_left(state))
        _deal(state.threats, state, board.MONGOL_NUMBER, self.threats, table.threats_left(state))
        for name in self.removed:
            state.removed[board.MONGOL_NUMBER[name]] = 1
        for name, seats in self.seen.items():
            known = table.OPEN if seats == "all" else sum(1 << seat for seat in seats)
            state.known[board.MONGOL_NUMBER[name]] = known
        for points in [self.points] if self.points else []:
            state.points = [one.get(category, 0) for one in points for category in table.CATEGORIES]
        full = [board.CHINA[region] for region in state.wall.china if state.full(region)]
        for name in full if self.scored is None else self.scored:
            state.scored[board.CHINA_NUMBER[name]] = 1
        if self.emperors is None:
            due = max(0, table.emperors_due(state))
            state.emperors = table.find_scored_regions(state)[:due]
        state.first = self.active if self.first is None else self.first
        if self.agenda is None and self.ended is None and self.boards:
            state.agenda = _begin_turn(state, self.active, opening=self.opening)

    @staticmethod
    def show(state: State) -> Json:
        """The pieces, cards and tiles on the table, and the points."""
        china, mongol = board.CHINA, board.MONGOL
        regions, width = state.wall.china, len(table.CATEGORIES)
        return {
            "boards": tuple(board.BOARDS[number] for number in state.wall.row),
            "pieces": tuple(_pieces(state)),
            "cards": state.laid,
            "hands": tuple(map(table.cards_of, state.hands)),
            "prestige": {china[region]: state.prestige[region] for region in regions},
            "threats": {mongol[region]: state.threats[region] for region in regions},
            "removed": tuple(mongol[region] for region in regions if state.removed[region]),
            "seen": {mongol[r]: _seats_knowing(state, r) for r in regions if state.known[r]},
            "reserved": {
                str(seat): tuple(board.CELLS[cell] for cell in cells)
                for seat, cells in enumerate(state.reserved)
                if cells
            },
            "scored": tuple(china[region] for region in regions if state.scored[region]),
            "points": tuple(
                dict(zip(table.CATEGORIES, state.points[seat * width :], strict=False))
                for seat in range(state.seats)
            ),
        }


def setup_for(setup: Setup, data: Json) -> Setup:
    """The setup of a match that begins with a position: its boards and event cards, which lie open.

    BadPosition if the position cannot be read.
    """
    position = reader.convert(Position, data)
    events = setup.events if position.events is None else position.events
    return msgspec.structs.replace(setup, boards=position.boards, events=events)


def _pieces(state: State) -> Iterable[Piece]:
    """From left to right, a double once."""
    found: dict[tuple[int, int], list[int]] = {}
    for cell in state.wall.cells:
        if state.cells[cell]:
            double = state.kinds[cell] == table.DOUBLE
            found.setdefault((state.cells[cell], -1 if double else cell), []).append(cell)
    for (what, _), cells in found.items():
        colour, kind = what % table.RUINED, table.KINDS[state.kinds[cells[0]] - table.SINGLE]
        seat = None if colour == table.NEUTRAL else colour - 1
        yield Piece(tuple(board.CELLS[cell] for cell in cells), seat, kind, what > table.RUINED)


def _seats_knowing(state: State, region: int) -> tuple[Seat, ...] | Literal["all"]:
    known = state.known[region]
    return "all" if known == table.OPEN else tuple(s for s in range(state.seats) if known >> s & 1)


def _build(state: State, piece: Piece) -> None:
    """Build a piece of the box on empty cells: CC-1.3, CC-4.4, CC-5.1, CC-7.4."""
    colour = table.NEUTRAL if piece.seat is None else piece.seat + 1
    cells, name = [board.CELL_NUMBER[name] for name in piece.cells], " and ".join(piece.cells)
    beside = (cells[0], *state.beside(cells[0]))
    fits = len(cells) == 1 + (piece.kind == "double") and cells[-1] in beside
    require(fits, f"A double has two cells without a gap, any other piece one: not {name}.")
    require(piece.kind == "single" or not piece.ruin, "Only a single can be a ruin.")
    supply = {"single": state.singles, "double": state.doubles, "tower": state.towers}[piece.kind]
    require(supply[colour] > 0, f"`pieces` has too many of the kind {piece.kind} for {piece.seat}.")
    supply[colour] -= 1
    for cell in cells:
        content = colour + table.RUINED * piece.ruin
        state.build(cell, content, table.KINDS.index(piece.kind) + table.SINGLE)


def _reserve(state: State, reserved: Mapping[str, Iterable[str]]) -> None:
    """Reserve for each seat cells beside its tower, which is beside no other: CC-5.3, CC-5.4."""
    towers = [cell for cell in state.wall.cells if state.kinds[cell] == table.TOWER]
    beside = {(state.cells[cell] - 1, other) for cell in towers for other in state.beside(cell)}
    apart = not {*towers} & {cell for _, cell in beside}
    require(apart, "Two towers stand next to each other.")
    for name, cells in reserved.items():
        seat = int(name)
        state.reserved[seat] = tuple(board.CELL_NUMBER[cell] for cell in cells)
        right = {(seat, cell) for cell in state.reserved[seat]} <= beside
        require(right, f"`reserved` must name cells beside the tower of seat {seat}.")


def _deal_cards(state: State, position: Position) -> None:
    """Put each card in a region, or in a hand, or out of the game: CC-1.3, CC-4.2."""
    state.laid, waiting = position.cards, state.tally.waiting if state.tally else ()
    away = [(card.seat, card.number) for card in (*state.laid, *waiting)]
    rest = {(seat, number) for seat in range(state.seats) for number in board.CARDS} - {*away}
    given = position.hands
    held = rest if given is None else [(seat, n) for seat, hand in enumerate(given) for n in hand]
    require_distinct([*away, *held], "cards")
    state.hands = bytearray(state.seats)
    for seat, number in held:
        state.hands[seat] |= 1 << number


def _deal(
    tiles: bytearray,
    state: State,
    numbers: Mapping[str, int],
    given: Mapping[str, int],
    left: list[int],
) -> None:
    """Put a tile in each region; one not given has the value with most tiles left: CC-2.2."""
    values = {numbers[name]: value for name, value in given.items()}
    for value in values.values():
        left[value] -= 1
    for region in state.wall.china:
        if region not in values:
            values[region] = left.index(max(left))
            left[values[region]] -= 1
        tiles[region] = values[region]
    require(min(left) >= 0, f"The game has fewer tiles of value {left.index(min(left))}.")


def _begin_turn(state: State, seat: Seat, *, opening: bool) -> list[Any]:
    """Begin a turn of a seat, or its first turn: CC-3.1, CC-3.2."""
    if not opening:
        return [NextTurn(seat=seat), Turn((seat,))]
    still = (state.first - seat - 1) % state.seats
    return [NextTurn(seat=seat, opening=still), FirstTurn((seat,))]
