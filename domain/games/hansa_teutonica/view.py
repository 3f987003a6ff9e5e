"""What each seat may know, which in this game is everything: HT-12.1, HT-12.3.

The order of the marker supply is unknown to all, so it is not in the state: the dice decide when a
seat draws a marker.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.engine.game import seats_to_move
from domain.engine.play import Seat
from domain.engine.positions.forms import by_name
from domain.games.hansa_teutonica.board import ABILITIES, MARKERS, Map, Marker, Province, Soldier
from domain.games.hansa_teutonica.scoring import final_points, survey
from domain.games.hansa_teutonica.state.position import signs
from domain.games.hansa_teutonica.state.steps import Pending, Turn
from domain.games.hansa_teutonica.state.table import LastDeed, State

Signs = tuple[str | None, ...]
"""Pieces: `1m` is a merchant of seat 1."""


class CityView(msgspec.Struct, frozen=True):
    """The pieces in a city, from left to right, and its controller."""

    offices: Signs
    extra: Signs
    controller: Seat | None


class PlayerView(msgspec.Struct, frozen=True):
    """What a seat owns, all of it public."""

    supply: tuple[int, int]  # traders and merchants in its supply: HT-1.6
    stock: tuple[int, int]
    levels: dict[str, int]
    prestige: int
    ready: dict[Marker, int]
    used: dict[Marker, int]
    network: int
    points: dict[str, int]  # by category, its points if the game ended now


class View(msgspec.Struct, frozen=True, tag_field="game", tag="hansa_teutonica"):
    """The table as one seat, or a spectator, may see it."""

    map: Map
    provinces: tuple[Province, ...]
    soldiers: tuple[Soldier, ...]
    colours: tuple[str, ...]
    options: dict[str, str]
    routes: dict[str, Signs]
    cities: dict[str, CityView]
    special: Signs
    markers: dict[str, str]  # by id of the route, the marker on it
    players: tuple[PlayerView, ...]
    scores: tuple[int, ...]  # by seat, its points if the game ended now
    marker_supply: dict[Marker, int]  # by kind, the markers in the supply, whose order is unknown
    bottom: tuple[str, ...]
    fresh: dict[Marker, int]
    complete: int
    connected: tuple[Seat, ...]
    active: Seat
    turn: int
    actions: int
    acted: bool
    pawn: str | None
    pawn_moved: bool
    closed: bool
    passes: tuple[str, ...]  # ids of cities whose permission was used in this turn: HT-14.12
    awaiting: tuple[Seat, ...]
    pending: Turn | Pending | None
    seat: Seat | None
    last: LastDeed | None
    ended: str | None
    winners: tuple[Seat, ...]


def view(state: State, seat: Seat | None) -> View:
    """The whole table, without the order of the marker supply: HT-12.1."""
    setup = state.setup
    held = survey(state)
    by_seat = enumerate(zip(held.networks, final_points(state, held), strict=True))
    players = tuple(_player(state, other, *worth) for other, worth in by_seat)
    return View(
        map=setup.map,
        provinces=setup.provinces,
        soldiers=setup.soldiers,
        colours=setup.colours,
        options=_options(state),
        routes={
            route.id: signs(state.posts[span.start : span.stop])
            for route, span in zip(setup.map.routes, state.board.posts, strict=True)
        },
        cities=_cities(state, held.controllers),
        special=signs(state.special),
        markers={
            route.id: MARKERS[marker - 1]
            for route, marker in zip(setup.map.routes, state.markers, strict=True)
            if marker
        },
        players=players,
        scores=tuple(sum(player.points.values()) for player in players),
        marker_supply=by_name(MARKERS, state.pile),
        bottom=tuple(MARKERS[number] for number in state.bottom),
        fresh=by_name(MARKERS, state.fresh),
        complete=state.complete,
        connected=state.connected,
        active=state.active,
        turn=state.turn,
        actions=state.actions,
        acted=state.acted,
        pawn=state.pawn,
        pawn_moved=state.pawn_moved,
        closed=state.closed,
        passes=state.passes,
        awaiting=seats_to_move(state),
        pending=state.agenda[-1] if state.agenda else None,
        seat=seat,
        last=state.last,
        ended=state.ended,
        winners=state.winners,
    )


def _player(state: State, seat: Seat, network: int, points: dict[str, int]) -> PlayerView:
    return PlayerView(
        supply=state.in_supply(seat),
        stock=state.in_stock(seat),
        levels={name: state.level(seat, number) for number, name in enumerate(ABILITIES)},
        prestige=state.prestige[seat],
        ready=by_name(MARKERS, state.markers_of(state.ready, seat)),
        used=by_name(MARKERS, state.markers_of(state.used, seat)),
        network=network,
        points=points,
    )


def _cities(state: State, controllers: Sequence[Seat | None]) -> dict[str, CityView]:
    board = state.board
    rows = zip(state.setup.map.cities, board.offices, state.extras, controllers, strict=True)
    return {
        city.id: CityView(signs(state.offices[span.start : span.stop]), signs(extra), seat)
        for city, span, extra, seat in rows
    }


def _options(state: State) -> dict[str, str]:
    setup = state.setup
    return {
        "ability_choice": setup.ability_choice,
        "marker_use": setup.marker_use,
        "marker_refill": setup.marker_refill,
        "remove_three": setup.remove_three,
        "tie_break": setup.tie_break,
        "income": setup.income,
        "swap": setup.swap,
    }
