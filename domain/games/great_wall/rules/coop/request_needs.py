"""What a Request needs: whether it holds, whether it can be paid: GW-18.10."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.errors import RuleBroken
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.requests import Check, Need
from domain.games.great_wall.rules.coop import request_payments
from domain.games.great_wall.state import counters
from domain.games.great_wall.state.table import State

AT_MOST: frozenset[Check] = frozenset({"no_breach_this_year", "each_player_count_at_most"})
"""The checks that ask for no more than a number; the others ask for no less."""


def check(state: State, request: str) -> None:
    """Refuse a Request with a need that does not hold, or cannot be paid: GW-16.11, GW-18.10."""
    for need in decks.REQUESTS[request].needs:
        if need.check is not None and not holds(state, need):
            raise RuleBroken("GW-16.11", "not_met")
    if not request_payments.payable(state, request):
        raise RuleBroken("GW-16.11", "too_dear", "fault_too_dear_request")


def met(state: State, request: str) -> bool:
    """Whether all that a Request needs holds, and can be paid now: GW-16.11."""
    try:
        check(state, request)
    except RuleBroken:
        return False
    return True


def holds(state: State, need: Need) -> bool:
    """Whether what a check asks for is so: GW-18.10."""
    asked, found = limit(state, need), reached(state, need)
    if need.check in AT_MOST:
        return all(number <= asked for number in found)
    return all(number >= asked for number in found)


def limit(state: State, need: Need) -> int:
    """The number that a check asks for with so many players: GW-18.10."""
    if need.n is None:
        return 0 if need.check in AT_MOST else 1
    return need.n[str(state.seats)] if isinstance(need.n, dict) else need.n


def reached(state: State, need: Need) -> Sequence[int]:
    """What a check compares with its number; for each player, or Section, there may be one."""
    sections = state.setup.table.sections
    match need.check:
        case "every_section_has_horde":
            return [len(state.horde_cards(section)) for section in sections]
        case "no_breach_this_year":
            return [state.breaches]
        case "rest_zone_soldiers_each_section":
            return [sum(sum(clan.resting(one)) for clan in state.clans) for one in sections]
        case "wall_levels_total_at_least":
            return [sum(state.walls)]
        case "hordes_defeated_this_year_at_least":
            return [state.defeats]
        case _:
            assert need.count is not None
            return [counters.count(state, seat, need.count) for seat in range(state.seats)]
