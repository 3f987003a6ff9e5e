"""The record of a position, and what it puts on the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, ClassVar

import msgspec

from domain.engine.constraints import Choice, Holds, MidTurn, PerSeat, Unique
from domain.engine.errors import require
from domain.engine.game import Json
from domain.engine.play import Seat, Step
from domain.engine.positions import reader
from domain.engine.positions.forms import Row, by_name
from domain.games.hansa_teutonica import board as box
from domain.games.hansa_teutonica.state import steps, table
from domain.games.hansa_teutonica.state.table import State

Few = Annotated[int, msgspec.Meta(ge=0, le=99)]
SIGNS = {table.FREE: None} | {
    table.code_of(seat, piece): f"{seat}{name[0]}"
    for seat in range(5)
    for piece, name in enumerate(box.PIECES)
}
CODES = {sign: code for code, sign in SIGNS.items()}
PieceSign = Annotated[
    str,
    msgspec.Meta(
        pattern="^[0-4][tm]$",
        max_length=2,  # `$` would allow a line break at the end
        description="a seat and `t` for a trader or `m` for a merchant, such as `1m`.",
    ),
    Choice("piece", lambda table: [*CODES][1 : 1 + len(box.PIECES) * table.seats]),
]
Sign = PieceSign | None
Markers = dict[box.Marker, Few]
MAX_LEVELS = dict(zip(box.ABILITIES, box.COMPLETE, strict=True))
Levels = Annotated[
    dict[box.Ability, Few],
    Holds(
        ", ".join(f"{name} can be improved {most} times" for name, most in MAX_LEVELS.items()),
        lambda levels, _: all(level <= MAX_LEVELS[name] for name, level in levels.items()),
    ),
]
Offices = Annotated[
    tuple[Sign, ...],
    Holds(
        "Offices must be filled from the left.",
        lambda row, _: all(row[: len(row) - row.count(None)]),
    ),
]
Merchants = Annotated[
    tuple[Sign, ...],
    Holds("It takes only merchants.", lambda row, _: all("m" in one for one in row if one)),
]
MarkedRoute = Annotated[
    box.RouteName,
    Choice(
        "place for a marker on",
        lambda table: [
            name
            for name, number in table.state.board.route_number.items()
            if number not in table.state.board.bare
        ],
    ),
]


class Pieces(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number of traders and a number of merchants."""

    t: Few = 0
    m: Few = 0


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat owns; `fresh` are the ready markers that it took in this turn."""

    supply: Pieces
    stock: Pieces
    levels: Levels
    prestige: Few = 0
    ready: Markers = {}
    fresh: MidTurn[Markers] = {}
    used: Markers = {}


class Town(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pieces on the printed offices and on extra offices, from left to right."""

    offices: Offices
    extra: tuple[PieceSign, ...] = ()


class Position(reader.Position, tag="hansa_teutonica", frozen=True):
    """A table at any moment; see docs/games/hansa_teutonica.md."""

    history: ClassVar[frozenset[str]] = frozenset({"last"})

    seats: PerSeat[Player]
    active: Seat = 0
    actions: Few = 0
    turn: Annotated[int, msgspec.Meta(ge=0, le=reader.MAX_NUMBER)] = 1
    routes: dict[box.RouteName, tuple[Sign, ...]] = {}
    cities: dict[box.CityName, Town] = {}
    special: Merchants = ()
    markers: Annotated[dict[MarkedRoute, box.Marker], msgspec.Meta(max_length=box.ON_BOARD)] = {}
    pile: Annotated[Markers, Row(box.MARKERS)] = {}
    bottom: tuple[box.Marker, ...] = ()
    connected: Unique[Seat] = ()
    acted: MidTurn[bool] = False
    pawn: box.ProvinceName | None = None
    pawn_moved: MidTurn[bool] = False
    closed: MidTurn[bool] = False
    passes: MidTurn[tuple[box.CityName, ...]] = ()
    pending: steps.Pending | None = None
    last: table.LastDeed | None = None
    ended: table.EndReason | None = None
    winners: tuple[Seat, ...] = ()

    def put(self, state: State) -> None:
        """Put the pieces and markers on the table, and plan what is pending."""
        board = state.board
        for seat, player in enumerate(self.seats):
            _put_player(state, seat, player)
        for name, row in self.routes.items():
            _put_row(state.posts, board.posts[board.route_number[name]], row, name)
        for name, town in self.cities.items():
            _put_town(state, name, town)
        if self.special:
            _put_row(state.special, range(len(state.special)), self.special, "special")
        for name, marker in self.markers.items():
            state.markers[board.route_number[name]] = box.MARKER_NUMBER[marker] + 1
        state.bottom = bytes(box.MARKER_NUMBER[marker] for marker in self.bottom)
        state.agenda = [] if self.ended else _plan(state, self.pending)

    @staticmethod
    def show(state: State) -> Json:
        """The pieces and markers on the table, and what is pending."""
        board, routes = state.board, tuple(state.board.route_number)
        rows = [state.posts[at.start : at.stop] for at in board.posts]
        step = state.agenda[-1] if state.agenda else None
        return {
            "seats": tuple(_player(state, seat) for seat in range(state.seats)),
            "routes": {
                name: signs(row) for name, row in zip(routes, rows, strict=True) if any(row)
            },
            "cities": _towns(state),
            "special": signs(state.special),
            "markers": {
                name: box.MARKERS[marker - 1]
                for name, marker in zip(routes, state.markers, strict=True)
                if marker
            },
            "bottom": tuple(box.MARKERS[number] for number in state.bottom),
            "pending": None if isinstance(step, steps.Turn) else step,
        }


def signs(codes: Iterable[int]) -> tuple[Sign, ...]:
    """Pieces as text: `1m` is a merchant of seat 1."""
    return tuple(SIGNS[code] for code in codes)


def _player(state: State, seat: Seat) -> Player:
    return Player(
        supply=Pieces(*state.in_supply(seat)),
        stock=Pieces(*state.in_stock(seat)),
        levels={name: state.level(seat, number) for number, name in enumerate(box.ABILITIES)},
        prestige=state.prestige[seat],
        ready=by_name(box.MARKERS, state.markers_of(state.ready, seat)),
        fresh=by_name(box.MARKERS, state.fresh) if seat == state.active else {},
        used=by_name(box.MARKERS, state.markers_of(state.used, seat)),
    )


def _put_player(state: State, seat: Seat, player: Player) -> None:
    trader, merchant = (table.code_of(seat, piece) for piece in range(len(box.PIECES)))
    for counts, pieces in ((state.supply, player.supply), (state.stock, player.stock)):
        counts[trader], counts[merchant] = pieces.t, pieces.m
    for name, level in player.levels.items():
        state.levels[seat * table.ROWS + box.ABILITY_NUMBER[name]] = level
    state.prestige[seat] = player.prestige
    for counts, markers in ((state.ready, player.ready), (state.used, player.used)):
        for kind, count in markers.items():
            counts[seat * table.KINDS + box.MARKER_NUMBER[kind]] = count
    if seat == state.active:
        state.fresh = bytearray(player.fresh.get(kind, 0) for kind in box.MARKERS)


def _towns(state: State) -> dict[str, Town]:
    names, offices = state.board.city_number, state.board.offices
    rows = [state.offices[at.start : at.stop] for at in offices]
    return {
        name: Town(signs(row), signs(extra))  # type: ignore[arg-type]  # no extra office is free
        for name, row, extra in zip(names, rows, state.extras, strict=True)
        if any(row) or extra
    }


def _put_town(state: State, name: str, town: Town) -> None:
    city = state.board.city_number[name]
    offices = state.board.offices[city]
    _put_row(state.offices, offices, town.offices, name)
    state.extras[city] = bytes(CODES[sign] for sign in town.extra)
    full = None not in town.offices and bool(town.offices or town.extra)
    state.complete += full


def _put_row(places: bytearray, there: range, row: Sequence[Sign], name: str) -> None:
    """Put pieces on these places, one on each: HT-1.2, HT-1.3."""
    require(len(row) == len(there), f"{name} has {len(there)} places.")
    places[there.start : there.stop] = bytes(CODES[sign] for sign in row)


def _plan(state: State, pending: steps.Pending | None) -> list[Step]:
    """The pending step, for the seat that decides it, and what follows it: HT-3.2, HT-11.3."""
    turn, following = steps.Turn((state.active,)), (state.active + 1) % state.seats
    if pending is None:
        return [turn]
    if isinstance(pending, steps.Relocate):
        return [turn, pending]
    decides = following if isinstance(pending, steps.PlacePawn) else state.active
    asked = msgspec.structs.replace(pending, seats=(decides,))
    match pending:
        case steps.PlacePawn():
            return [steps.NextTurn(seat=state.active), asked]
        case steps.PlaceMarkers():
            return [steps.NextTurn(seat=following), asked]
        case steps.Moving(bonus=True) | steps.Deploying() | steps.GreenOffice():
            return [turn, steps.CheckEnd(), asked]
        case _:
            return [turn, asked]
