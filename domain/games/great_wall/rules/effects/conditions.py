"""Conditions of cards: GW-18.7."""

from __future__ import annotations

from domain.games.great_wall import board
from domain.games.great_wall.cards.amounts import Cost
from domain.games.great_wall.cards.conditions import Condition
from domain.games.great_wall.state.clans import Clan
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.counters import value
from domain.games.great_wall.state.table import State


def holds(state: State, clan: int, cond: Condition, context: Context) -> bool:
    """Whether all members of a condition hold for a clan while it answers this event: GW-18.7."""
    least, most = cond.count_at_least, cond.count_at_most
    return (
        (cond.has is None or _has(state.clans[clan], cond.has))
        and (not cond.soldier_on_this_horde or _on_horde(state, clan, context))
        and (not cond.archer_in_this_section or _archer_there(state, clan, context))
        and (cond.attacked_with is None or not set(cond.attacked_with).isdisjoint(context.types))
        and (cond.own_clerk_in is None or _clerk_in(state.clans[clan], cond.own_clerk_in))
        and all(holds(state, clan, part, context) for part in cond.all)
        and (least is None or value(state, clan, least, context) >= least.n)
        and (most is None or value(state, clan, most, context) <= most.n)
    )


def _has(clan: Clan, cost: Cost) -> bool:
    """Whether a clan has these resources, and as much honor: GW-18.2."""
    left = [clan.has(resource) - getattr(cost, resource) for resource in board.RESOURCES]
    mixed = left[board.WOOD] + left[board.STONE] + left[board.GOLD]
    return min(left) >= 0 and mixed >= cost.any_of_wsg and clan.honor >= cost.honor


def _on_horde(state: State, clan: int, context: Context) -> bool:
    """Whether a clan has a soldier on the Horde card of this event: GW-18.11."""
    places = map(state.find_horde, context.hordes)
    return any(place is not None and place.horde.count_covered(clan) > 0 for place in places)


def _archer_there(state: State, clan: int, context: Context) -> bool:
    """Whether a clan has an Archer in a Firing spot of this Section: GW-18.11."""
    return any(state.clans[clan].firing_in(section) > 0 for section in context.sections)


def _clerk_in(clan: Clan, where: str) -> bool:
    """Whether a clan has a clerk in such a Location: GW-18.3."""
    return any(clan.at(location) > 0 for location in board.LOCATIONS_BY_WORD[where])
