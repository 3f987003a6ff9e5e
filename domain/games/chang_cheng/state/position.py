"""A position as JSON: read with its contradictions found, and written."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition, require_distinct
from domain.engine.game import Json
from domain.engine.play import Seat
from domain.games.chang_cheng import board
from domain.games.chang_cheng.state import table
from domain.games.chang_cheng.state.pieces import Piece, put_cards, put_pieces, put_reservations
from domain.games.chang_cheng.state.setup import Setup
from domain.games.chang_cheng.state.steps import AnyStep, FirstTurn, NextTurn, Turn
from domain.games.chang_cheng.state.table import State
from domain.games.chang_cheng.state.tiles import put_prestige, put_threats

Points = Annotated[int, msgspec.Meta(ge=-999, le=999)]
Count = Annotated[int, msgspec.Meta(ge=0, le=9999)]


class Position(
    msgspec.Struct, tag_field="game", tag="chang_cheng", frozen=True,
    forbid_unknown_fields=True, omit_defaults=True,
):  # fmt: skip
    """A table; a match starts where a turn begins: see docs/games/chang_cheng.md."""

    boards: tuple[board.BoardName, ...] = ()
    pieces: tuple[Piece, ...] = ()
    active: Seat = 0
    opening: bool = False
    cards: tuple[table.Card, ...] = ()
    hands: tuple[tuple[int, ...], ...] | None = None
    prestige: dict[str, int] = {}
    threats: dict[str, int] = {}
    removed: tuple[str, ...] = ()
    seen: dict[str, tuple[Seat, ...] | Literal["all"]] = {}
    reserved: dict[str, tuple[str, ...]] = {}
    emperors: tuple[str, ...] | None = None
    events: tuple[board.EventCard, ...] | None = None
    points: tuple[dict[str, Points], ...] | None = None
    scored: tuple[str, ...] | None = None
    paid: tuple[table.Paid, ...] = ()
    first: Seat | None = None
    turn: Count = 0
    last: table.Last | None = None
    tally: table.Tally | None = None
    agenda: tuple[AnyStep, ...] | None = None
    ended: table.EndReason | None = None
    winners: tuple[Seat, ...] = ()


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """The state that this position describes; BadPosition if the box cannot show it."""
    position = json_codec.read_position(Position, data)
    state = table.blank(setup, seats)
    _put_boards(state, position.boards)
    _check_seats(position, seats)
    put_pieces(state, position.pieces)
    put_reservations(state, position.reserved)
    put_cards(state, position.cards, position.hands, position.tally)
    put_prestige(state, position.prestige)
    put_threats(state, position.threats, position.removed, position.seen)
    _put_rest(state, position)
    return state


def setup_for(setup: Setup, data: Json) -> Setup:
    """The setup of a match that begins with a position: its boards and event cards, which lie open.

    BadPosition if the position cannot be read.
    """
    position = json_codec.read_position(Position, data)
    events = setup.events if position.events is None else position.events
    return msgspec.structs.replace(setup, boards=position.boards, events=events)


def write_position(state: State) -> Json:
    """The position as JSON."""
    width = len(table.CATEGORIES)
    in_play = state.wall.china
    position = Position(
        boards=tuple(board.BOARDS[number] for number in state.wall.row),
        pieces=tuple(_pieces(state)),
        cards=state.laid,
        hands=tuple(table.cards_of(hand) for hand in state.hands),
        prestige={board.CHINA[region]: state.prestige[region] for region in in_play},
        threats={board.MONGOL[region]: state.threats[region] for region in in_play},
        removed=tuple(board.MONGOL[region] for region in in_play if state.removed[region]),
        seen={board.MONGOL[r]: _read_known_threats(state, r) for r in in_play if state.known[r]},
        reserved={
            str(seat): tuple(board.CELLS[cell] for cell in cells)
            for seat, cells in enumerate(state.reserved)
            if cells
        },
        emperors=state.emperors,
        events=state.events,
        points=tuple(
            dict(zip(table.CATEGORIES, state.points[seat * width :], strict=False))
            for seat in range(state.seats)
        ),
        scored=tuple(board.CHINA[region] for region in in_play if state.scored[region]),
        paid=state.paid,
        first=state.first,
        turn=state.turn,
        last=state.last,
        tally=state.tally,
        agenda=tuple(state.agenda),
        ended=state.ended,
        winners=state.winners,
    )
    written: Json = json_codec.to_json(position)
    return written


def _pieces(state: State) -> list[Piece]:
    """From left to right, a double once."""
    found: dict[tuple[int, int], list[int]] = {}
    for cell in state.wall.cells:
        if state.cells[cell]:
            double = state.kinds[cell] == table.DOUBLE
            found.setdefault((state.cells[cell], -1 if double else cell), []).append(cell)
    return [_piece(state, cells) for cells in found.values()]


def _piece(state: State, cells: list[int]) -> Piece:
    what, kind = state.cells[cells[0]], table.KINDS[state.kinds[cells[0]] - table.SINGLE]
    colour = what % table.RUINED
    seat = None if colour == table.NEUTRAL else colour - 1
    return Piece(tuple(board.CELLS[cell] for cell in cells), seat, kind, what > table.RUINED)


def _read_known_threats(state: State, region: int) -> tuple[Seat, ...] | Literal["all"]:
    known = state.known[region]
    return "all" if known == table.OPEN else tuple(s for s in range(state.seats) if known >> s & 1)


def _put_boards(state: State, boards: tuple[board.BoardName, ...]) -> None:
    """Lay the boards; those after the first two were added: CC-2.1, CC-8.2."""
    added = len(boards) - board.AT_START
    if len(set(boards)) != len(boards) or not (0 <= added <= state.extensions or not boards):
        most = board.AT_START + state.extensions
        raise BadPosition(f"`boards` must name 2 to {most} different boards.")
    state.lay(tuple(board.BOARD_NUMBER[name] for name in boards))
    state.extensions -= max(0, added)


def _check_seats(position: Position, seats: int) -> None:
    named = [position.active, *position.winners, position.first or 0]
    if position.last is not None:
        named.append(position.last.seat)
        if not {*position.last.cells} <= {*board.CELL_NUMBER}:
            raise BadPosition("`last` names a cell that does not exist.")
        if not {*position.last.regions} <= {*board.CHINA_NUMBER}:
            raise BadPosition("`last` names a region that does not exist.")
    if any(not 0 <= seat < seats for seat in named):
        raise BadPosition(f"Seats are 0 to {seats - 1}.")


def _put_rest(state: State, position: Position) -> None:
    state.events = state.setup.events if position.events is None else position.events
    _put_points(state, position.points)
    _put_scored(state, position.scored)
    _put_paid(state, position.paid)
    state.first = position.active if position.first is None else position.first
    state.turn, state.last, state.tally = position.turn, position.last, position.tally
    _put_emperors(state, position.emperors)
    state.ended, state.winners = position.ended, position.winners
    if (state.ended is None) == bool(state.winners):
        raise BadPosition("There are `winners` if and only if the game has `ended`.")
    state.agenda = list(_agenda(state, position) if position.agenda is None else position.agenda)


def _agenda(state: State, position: Position) -> list[Any]:
    """Begin a turn of the active seat, or its first turn: CC-3.1, CC-3.2."""
    if position.ended is not None or not state.wall.row:
        return []
    seat = position.active
    if not position.opening:
        return [NextTurn(seat=seat), Turn((seat,))]
    still = (state.first - seat - 1) % state.seats
    return [NextTurn(seat=seat, opening=still), FirstTurn((seat,))]


def _put_emperors(state: State, emperors: tuple[str, ...] | None) -> None:
    """Put emperor cards on regions in play, as many as are due if there is no list: CC-8.1."""
    if emperors is None:
        emperors = table.find_scored_regions(state)[: max(0, table.emperors_due(state))]
    regions = [board.CHINA_NUMBER.get(name) for name in emperors]
    if len(set(emperors)) != len(emperors) or not {*regions} <= {*state.wall.china}:
        raise BadPosition("`emperors` must name different Chinese regions in play.")
    if len(emperors) > board.EMPERORS:
        raise BadPosition("There are three emperor cards.")
    state.emperors = emperors


def _put_points(state: State, points: tuple[dict[str, int], ...] | None) -> None:
    """Give each seat its points, which may be negative: CC-10.5."""
    if points is None:
        return
    if len(points) != state.seats or any(set(line) - set(table.CATEGORIES) for line in points):
        raise BadPosition(
            f"`points` must give for each seat some of {', '.join(table.CATEGORIES)}."
        )
    state.points = [line.get(category, 0) for line in points for category in table.CATEGORIES]


def _put_scored(state: State, scored: tuple[str, ...] | None) -> None:
    """Mark full regions as scored, all of them if there is no list: CC-6.1."""
    require_distinct(scored or (), "scored")
    full = {board.CHINA[region] for region in state.wall.china if state.full(region)}
    for name in full if scored is None else scored:
        if name not in full:
            raise BadPosition(f"{name!r} was `scored` but is not full.")
        state.scored[board.CHINA_NUMBER[name]] = 1


def _put_paid(state: State, paid: tuple[table.Paid, ...]) -> None:
    """Say what scored regions brought, and to whom: CC-6.5."""
    regions = [one.region for one in paid]
    if len(set(regions)) != len(regions) or not {*regions} <= {*table.find_scored_regions(state)}:
        raise BadPosition("`paid` must name different regions that were scored.")
    if any(not 0 <= seat < state.seats for one in paid for seat in one.seats):
        raise BadPosition(f"`paid` must name seats from 0 to {state.seats - 1}.")
    state.paid = paid
