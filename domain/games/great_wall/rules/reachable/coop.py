"""Checks of the cooperative game: events, claims, and chosen orders of players."""

from __future__ import annotations

from typing import Any

from domain.engine.errors import require, require_distinct
from domain.games.great_wall.rules import player_order, reed
from domain.games.great_wall.rules.reachable.plan import has_step
from domain.games.great_wall.rules.reachable.questions import Check, check_perform
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import coop
from domain.games.great_wall.state.table import State


def check_coop(state: State) -> None:
    """Check that no clan keeps a Horde card, and that a Year has one event: GW-16.9, GW-16.14."""
    for clan in state.clans:
        require(not (clan.claimed and state.coop), "Claimed Horde cards are discarded at once.")
        require(not clan.defeated or state.coop, "Claimed Horde cards are kept.")
        known = set(clan.defeated) <= set(state.setup.hordes)
        require(known, "`defeated` names Horde cards of this game.")
    most = state.slot - state.setup.table.start_slot + _event_of_this_year(state)
    require(len(state.events) <= most, f"There can be at most {most} events.")


def _event_of_this_year(state: State) -> bool:
    """Whether the event of this Year may be revealed already: GW-16.14."""
    if state.ended is not None:
        return state.season == "winter"
    return isinstance(state.agenda[0], steps.Spring) and not has_step(state, coop.EventStep)


def _check_order(state: State, at: int, step: coop.OrderPlayers) -> None:
    below = state.agenda[at - 1]
    fits = at > 0 and isinstance(below, coop.InOrder)
    require(fits, "The step below must use the order: GW-16.3.")
    require_distinct(step.named, "named")
    rest = _in_tea_order(state, set(below.clans) - set(step.named))
    require(set(step.named) <= set(below.clans), "`named` must be some of the `clans` below.")
    require(step.waiting == rest and len(rest) > 1, "`waiting` are the others, in Tea order.")
    require(player_order.is_chosen(state, below.clans), "One player needs no order.")
    require(step.seats == (reed.overlord(state),), "The Active player chooses: GW-16.3.")


def _in_tea_order(state: State, clans: set[int]) -> tuple[int, ...]:
    return tuple(clan for clan in state.tea if clan in clans)


def _check_question_above(state: State, at: int, step: coop.InOrder, clans: set[int]) -> None:
    """Check that the question for the order lies above it, with the clans still in Tea order."""
    above = state.agenda[at + 1] if at + 1 < len(state.agenda) else None
    require(
        isinstance(above, coop.OrderPlayers), "The question for the order must come first: GW-16.3."
    )
    require(step.clans == _in_tea_order(state, clans), "`clans` must be those that take part.")


def _check_resolve(state: State, at: int, step: coop.ResolveInOrder) -> None:
    there = {number for number, clan in enumerate(state.clans) if clan.at(step.location)}
    _check_question_above(state, at, step, there)


def _check_others(state: State, at: int, step: coop.OthersInOrder) -> None:
    laid = state.track[step.slot] if 0 <= step.slot < len(state.track) else None
    require(laid is not None, "There is no command card on this slot.")
    _check_question_above(
        state, at, step, {clan for clan in state.tea if laid and clan != laid.clan}
    )


def _check_each(state: State, at: int, step: coop.EachInOrder) -> None:
    check_perform(state, step.here)
    require(step.here.alone and not step.here.seats, "Each player must do it separately: GW-18.6.")
    require(set(step.clans) <= set(state.players), "Only players can do it.")
    _check_question_above(state, at, step, set(step.clans))


QUESTION_CHECKS: dict[type, Check] = {coop.OrderPlayers: _check_order}
"""By kind of step, the check while it waits."""
AUTOMATIC_STEP_CHECKS: dict[type[Any], Check] = {
    coop.ResolveInOrder: _check_resolve,
    coop.OthersInOrder: _check_others,
    coop.EachInOrder: _check_each,
}
"""By kind of step, the check while it is on the agenda."""
