"""Carries out what players plan: forced moves that play themselves, and moves planned ahead."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import structlog
from msgspec.structs import replace

from domain.engine.errors import Refusal
from domain.engine.play import Move, Seat
from domain.match.decisions.forced_moves import find_forced_move, play_forced_move
from domain.match.decisions.planned_moves import (
    PlannedMoves,
    find_planned_move,
    play_planned_move,
    update_plan,
)
from domain.match.outages import Decision
from domain.match.state import Match
from service.accounts.forced_moves import find_automatic
from service.matches.commands import Metadata, execute
from service.matches.container import Annals
from service.store.planning.plans import Plan, Plans
from service.store.redis_client import store_errors

log = structlog.get_logger()


def follow_plans(annals: Annals, match: Match) -> None:
    """Carry out the plans for a match that have something to do now; erase them after its end.

    A move that a plan makes is an entry, after which the plans are due again. Forced moves come
    first: a planned move that differs would be illegal, and the plan would be dropped.
    """
    plans = Plans(annals.store)
    due = plans.due(match.id)
    if match.status not in ("open", "active"):
        plans.erase(match.id)
        return
    known = plans.of_match(match.id)
    _erase_plans_of_leavers(plans, match, known)
    if _play_forced_move(annals, match, _find_automatic_players(annals, known, match)):
        return
    if match.status == "active" and _play_planned_move(annals, plans, match, known):
        return
    plans.finish(match.id, match.version, due)


def _erase_plans_of_leavers(plans: Plans, match: Match, known: Mapping[str, Plan]) -> None:
    """Erase what players have planned whose seats new players have: a request that was under way
    then may have written it, or a killed process left it.
    """
    for player in known.keys() & {one.player for one in match.tenures}:
        plans.erase_player([match.id], player)


def _play_planned_move(
    annals: Annals, plans: Plans, match: Match, known: Mapping[str, Plan]
) -> bool:
    """Make a planned move, if one fits now, and drop the plans that do not fit. Return whether a
    move was made.

    A plan loses a move only once that is in an entry: after a kill between the two, the next worker
    finds it there.
    """
    found = _find_planned_move(annals, plans, match, known)
    if found is None:
        return False
    player, planned, move = found
    played = _play(annals, match, player, lambda match, now: play_planned_move(match, move, now))
    if played is None:
        return False
    left = update_plan(played, planned, partial(plans.is_forced, played))
    _replace_planned(plans, match, player, planned, left)
    return True


def _find_planned_move(
    annals: Annals, plans: Plans, match: Match, known: Mapping[str, Plan]
) -> tuple[str, PlannedMoves, Move] | None:
    """Return the first planned move that fits now, with its player and their plan; record what
    became of this and the plans before it.
    """
    for player, plan in known.items():
        if (before := plan.planned) is None:
            continue
        updated = update_plan(match, before, partial(plans.is_forced, match))
        after, move = find_planned_move(match, player, updated, annals.now())
        if after != before:
            _replace_planned(plans, match, player, before, after)
        if move is not None:
            return player, after, move
    return None


def _replace_planned(
    plans: Plans, match: Match, player: str, before: PlannedMoves, after: PlannedMoves
) -> None:
    """Record what is left of the moves that a player plans, unless they have planned others."""
    plans.change(
        match.id,
        player,
        lambda plan: replace(plan, planned=after) if plan.planned == before else plan,
    )


def _find_automatic_players(
    annals: Annals, known: Mapping[str, Plan], match: Match
) -> frozenset[str]:
    """Return the players of a match whose forced moves play themselves."""
    players = sorted(match.deciding_players())
    with store_errors():
        by_account = find_automatic(annals.store.redis, players)
    choices = {player: known.get(player, Plan()).forced_moves for player in players}
    return frozenset(
        player
        for player, choice in choices.items()
        if (player in by_account if choice is None else choice)
    )


def _play_forced_move(annals: Annals, match: Match, players: frozenset[str]) -> bool:
    """Make the forced move of one of these players, if there is one. Return whether it was made."""
    seat = _find_forced_seat(annals, match, players)
    if seat is None:
        return False
    player = match.chairs[seat].player
    assert player is not None
    played = _play(annals, match, player, lambda match, now: play_forced_move(match, seat, now))
    return played is not None


def _play(annals: Annals, match: Match, player: str, decision: Decision) -> Match | None:
    """Make a move for a player at this version of the match. Return the match after it, or None if
    it was not made.
    """
    try:
        return execute(annals, match.id, Metadata(player, (match.version,)), decision).match
    except Refusal as refusal:  # the match has moved on, or the time of the player is up
        log.info("job_without_effect", match=match.id, code=refusal.code)
        return None


def _find_forced_seat(annals: Annals, match: Match, players: frozenset[str]) -> Seat | None:
    for seat in match.seats_to_move:
        if match.chairs[seat].player in players and find_forced_move(match, seat, annals.now()):
            return seat
    return None
