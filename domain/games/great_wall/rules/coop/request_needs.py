"""What a Request needs: checks that must hold, and payments: GW-18.10."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.errors import RuleBroken
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.requests import Check, RequestNeed
from domain.games.great_wall.rules.coop import request_payments
from domain.games.great_wall.state import counters
from domain.games.great_wall.state.table import State

UPPER_LIMIT_CHECKS: frozenset[Check] = frozenset(
    {"no_breach_this_year", "each_player_count_at_most"}
)
"""The checks with an upper limit; the others have a lower limit."""


def check_needs(state: State, request: str) -> None:
    """Refuse a Request that lacks a check or a payment: GW-16.11, GW-18.10."""
    for need in decks.REQUESTS[request].needs:
        if need.check is not None and not holds(state, need):
            raise RuleBroken("GW-16.11", "not_met")
    if not request_payments.can_be_paid(state, request):
        raise RuleBroken("GW-16.11", "too_dear", "fault_too_dear_request")


def can_fulfil(state: State, request: str) -> bool:
    """Whether all checks of a Request hold, and its payments are possible now: GW-16.11."""
    try:
        check_needs(state, request)
    except RuleBroken:
        return False
    return True


def holds(state: State, need: RequestNeed) -> bool:
    """Whether a check holds: GW-18.10."""
    asked, found = limit(state, need), find_counts(state, need)
    if need.check in UPPER_LIMIT_CHECKS:
        return all(number <= asked for number in found)
    return all(number >= asked for number in found)


def limit(state: State, need: RequestNeed) -> int:
    """The number of a check with this number of players: GW-18.10."""
    if need.n is None:
        return 0 if need.check in UPPER_LIMIT_CHECKS else 1
    return need.n[str(state.seats)] if isinstance(need.n, dict) else need.n


def find_counts(state: State, need: RequestNeed) -> Sequence[int]:
    """The numbers to compare with that of a check; for each player or Section, or one in all."""
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
