"""Adjustments of how good a move looks in the cooperative game: GW-16."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.engine.play import Move, Seat
from domain.games.great_wall import board, moves
from domain.games.great_wall.bot import demands, outlook
from domain.games.great_wall.state.agenda.coop import OrderPlayers
from domain.games.great_wall.state.agenda.requests import AskShares, OfferShare
from domain.games.great_wall.state.table import State

REQUEST_BONUS = 2.0
"""A bonus for a clerk or a resource that brings what a Request asks for."""
HELP_BONUS = 0.4
"""A bonus for a clerk that helps others to get what they lack."""
SPENDING_PENALTY = 3.0
"""A penalty for spending what a Request asks for."""
CARD_BONUS = {"economy": 2.0, "despotism": 1.5, "work_harder": 1.0}
"""Bonuses of command cards. We found them by trial, like the weights above."""
BREACH_BONUS = 2.0
"""A bonus for building where a breach threatens: each breach costs the table Shame."""
ACTIVATION_BONUS = 1.0
"""A bonus for the clerk that activates a Location."""


def adjust(state: State, seat: Seat, move: Move) -> float:
    """By how much a move looks better than in a standard game."""
    looks = ADJUSTMENTS.get(type(move))
    return looks(state, seat, move) if looks else 0.0


def _count_lacking(state: State, seat: Seat, resource: board.Resource) -> int:
    """How many more of a resource a seat needs."""
    return demands.find_shortage(state, seat)[board.RESOURCE_NUMBER[resource]]


def _count_reserved(state: State, seat: Seat, spent: board.Cost) -> int:
    """How many of the spent resources the Requests ask for."""
    asked, have = demands.find_demand(state).resources, state.clans[seat].resources
    short = 0
    for name, count in spent.items():
        number = board.RESOURCE_NUMBER[name]
        short += max(0, min(count, asked[number] - (have[number] - count)))
    return short


def _card(_state: State, _seat: Seat, move: moves.PlayCommand) -> float:
    return CARD_BONUS.get(move.card, 0.0)


def _taking(state: State, seat: Seat, move: moves.TakeResource) -> float:
    return REQUEST_BONUS * (_count_lacking(state, seat, move.resource) > 0)


def _losing(state: State, seat: Seat, move: moves.LoseResource | moves.DonateResource) -> float:
    return -SPENDING_PENALTY * _count_reserved(state, seat, {move.resource: 1})


def _paying(state: State, seat: Seat, move: moves.PayBill) -> float:
    paid: board.Cost = {name: getattr(move, name) for name in board.RESOURCES}
    return -REQUEST_BONUS * _count_reserved(state, seat, paid)


def _recruiting(state: State, seat: Seat, move: moves.NameRecruit) -> float:
    return -SPENDING_PENALTY * _count_reserved(state, seat, board.RECRUIT_COSTS[move.soldier])


def _hiring(state: State, seat: Seat, _move: moves.HireClerk) -> float:
    return -SPENDING_PENALTY * _count_reserved(state, seat, {"gold": board.CLERK_COST})


def _resting(state: State, _seat: Seat, move: moves.SendToRest) -> float:
    short = demands.find_demand(state).resting - _count_resting(state, move.section)
    return 3 * REQUEST_BONUS * (short > 0)


def _clerk(state: State, seat: Seat, move: moves.MoveClerk) -> float:
    return _rate_location(state, seat, move.to) + ACTIVATION_BONUS * (
        state.free_slots(move.to) == 1
    )


def _rate_location(state: State, seat: Seat, location: board.Location) -> float:
    """How much a clerk in a Location brings of what the Requests ask for."""
    clan, demand = state.clans[seat], demands.find_demand(state)
    if location in board.PRODUCTION:
        made = board.PRODUCTION[location]
        if _count_lacking(state, seat, made) > clan.at(location) * (1 + clan.level(location)):
            return REQUEST_BONUS
        helped = any(
            state.clans[other].at(location) and _count_lacking(state, other, made)
            for other in range(state.seats)
            if other != seat
        )
        return HELP_BONUS * helped
    if location == "embassy":
        return REQUEST_BONUS * (demand.advisors > clan.advisors + clan.at(location))
    if location == "builders":
        return _rate_builders(state, demand.walls)
    if location == "barracks":
        sections = state.setup.table.sections
        return REQUEST_BONUS * any(demand.resting > _count_resting(state, one) for one in sections)
    return 0.0


def _rate_builders(state: State, walls: int) -> float:
    """How much a builder helps against a breach, or towards the Walls that Requests ask for."""
    if any(outlook.expects_breach(state, one) for one in state.setup.table.sections):
        return BREACH_BONUS
    return REQUEST_BONUS * (walls > sum(state.walls))


def _advisor(state: State, seat: Seat, _move: moves.HireAdvisor) -> float:
    """A bonus for an advisor that a Request asks for, a penalty for spending its gold."""
    clan = state.clans[seat]
    if demands.find_demand(state).advisors > clan.advisors:
        return REQUEST_BONUS
    return -2 * SPENDING_PENALTY * (_count_reserved(state, seat, {"gold": clan.advisors + 1}) > 0)


def _build(state: State, seat: Seat, move: moves.BuildWall | moves.BuildBarricade) -> float:
    """A bonus where a breach threatens, and for Walls that a Request asks for; a penalty for
    spending its resources.
    """
    if outlook.expects_breach(state, move.section):
        return BREACH_BONUS
    wall = isinstance(move, moves.BuildWall)
    if wall and demands.find_demand(state).walls > sum(state.walls):
        return REQUEST_BONUS
    cost = board.WALL[state.wall(move.section)].next_cost if wall else board.BARRICADE_COST
    asked, have = demands.find_demand(state).resources, state.clans[seat].resources
    free = sum(max(0, have[number] - asked[number]) for number in range(board.CHI))
    return -SPENDING_PENALTY * ((cost or 0) > free + sum(state.warehouse))


def _count_resting(state: State, section: board.Section) -> int:
    """How many soldiers of all clans are in a Rest Zone."""
    return sum(sum(clan.resting(section)) for clan in state.clans)


def _spare(state: State, seat: Seat, move: moves.PutShame) -> float:
    """The more soldiers of a type are left, the better this type can take a Shame token."""
    pool = state.clans[seat].pool
    return 0.1 * pool[board.SOLDIER_NUMBER[move.soldier]] if move.soldier else 0.0


def _returning(state: State, seat: Seat, _move: moves.ReturnShame) -> float:
    """A penalty for spending honor on Shame that a Request asks for: GW-16.6."""
    left = state.clans[seat].honor - board.SHAME_HONOR
    return -SPENDING_PENALTY * 2 * (left < demands.find_demand(state).honor)


def _naming(state: State, _seat: Seat, _move: moves.NamePlayer) -> float:
    """The Tea order is good enough."""
    return -1.0 if isinstance(state.agenda[-1], OrderPlayers) else 0.0


def _giving(state: State, seat: Seat, move: moves.GiveShare) -> float:
    return 1.0 - abs(move.amount - _fair_share(state, seat)) / 100


def _fair_share(state: State, seat: Seat) -> int:
    """A share in proportion to what the seat has, among those that are still to be asked."""
    step, asking = state.agenda[-1], state.agenda[-2]
    assert isinstance(step, OfferShare)
    assert isinstance(asking, AskShares)
    wealth, *others = (
        demands.count_available(state, one, step.request, step.kind)
        for one in (seat, *asking.waiting)
    )
    return -(-step.left * wealth // max(1, wealth + sum(others)))


ADJUSTMENTS: dict[type[Any], Callable[[State, Seat, Any], float]] = {
    moves.PlayCommand: _card,
    moves.MoveClerk: _clerk,
    moves.TakeResource: _taking,
    moves.LoseResource: _losing,
    moves.DonateResource: _losing,
    moves.PayBill: _paying,
    moves.NameRecruit: _recruiting,
    moves.HireClerk: _hiring,
    moves.HireAdvisor: _advisor,
    moves.BuildWall: _build,
    moves.BuildBarricade: _build,
    moves.SendToRest: _resting,
    moves.PutShame: _spare,
    moves.ReturnShame: _returning,
    moves.NamePlayer: _naming,
    moves.GiveShare: _giving,
}
"""By kind of move, the function that computes its bonus."""
