"""Adjustments of how good a move looks to bots that defend the Wall: GW-13.3 to GW-13.6.

We found the bonuses by trial: with each of them fewer tables of the easier levels end by Shame.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Move, Seat
from domain.games.great_wall import board, moves
from domain.games.great_wall.rules import winter
from domain.games.great_wall.state.agenda.clerks import Build
from domain.games.great_wall.state.agenda.soldiers import Attacking, Deploy, Recruit
from domain.games.great_wall.state.agenda.supply import DiscardShame
from domain.games.great_wall.state.table import State

BUILDING_BONUS = 6.0
"""A bonus for building where a breach threatens."""
CLOSING_BONUS = 3.0
"""A bonus for what closes a gap; the smaller the gap, the better it looks to begin with it."""
SPARING_PENALTY = 4.0
"""A penalty for building where the Wall holds."""
BUILDER_BONUS = 7.0
"""A bonus for a clerk that builds where a breach threatens."""
BARRACKS_BONUS = 2.0
"""A bonus for a clerk that recruits where a breach threatens."""
PRODUCTION_BONUS = 1.0
"""A bonus for a clerk that fetches what the Wall costs."""
ACTIVATION_BONUS = 2.0
"""A bonus for the clerk that activates a Location where a breach threatens."""
MANNING_BONUS = 2.0
"""A bonus for the first soldier on a Horde card: its clan gets no Shame for the card: GW-13.6."""
CARD_BONUS = {"despotism": 1.0, "economy": 0.5, "work_harder": 0.5}
"""Bonuses of command cards that move many clerks."""
RECRUIT_PRICE = 3
"""A clan with this many resources can recruit."""
WALL_STEPS = (Build, Recruit, Deploy, Attacking, DiscardShame)
"""The questions that decide on the defence."""


def is_at_stake(state: State) -> bool:
    """Whether the question decides on the defence of the Wall."""
    return isinstance(state.agenda[-1], WALL_STEPS)


def adjust(state: State, seat: Seat, move: Move) -> float:
    """By how much a move looks better to a bot that fears a breach."""
    match move:
        case moves.BuildWall() | moves.BuildBarricade():
            return _rate_building(state, move)
        case moves.Attack(row=int()):
            return _rate_attack(state, seat, move)
        case moves.MoveClerk():
            return _rate_clerk(state, seat, move.to)
        case moves.PlayCommand():
            return CARD_BONUS.get(move.card, 0.0)
        case _:
            return 0.0


def _find_gap(state: State, section: board.Section) -> int:
    """By how much Power exceeds Defense, as if Winter came now; 0 if the Wall holds: GW-13.3."""
    if not state.horde_cards(section):
        return 0
    return max(0, winter.power(state, section) - winter.defense(state, section))


def _find_gaps(state: State) -> Iterator[int]:
    """The gaps of all Sections that would be breached."""
    return filter(None, (_find_gap(state, one) for one in state.setup.table.sections))


def _rate_building(state: State, move: moves.BuildWall | moves.BuildBarricade) -> float:
    """A bonus for closing a gap, the most for a Barricade that is enough."""
    gap = _find_gap(state, move.section)
    if not gap:
        return -SPARING_PENALTY
    enough = isinstance(move, moves.BuildBarricade) and gap <= board.BARRICADE_DEFENSE
    return BUILDING_BONUS + CLOSING_BONUS / gap + CLOSING_BONUS * enough


def _rate_attack(state: State, seat: Seat, move: moves.Attack) -> float:
    """A bonus for the first soldier on a Horde card where a breach threatens."""
    assert move.row is not None
    first = not state.horde_cards(move.section)[move.row].count_covered(seat)
    return MANNING_BONUS * (first and _find_gap(state, move.section) > 0)


def _rate_clerk(state: State, seat: Seat, location: board.Location) -> float:
    """A bonus for a clerk that helps against a breach with what the clan can pay."""
    gaps = sum(_find_gaps(state))
    if not gaps:
        return 0.0
    clan = state.clans[seat]
    means = sum(clan.resources[: board.CHI]) + sum(state.warehouse)
    bonus = ACTIVATION_BONUS * (state.free_slots(location) == 1)
    if location == "builders":
        paid = means >= board.BARRICADE_COST * (1 + clan.at(location))
        needed = state.clerks_at(location) * board.BARRICADE_DEFENSE < gaps
        return bonus + BUILDER_BONUS * (paid and needed)
    if location == "barracks":
        return bonus + BARRACKS_BONUS * (means >= RECRUIT_PRICE)
    return bonus + PRODUCTION_BONUS if location in board.PRODUCTION else 0.0
