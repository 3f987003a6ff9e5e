"""What makes a move look better or worse where all play together: GW-16."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.engine.play import Move, Seat
from domain.games.great_wall import board, moves
from domain.games.great_wall.bot import demands
from domain.games.great_wall.state.steps.coop import OrderPlayers
from domain.games.great_wall.state.steps.requests import AskShares, OfferShare
from domain.games.great_wall.state.table import State

WANTED = 2.0
"""How much better a clerk or a resource is that brings what a Request asks for."""
FOR_OTHERS = 0.4
"""How much better a clerk is that helps others to what they lack."""
KEPT = 3.0
"""How much worse it is to spend what a Request asks for."""
CARDS = {"economy": 2.0, "despotism": 1.5, "work_harder": 1.0}
"""How much better these command cards are. They were found by trying, as the weights above."""
FILLED = 1.0
"""How much better the last clerk is, with which a Location activates."""


def more(state: State, seat: Seat, move: Move) -> float:
    """By how much a move looks better than it would if all played against each other."""
    looks = LOOKS.get(type(move))
    return looks(state, seat, move) if looks else 0.0


def _lack(state: State, seat: Seat, resource: board.Resource) -> int:
    """How many more of a resource a seat needs."""
    return demands.lacking(state, seat)[board.RESOURCE_NUMBER[resource]]


def _reserved(state: State, seat: Seat, spent: board.Cost) -> int:
    """How much of what is spent the Requests ask for."""
    asked, have = demands.demand(state).resources, state.clans[seat].resources
    short = 0
    for name, count in spent.items():
        number = board.RESOURCE_NUMBER[name]
        short += max(0, min(count, asked[number] - (have[number] - count)))
    return short


def _card(_state: State, _seat: Seat, move: moves.PlayCommand) -> float:
    return CARDS.get(move.card, 0.0)


def _taking(state: State, seat: Seat, move: moves.TakeResource) -> float:
    return WANTED * (_lack(state, seat, move.resource) > 0)


def _losing(state: State, seat: Seat, move: moves.LoseResource | moves.DonateResource) -> float:
    return -KEPT * _reserved(state, seat, {move.resource: 1})


def _paying(state: State, seat: Seat, move: moves.PayBill) -> float:
    paid: board.Cost = {name: getattr(move, name) for name in board.RESOURCES}
    return -WANTED * _reserved(state, seat, paid)


def _recruiting(state: State, seat: Seat, move: moves.NameRecruit) -> float:
    return -KEPT * _reserved(state, seat, board.RECRUIT_COSTS[move.soldier])


def _hiring(state: State, seat: Seat, _move: moves.HireClerk) -> float:
    return -KEPT * _reserved(state, seat, {"gold": board.CLERK_COST})


def _resting(state: State, _seat: Seat, move: moves.SendToRest) -> float:
    short = demands.demand(state).resting - _at_rest(state, move.section)
    return 3 * WANTED * (short > 0)


def _clerk(state: State, seat: Seat, move: moves.MoveClerk) -> float:
    return _use(state, seat, move.to) + FILLED * (state.room(move.to) == 1)


def _use(state: State, seat: Seat, location: board.Location) -> float:
    """How much of what is asked for a clerk in a Location brings."""
    clan, demand = state.clans[seat], demands.demand(state)
    if location in board.PRODUCTION:
        made = board.PRODUCTION[location]
        if _lack(state, seat, made) > clan.at(location) * (1 + clan.level(location)):
            return WANTED
        helped = any(
            state.clans[other].at(location) and _lack(state, other, made)
            for other in range(state.seats)
            if other != seat
        )
        return FOR_OTHERS * helped
    if location == "embassy":
        return WANTED * (demand.advisors > clan.advisors + clan.at(location))
    if location == "builders":
        return WANTED * (demand.walls > sum(state.walls))
    if location == "barracks":
        sections = state.setup.table.sections
        return WANTED * any(demand.resting > _at_rest(state, one) for one in sections)
    return 0.0


def _advisor(state: State, seat: Seat, _move: moves.HireAdvisor) -> float:
    """An advisor that is asked for, or one that uses up gold that is."""
    clan = state.clans[seat]
    if demands.demand(state).advisors > clan.advisors:
        return WANTED
    return -2 * KEPT * (_reserved(state, seat, {"gold": clan.advisors + 1}) > 0)


def _build(state: State, seat: Seat, move: moves.BuildWall | moves.BuildBarricade) -> float:
    """Walls that are asked for, or what can be built with what is not asked for."""
    wall = isinstance(move, moves.BuildWall)
    if wall and demands.demand(state).walls > sum(state.walls):
        return WANTED
    cost = board.WALL[state.wall(move.section)].next_cost if wall else board.BARRICADE_COST
    asked, have = demands.demand(state).resources, state.clans[seat].resources
    free = sum(max(0, have[number] - asked[number]) for number in range(board.CHI))
    return -KEPT * ((cost or 0) > free + sum(state.warehouse))


def _at_rest(state: State, section: board.Section) -> int:
    """The soldiers of all in a Rest Zone."""
    return sum(sum(clan.resting(section)) for clan in state.clans)


def _spare(state: State, seat: Seat, move: moves.PutShame) -> float:
    """The more soldiers of a type are left, the better they bear a Shame token."""
    pool = state.clans[seat].pool
    return 0.1 * pool[board.SOLDIER_NUMBER[move.soldier]] if move.soldier else 0.0


def _returning(state: State, seat: Seat, _move: moves.ReturnShame) -> float:
    """Honor that a Request asks for is not for Shame: GW-16.6."""
    left = state.clans[seat].honor - board.SHAME_HONOR
    return -KEPT * 2 * (left < demands.demand(state).honor)


def _naming(state: State, _seat: Seat, _move: moves.NamePlayer) -> float:
    """The Tea order will do."""
    return -1.0 if isinstance(state.agenda[-1], OrderPlayers) else 0.0


def _giving(state: State, seat: Seat, move: moves.GiveShare) -> float:
    return 1.0 - abs(move.amount - _fair(state, seat)) / 100


def _fair(state: State, seat: Seat) -> int:
    """As much of what is still to be paid together as the seat has of what there is for it."""
    step, asking = state.agenda[-1], state.agenda[-2]
    assert isinstance(step, OfferShare)
    assert isinstance(asking, AskShares)
    wealth, *others = (
        demands.there(state, one, step.request, step.kind) for one in (seat, *asking.waiting)
    )
    return -(-step.left * wealth // max(1, wealth + sum(others)))


LOOKS: dict[type[Any], Callable[[State, Seat, Any], float]] = {
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
"""By the kind of a move, what is looked at besides."""
