"""The Logistics Center, where soldiers move between Sections: GW-8.10."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.sentences import Sentence
from domain.games.great_wall import board, moves
from domain.games.great_wall.events import soldiers
from domain.games.great_wall.rules.war.fighting import check_firing_spot
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda.clerks import Logistics
from domain.games.great_wall.state.table import State


def ask_moves(p: Play[State], seat: Seat, count: int) -> None:
    """Let a seat make up to that many moves of soldiers: GW-8.10, GW-18.6."""
    if count > 0:
        p.then(steps.Ask(step=Logistics((seat,), left=count)))


def offer_ways(state: State, step: Logistics, seat: Seat) -> Iterator[moves.MoveSoldier]:
    """Each soldier not on a Horde card, along the route of the move or a new one: GW-8.10."""
    clan = state.clans[seat]
    for origin, to in permutations(state.setup.table.sections, 2):
        if step.left > 0 or (origin, to) == step.route:
            for soldier, count in zip(board.SOLDIERS, clan.resting(origin), strict=True):
                if count:
                    yield moves.MoveSoldier(seat, soldier, origin, to)
            if clan.firing_in(origin):
                yield moves.MoveSoldier(seat, "archer", origin, to, fired=True)
                if state.free_firing_spots(to):
                    yield moves.MoveSoldier(seat, "archer", origin, to, fired=True, fires=True)


def check_way(state: State, step: Logistics, move: moves.MoveSoldier) -> None:
    """Refuse a soldier that is not there, and a route it cannot take: GW-8.10."""
    sections = state.setup.table.sections
    if not {move.origin, move.to} <= set(sections) or move.origin == move.to:
        raise RuleBroken("GW-8.10", "wrong_route")
    if step.left < 1 and (move.origin, move.to) != step.route:
        raise RuleBroken("GW-8.10", "no_more", "fault_no_more_moves")
    if move.fires and not move.fired:
        raise RuleBroken("GW-8.10", "not_onto_the_wall")
    _check_soldier(state, move)
    if move.fires:
        check_firing_spot(state, move.to)


def _check_soldier(state: State, move: moves.MoveSoldier) -> None:
    """Refuse a soldier that does not stand there: GW-8.10."""
    clan = state.clans[move.seat]
    if move.fired:
        there = clan.firing_in(move.origin) if move.soldier == "archer" else 0
    else:
        there = clan.resting(move.origin)[board.SOLDIER_NUMBER[move.soldier]]
    if not there:
        raise RuleBroken(
            "GW-8.10",
            "not_there",
            "fault_not_there_soldier",
            soldier=Sentence(f"soldier_{move.soldier}"),
        )


def move_soldier(p: Play[State], step: Logistics, move: moves.MoveSoldier) -> None:
    """Move a soldier, and offer the same route or a new one: GW-8.10."""
    p.emit(
        soldiers.SoldierMoved(move.seat, move.soldier, move.origin, move.fired, move.to, move.fires)
    )
    route = (move.origin, move.to)
    left = step.left - (route != step.route)
    p.then(steps.Ask(step=Logistics((move.seat,), left=left, route=route)))
