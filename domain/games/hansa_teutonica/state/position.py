"""Positions as JSON: reads them, refuses contradictions, and writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec

from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition, require, require_distinct
from domain.engine.game import Json
from domain.engine.play import Seat
from domain.games.hansa_teutonica import board as box
from domain.games.hansa_teutonica.state import steps, table
from domain.games.hansa_teutonica.state.setup import Setup
from domain.games.hansa_teutonica.state.table import State

Few = Annotated[int, msgspec.Meta(ge=0, le=99)]
Sign = (
    Annotated[
        str,
        msgspec.Meta(
            pattern="^[0-4][tm]$",
            max_length=2,  # `$` would allow a line break at the end
            description="a seat and `t` for a trader or `m` for a merchant, such as `1m`.",
        ),
    ]
    | None
)
Markers = dict[box.Marker, Few]


class Pieces(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number of traders and a number of merchants."""

    t: Few = 0
    m: Few = 0


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat owns; `fresh` are the ready markers that it took in this turn."""

    supply: Pieces
    stock: Pieces
    levels: dict[str, Few]
    prestige: Few = 0
    ready: Markers = {}
    fresh: Markers = {}
    used: Markers = {}


class Town(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pieces on the printed offices and on extra offices, from left to right."""

    offices: tuple[Sign, ...]
    extra: tuple[Sign, ...] = ()


class Position(
    msgspec.Struct, tag_field="game", tag="hansa_teutonica", frozen=True,
    forbid_unknown_fields=True, omit_defaults=True,
):  # fmt: skip
    """A table at any moment; see docs/games/hansa_teutonica.md."""

    seats: tuple[Player, ...]
    active: Seat = 0
    actions: Few = 0
    turn: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 1
    routes: dict[str, tuple[Sign, ...]] = {}
    cities: dict[str, Town] = {}
    special: tuple[Sign, ...] = ()
    markers: dict[str, box.Marker] = {}
    pile: Markers = {}
    bottom: tuple[box.Marker, ...] = ()
    connected: tuple[Seat, ...] = ()
    acted: bool = False
    pawn: str | None = None
    pawn_moved: bool = False
    closed: bool = False
    passes: tuple[str, ...] = ()
    pending: steps.Pending | None = None
    last: table.LastDeed | None = None
    ended: table.EndReason | None = None
    winners: tuple[Seat, ...] = ()


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """The table of this JSON. Raises BadPosition if it contradicts itself or the box."""
    position = json_codec.read_position(Position, data)
    state = table.blank(setup, seats)
    _check_seats(state, position, seats)
    _check_names(state, position)
    _read_players(state, position)
    _read_board(state, position)
    _read_markers(state, position)
    _read_turn(state, position)
    _check_pieces(state, position)
    return state


def write_position(state: State) -> Json:
    """The position as JSON."""
    board = state.board
    position = Position(
        seats=tuple(_player(state, seat) for seat in range(state.seats)),
        active=state.active,
        actions=state.actions,
        turn=state.turn,
        routes={
            route.id: signs(state.posts[span.start : span.stop])
            for route, span in zip(state.setup.map.routes, board.posts, strict=True)
            if any(state.posts[span.start : span.stop])
        },
        cities=_towns(state),
        special=signs(state.special),
        markers={
            route.id: box.MARKERS[marker - 1]
            for route, marker in zip(state.setup.map.routes, state.markers, strict=True)
            if marker
        },
        pile=name_counts(state.pile),
        bottom=tuple(box.MARKERS[number] for number in state.bottom),
        connected=state.connected,
        acted=state.acted,
        pawn=state.pawn,
        pawn_moved=state.pawn_moved,
        closed=state.closed,
        passes=state.passes,
        pending=_pending(state),
        last=state.last,
        ended=state.ended,
        winners=state.winners,
    )
    written: Json = msgspec.to_builtins(position)
    return written


def signs(codes: Iterable[int]) -> tuple[Sign, ...]:
    """Pieces as text: `1m` is a merchant of seat 1."""
    return tuple(
        f"{table.owner_of(code)}{box.PIECES[table.piece_of(code)][0]}"
        if code != table.FREE
        else None
        for code in codes
    )


def _towns(state: State) -> dict[str, Town]:
    towns = {}
    for city, span, extra in zip(
        state.setup.map.cities, state.board.offices, state.extras, strict=True
    ):
        offices = state.offices[span.start : span.stop]
        if any(offices) or extra:
            towns[city.id] = Town(signs(offices), signs(extra))
    return towns


def _player(state: State, seat: Seat) -> Player:
    return Player(
        supply=Pieces(*state.in_supply(seat)),
        stock=Pieces(*state.in_stock(seat)),
        levels={name: state.level(seat, number) for number, name in enumerate(box.ABILITIES)},
        prestige=state.prestige[seat],
        ready=name_counts(state.markers_of(state.ready, seat)),
        fresh=name_counts(state.fresh) if seat == state.active else {},
        used=name_counts(state.markers_of(state.used, seat)),
    )


def _pending(state: State) -> steps.Pending | None:
    step = state.agenda[-1] if state.agenda else None
    return None if isinstance(step, steps.Turn) else step


def name_counts(counts: Sequence[int]) -> Markers:
    """The number of markers by kind, without zeros."""
    return {kind: count for kind, count in zip(box.MARKERS, counts, strict=True) if count}


def _check_seats(state: State, position: Position, seats: int) -> None:
    """Refuse unknown seats, and winners of a game that is not over."""
    if len(position.seats) != seats:
        raise BadPosition(f"`seats` must describe {seats} seats.")
    mentioned = {position.active, *position.connected, *position.winners}
    if position.last is not None:
        mentioned.add(position.last.seat)
    if position.pending is not None:
        mentioned.update(position.pending.seats)
    if not mentioned <= set(range(seats)):
        raise BadPosition(f"Seats are 0 to {seats - 1}.")
    gateways = {city.id for city in state.setup.map.cities if city.gateway_to}
    if not set(position.passes) <= gateways:
        raise BadPosition("`passes` are cities that give permissions.")
    require_distinct(position.connected, "connected")
    over = position.ended is not None
    if over != bool(position.winners) or (over and position.pending is not None):
        raise BadPosition(
            "Exactly a game that has `ended` has `winners`, and then nothing is `pending`."
        )


def _check_names(state: State, position: Position) -> None:
    """Refuse names that this map does not have in the last deed and in what is pending: HT-1.3."""
    chart, last = state.board, position.last
    if isinstance(position.pending, steps.Relocate):
        _number_of(chart.route_number, position.pending.route)
    if last is not None:
        known = last.route in {None, *chart.route_number}
        known = known and last.city in {None, *chart.city_number}
        known = known and all(0 <= post < len(state.posts) for post in last.posts)
        require(known, "`last` must name routes, cities and posts of this map.")
        require_distinct(last.posts, "last.posts")


def _read_players(state: State, position: Position) -> None:
    """Read supply, stock and desk of each player: HT-1.5, HT-1.6."""
    for seat, player in enumerate(position.seats):
        _read_pieces(state.supply, seat, player.supply)
        _read_pieces(state.stock, seat, player.stock)
        if stray := set(player.levels) - set(box.ABILITIES):
            raise BadPosition(f"There is no ability {min(stray)!r}.")
        for number, name in enumerate(box.ABILITIES):
            level = player.levels.get(name, 0)
            if level > box.COMPLETE[number]:
                raise BadPosition(f"{name} can be improved {box.COMPLETE[number]} times.")
            state.levels[seat * table.ROWS + number] = level
        state.prestige[seat] = player.prestige


def _read_pieces(counts: bytearray, seat: Seat, pieces: Pieces) -> None:
    counts[table.code_of(seat, 0)], counts[table.code_of(seat, 1)] = pieces.t, pieces.m


def _codes(state: State, row: Iterable[Sign]) -> bytes:
    codes = bytes(
        table.FREE if sign is None else table.code_of(int(sign[0]), "tm".index(sign[1]))
        for sign in row
    )
    if any(table.owner_of(code) >= state.seats for code in codes if code):
        raise BadPosition(f"Pieces belong to seats 0 to {state.seats - 1}.")
    return codes


def _read_board(state: State, position: Position) -> None:
    """Read the pieces on posts and offices: HT-1.2, HT-1.3, HT-14.1, HT-14.10."""
    board = state.board
    for name, row in position.routes.items():
        span = board.posts[_number_of(board.route_number, name)]
        state.posts[span.start : span.stop] = _check_length(name, _codes(state, row), len(span))
    if any(state.posts[at] and not table.piece_of(state.posts[at]) for at in board.reserved):
        raise BadPosition("Only merchants can stand on posts for merchants.")
    for name, town in position.cities.items():
        city = _number_of(board.city_number, name)
        span = board.offices[city]
        offices = _check_length(name, _codes(state, town.offices), len(span))
        if any(offices[offices.find(table.FREE) :]) and table.FREE in offices:
            raise BadPosition(f"Offices of {name} must be filled from the left.")
        state.offices[span.start : span.stop] = offices
        state.extras[city] = _codes(state, town.extra)
        green = city in board.green
        if table.FREE in state.extras[city] or (state.extras[city] and not (any(offices) or green)):
            raise BadPosition(f"{name} has `extra` offices without another office.")
        state.complete += table.FREE not in offices and bool(offices or state.extras[city])
    if position.special:
        prizes = _codes(state, position.special)
        state.special[:] = _check_length("special", prizes, len(state.special))
        if any(code and not table.piece_of(code) for code in state.special):
            raise BadPosition("Only merchants can stand on `special`.")
    state.connected = position.connected


def _number_of(numbers: dict[str, int], name: str) -> int:
    if name not in numbers:
        raise BadPosition(f"There is no {name!r} on this map.")
    return numbers[name]


def _check_length(name: str, row: bytes, length: int) -> bytes:
    if len(row) != length:
        raise BadPosition(f"{name} has {length} places.")
    return row


def _read_markers(state: State, position: Position) -> None:
    """Read all markers; those that are nowhere are out of the game: HT-1.7."""
    state.pile = bytearray(table.KINDS)
    for kind, count in position.pile.items():
        state.pile[box.MARKER_NUMBER[kind]] = count
    state.bottom = bytes(box.MARKER_NUMBER[kind] for kind in position.bottom)
    for route, kind in position.markers.items():
        state.markers[_number_of(state.board.route_number, route)] = box.MARKER_NUMBER[kind] + 1
    for seat, player in enumerate(position.seats):
        for counts, markers in ((state.ready, player.ready), (state.used, player.used)):
            for kind, count in markers.items():
                counts[seat * table.KINDS + box.MARKER_NUMBER[kind]] = count
        _read_fresh(state, position, seat)
    _check_markers(state, position.pending)


def _check_markers(state: State, pending: steps.Pending | None) -> None:
    """Refuse more of a kind than the box holds, and any where none can lie: HT-1.7, HT-14.4."""
    if any(state.markers[route] for route in state.board.bare):
        raise BadPosition("No marker can lie on a route without a place for one.")
    drawn = pending.kinds if isinstance(pending, steps.PlaceMarkers) else ()
    for number, kind in enumerate(box.MARKERS):
        there = state.count_markers(number) + drawn.count(kind)
        if there > state.setup.markers[number]:
            raise BadPosition(f"There are only {state.setup.markers[number]} markers {kind}.")


def _read_fresh(state: State, position: Position, seat: Seat) -> None:
    fresh = position.seats[seat].fresh
    for kind, count in fresh.items():
        if seat != position.active or count > position.seats[seat].ready.get(kind, 0):
            raise BadPosition("Only ready markers of the active player can be `fresh`.")
        state.fresh[box.MARKER_NUMBER[kind]] = count


def _read_turn(state: State, position: Position) -> None:
    """Read whose turn it is and what is pending: HT-3.2, HT-11.3."""
    state.active, state.actions, state.turn = position.active, position.actions, position.turn
    state.acted, state.closed = position.acted, position.closed
    state.pawn, state.pawn_moved = position.pawn, position.pawn_moved
    state.passes = position.passes
    state.last, state.ended, state.winners = position.last, position.ended, position.winners
    provinces = {province.id for province in state.setup.provinces}
    waiting = isinstance(position.pending, steps.PlacePawn)
    if provinces and not waiting:
        fits = state.pawn in provinces
    else:
        fits = state.pawn is None and bool(provinces) == waiting
    if not fits:
        raise BadPosition("`pawn` must be a province with two players, and null otherwise.")
    if state.ended is None:
        state.agenda = _agenda(state, position.pending)


def _agenda(
    state: State, pending: steps.Pending | None
) -> list[steps.Turn | steps.NextTurn | steps.CheckEnd | steps.Pending]:
    """The pending step, for the seat that decides it, and what follows it."""
    turn, following = steps.Turn((state.active,)), (state.active + 1) % state.seats
    if pending is None:
        return [turn]
    decides = following if isinstance(pending, steps.PlacePawn) else state.active
    asked = msgspec.structs.replace(pending, seats=(decides,))
    fits = isinstance(pending, steps.Relocate) or pending.seats in ((), asked.seats)
    require(fits, f"What is `pending` waits for seat {decides}.")
    match pending:
        case steps.PlacePawn():
            return [steps.NextTurn(seat=state.active), asked]
        case steps.PlaceMarkers():
            return [steps.NextTurn(seat=following), asked]
        case steps.Moving(bonus=True) | steps.Deploying() | steps.GreenOffice():
            return [turn, steps.CheckEnd(), asked]
        case steps.Relocate():
            return [turn, pending]
        case _:
            return [turn, asked]


def _check_pieces(state: State, position: Position) -> None:
    """Refuse too many and too few pieces: HT-1.6."""
    held = _in_hand(position.pending)
    for seat in range(state.seats):
        desk = [0, 0]
        for number in range(len(box.ABILITIES)):
            desk[box.COVERED_BY[number]] += box.COMPLETE[number] - state.level(seat, number)
        for piece, total in enumerate((box.TRADERS - box.ON_TRACK, box.MERCHANTS)):
            code = table.code_of(seat, piece)
            count = desk[piece] + held.count(code) + state.supply[code] + state.stock[code]
            count += state.posts.count(code) + state.offices.count(code)
            count += state.special.count(code) + b"".join(state.extras).count(code)
            if count != total:
                raise BadPosition(
                    f"Seat {seat} has {count} {box.PIECES[piece]}s instead of {total}, those on the"
                    " desk included."
                )


def _in_hand(pending: steps.Pending | None) -> tuple[int, ...]:
    """The pieces that are held or displaced."""
    if isinstance(pending, steps.Moving):
        return pending.held
    if isinstance(pending, steps.Relocate) and not pending.placed:
        return tuple(table.code_of(seat, box.PIECES.index(pending.piece)) for seat in pending.seats)
    return ()
