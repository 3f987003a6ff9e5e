"""Positions of the cooperative game: events, claims, and orders of players that are asked for."""

from __future__ import annotations

from typing import Any

from domain.engine.errors import require, require_different
from domain.games.great_wall.rules import player_order, reed
from domain.games.great_wall.rules.reachable.plan import has
from domain.games.great_wall.rules.reachable.questions import Check, check_perform
from domain.games.great_wall.state.steps import coop, year
from domain.games.great_wall.state.table import State


def check_coop(state: State) -> None:
    """Claimed Horde cards are discarded at once, and a Year has one event: GW-16.9, GW-16.14."""
    for clan in state.clans:
        require(not (clan.claimed and state.coop), "Claimed Horde cards are discarded at once.")
        require(not clan.defeated or state.coop, "Claimed Horde cards are kept.")
        known = set(clan.defeated) <= set(state.setup.hordes)
        require(known, "`defeated` names Horde cards of this game.")
    most = state.slot - state.setup.table.start_slot + _event_of_this_year(state)
    require(len(state.events) <= most, f"There were {most} events at most.")


def _event_of_this_year(state: State) -> bool:
    """Whether the event of this Year may have been revealed: GW-16.14."""
    if state.ended is not None:
        return state.season == "winter"
    return isinstance(state.agenda[0], year.Spring) and not has(state, coop.EventStep)


def _order(state: State, at: int, step: coop.OrderPlayers) -> None:
    below = state.agenda[at - 1]
    fits = at > 0 and isinstance(below, coop.InOrder)
    require(fits, "An order is chosen for what is done next: GW-16.3.")
    require_different(step.named, "named")
    rest = _in_tea_order(state, set(below.clans) - set(step.named))
    require(set(step.named) <= set(below.clans), "`named` are some of those who are next.")
    require(step.waiting == rest and len(rest) > 1, "`waiting` are the others, in Tea order.")
    require(player_order.chosen(state, below.clans), "Nobody chooses the order of one player.")
    require(step.seats == (reed.overlord(state),), "The Active player chooses: GW-16.3.")


def _in_tea_order(state: State, clans: set[int]) -> tuple[int, ...]:
    return tuple(clan for clan in state.tea if clan in clans)


def _below_question(state: State, at: int, step: coop.InOrder, clans: set[int]) -> None:
    """The question for the order lies above it; until it is answered they are in Tea order."""
    above = state.agenda[at + 1] if at + 1 < len(state.agenda) else None
    require(isinstance(above, coop.OrderPlayers), "The order is asked for first: GW-16.3.")
    require(step.clans == _in_tea_order(state, clans), "`clans` are those who take part.")


def _resolve(state: State, at: int, step: coop.ResolveInOrder) -> None:
    there = {number for number, clan in enumerate(state.clans) if clan.at(step.location)}
    _below_question(state, at, step, there)


def _others(state: State, at: int, step: coop.OthersInOrder) -> None:
    laid = state.track[step.slot] if 0 <= step.slot < len(state.track) else None
    require(laid is not None, "No command card lies there.")
    _below_question(state, at, step, {clan for clan in state.tea if laid and clan != laid.clan})


def _each(state: State, at: int, step: coop.EachInOrder) -> None:
    check_perform(state, step.here)
    require(step.here.alone and not step.here.seats, "Each of them does it alone: GW-18.6.")
    require(set(step.clans) <= set(state.players), "Players do it.")
    _below_question(state, at, step, set(step.clans))


QUESTIONS: dict[type, Check] = {coop.OrderPlayers: _order}
"""By step, what must be so while it waits."""
CHORES: dict[type[Any], Check] = {
    coop.ResolveInOrder: _resolve,
    coop.OthersInOrder: _others,
    coop.EachInOrder: _each,
}
"""By step, what must be so as long as it is on the agenda."""
