"""What the open Requests ask of a table, and how much of it the table has: GW-16.11, GW-18.10."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from domain.engine.play import Seat
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.requests import Check, RequestNeed
from domain.games.great_wall.rules.coop import request_needs, request_payments, sacrifices
from domain.games.great_wall.state.agenda.requests import Kind
from domain.games.great_wall.state.counts import Counts
from domain.games.great_wall.state.table import State

RESTING: Check = "rest_zone_soldiers_each_section"
WALLS: Check = "wall_levels_total_at_least"


class Demand(NamedTuple):
    """What all open Requests together ask for."""

    resources: Counts  # of each player
    honor: float  # of each player, if all give the same
    advisors: int  # that each player must have
    resting: int  # soldiers in each Rest Zone
    walls: int  # built levels of all Sections


_DEMAND_CACHE: dict[tuple[tuple[str, ...], int], Demand] = {}
"""By the open Requests and the number of seats. Bots look this up for every move they evaluate."""
MAX_CACHED_DEMANDS = 1_000


def find_demand(state: State) -> Demand:
    """What the open Requests ask for: GW-18.10."""
    key = state.requests, state.seats
    if key not in _DEMAND_CACHE:
        if len(_DEMAND_CACHE) >= MAX_CACHED_DEMANDS:
            _DEMAND_CACHE.clear()
        _DEMAND_CACHE[key] = _compute_demand(state)
    return _DEMAND_CACHE[key]


def _compute_demand(state: State) -> Demand:
    each = [request_payments.of_each(state, request) for request in state.requests]
    joint = [request_payments.of_all(state, request) for request in state.requests]
    needs = [need for request in state.requests for need in decks.REQUESTS[request].needs]
    return Demand(
        resources=tuple(
            sum(getattr(due, name) for due in each)
            + -(-sum(getattr(due, name) for due in joint) // state.seats)
            for name in board.RESOURCES
        ),
        honor=sum(due.honor for due in each) + sum(due.honor for due in joint) / state.seats,
        advisors=_highest_limit(state, (need for need in needs if need.count == "advisors")),
        resting=_highest_limit(state, (need for need in needs if need.check == RESTING)),
        walls=_highest_limit(state, (need for need in needs if need.check == WALLS)),
    )


def _highest_limit(state: State, needs: Iterable[RequestNeed]) -> int:
    return max((request_needs.limit(state, need) for need in needs), default=0)


def find_shortage(state: State, seat: Seat) -> Counts:
    """By resource, how many more a seat needs to pay what all open Requests ask of it."""
    have = state.clans[seat].resources
    return tuple(
        max(0, asked - there)
        for asked, there in zip(find_demand(state).resources, have, strict=True)
    )


def measure_progress(state: State, request: str) -> float:
    """How much of what a Request needs is there, from 0 to 1: the mean over its needs."""
    shares = [
        share
        for need in decks.REQUESTS[request].needs
        for share in _measure_need(state, request, need)
    ]
    return sum(shares) / len(shares)


def _measure_need(state: State, request: str, need: RequestNeed) -> Iterator[float]:
    """How far one need is met, from 0 to 1: by each player, each Section, or all together."""
    if need.check is not None:
        asked = request_needs.limit(state, need)
        most = need.check in request_needs.UPPER_LIMIT_CHECKS
        for found in request_needs.find_counts(state, need):
            yield _fraction(asked + 1, found + 1) if most else _fraction(found, asked)
    elif need.pay_each:
        due = request_payments.of_each(state, request)
        for seat in range(state.seats):
            yield min(
                _fraction(count_available(state, seat, request, kind), count)
                for kind in request_payments.KINDS
                if (count := getattr(due, kind))
            )
    elif need.pay_together:
        due = request_payments.of_all(state, request)
        for kind in request_payments.KINDS:
            if count := getattr(due, kind):
                seats = range(state.seats)
                yield _fraction(
                    sum(count_available(state, seat, request, kind) for seat in seats), count
                )
    else:
        bill = request_payments.of_warehouse(state, request)
        yield _fraction(sum(state.warehouse), bill.total)


def _fraction(found: float, asked: float) -> float:
    return min(1.0, found / asked)


def count_available(state: State, seat: Seat, request: str, kind: Kind) -> int:
    """How much of this kind a seat has."""
    clan = state.clans[seat]
    match kind:
        case "honor":
            return clan.honor
        case "any":
            return sum(clan.resources)
        case "soldiers":
            return len(sacrifices.find_soldiers(state, seat, request))
        case _:
            return clan.has(kind)
