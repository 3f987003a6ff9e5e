"""What a seat can do in its turn now, for the prompt: chapters 4, 8 and 11."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from domain.engine.play import Seat
from domain.engine.sentences import Sentence
from domain.games.hansa_teutonica.board import (
    ABILITIES,
    COMPLETE,
    COSTS,
    ENGLAND,
    Marker,
    Route,
)
from domain.games.hansa_teutonica.view import View


def name_choices(view: View, seat: Seat) -> Iterator[Sentence]:
    """The actions that are possible, markers and the pawn; without an action, the end of the turn
    as well.
    """
    actions = list(_actions(view, seat)) if view.actions and not view.closed else []
    yield from actions
    if not view.closed and any(_can_use(view, seat, kind) for kind in view.players[seat].ready):
        yield Sentence("choice_marker")
    if view.pawn and (view.actions or not view.pawn_moved) and not view.closed:
        yield Sentence("choice_pawn")
    if not actions:
        yield Sentence("choice_end")


def _actions(view: View, seat: Seat) -> Iterator[Sentence]:
    """The five actions: HT-4.1 to HT-4.5."""
    routes = [route for route in view.map.routes if _is_open(view, seat, route)]
    if any(_can_place(view, seat, route) for route in routes):
        yield Sentence("choice_place")
    if any(_can_displace(view, seat, route) for route in routes):
        yield Sentence("choice_displace")
    if any(_is_own(sign, seat) for row in view.routes.values() for sign in row):
        yield Sentence("choice_move")
    if any(view.players[seat].stock):
        yield Sentence("choice_income")
    if any(
        _touches_pawn(view, route) and all(_is_own(sign, seat) for sign in view.routes[route.id])
        for route in view.map.routes
    ):
        yield Sentence("choice_establish")


def _is_open(view: View, seat: Seat, route: Route) -> bool:
    """Whether a seat may place and displace on a route: HT-11.4, HT-14.12."""
    return _touches_pawn(view, route) and (
        route.country == ENGLAND
        or any(
            route.country in city.gateway_to
            and city.id not in view.passes
            and _is_own(_rightmost(view, city.id), seat)
            for city in view.map.cities
        )
    )


def _touches_pawn(view: View, route: Route) -> bool:
    """Whether a route touches the province of the pawn, if there is one: HT-11.4."""
    return view.pawn is None or any(
        route.id in province.routes for province in view.provinces if province.id == view.pawn
    )


def _rightmost(view: View, city: str) -> str | None:
    there = view.cities[city]
    return next(filter(None, reversed((*there.extra, *there.offices))), None)


def _can_place(view: View, seat: Seat, route: Route) -> bool:
    """Whether a post of a route is free for a piece of the supply: HT-4.2, HT-14.1."""
    return any(sign is None and has for sign, has in _posts(view, seat, route))


def _can_displace(view: View, seat: Seat, route: Route) -> bool:
    """Whether the supply is enough for a piece of another seat on a route: HT-4.3, HT-5.1."""
    supply = sum(view.players[seat].supply)
    return any(
        sign is not None and not _is_own(sign, seat) and has and supply > COSTS[sign[-1] == "m"]
        for sign, has in _posts(view, seat, route)
    )


def _posts(view: View, seat: Seat, route: Route) -> Iterator[tuple[str | None, bool]]:
    """The posts of a route: the piece there, and whether the supply has one that may stand there:
    HT-14.1.
    """
    traders, merchants = view.players[seat].supply
    kinds = route.post_requires or ("any",) * route.posts
    for sign, kind in zip(view.routes[route.id], kinds, strict=True):
        yield sign, bool(merchants or (traders and kind == "any"))


def _is_own(sign: str | None, seat: Seat) -> bool:
    return sign is not None and sign[:-1] == str(seat)


def _can_use(view: View, seat: Seat, kind: Marker) -> bool:
    """Whether a marker is ready for the turn, and has an effect: HT-8.1, HT-8.4 to HT-8.7."""
    player = view.players[seat]
    if player.ready[kind] == (view.fresh.get(kind) if _waits(view) else 0):
        return False
    match kind:
        case "swap_offices":
            return any(
                _is_swap(view, seat, *pair)
                for city in view.cities.values()
                for pair in pairwise(city.offices)
            )
        case "remove_three":
            others = view.options["remove_three"] == "move"
            signs = filter(None, (sign for row in view.routes.values() for sign in row))
            return any(not (others and _is_own(sign, seat)) for sign in signs)
        case "improve_ability":
            return any(
                player.levels[name] < COMPLETE[number] for number, name in enumerate(ABILITIES)
            )
        case _:
            return kind != "extra_office"  # that is for a route


def _waits(view: View) -> bool:
    """Whether a marker cannot be used in the turn in which it was taken: HT-8.1, HT-13.2."""
    return view.options["marker_use"] == "later_turn"


def _is_swap(view: View, seat: Seat, left: str | None, right: str | None) -> bool:
    """Whether two neighbouring offices can be swapped: HT-8.4, HT-13.8."""
    if left is None or right is None:
        return False
    return view.options["swap"] == "any" or _is_own(left, seat) or _is_own(right, seat)
