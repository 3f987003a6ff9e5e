"""Checks of soldiers that the agenda names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from domain.engine.errors import require, require_distinct
from domain.games.great_wall import board
from domain.games.great_wall.rules.war.fighting import units_on
from domain.games.great_wall.state.agenda.soldiers import Tally, Unit
from domain.games.great_wall.state.table import State


def check_units(state: State, clan: int, units: Sequence[Unit]) -> None:
    """Refuse soldiers that do not stand where a step says: GW-10.1."""
    require(units_exist(state, clan, units), "The clan has no such soldiers there.")


def units_exist(state: State, clan: int, units: Sequence[Unit]) -> bool:
    """Whether all these soldiers of a clan stand there, and each is named once: GW-10.1."""
    there = _count_units(state, clan)
    return all(count <= there[unit] for unit, count in Counter(units).items())


def _count_units(state: State, clan: int) -> Counter[Unit]:
    """All soldiers of a clan on the board, with their number."""
    owned, found = state.clans[clan], Counter[Unit]()
    for place in state.hordes_on_board():
        found.update(units_on(place, clan))
    for section in state.setup.table.sections:
        found[Unit("archer", section, "firing")] += owned.firing_in(section)
        for soldier, count in zip(board.SOLDIERS, owned.resting(section), strict=True):
            found[Unit(soldier, section, "rest")] += count
    return found


def check_tally(state: State, tally: Tally) -> None:
    """Refuse an attack on something that is not there: GW-10.9."""
    cards = {*tally.hordes, *tally.filled, *(card for card, _ in tally.covered)}
    require(cards <= set(state.setup.hordes), "Only Horde cards of this game can be attacked.")
    require(
        set(tally.sections) <= set(state.setup.table.sections),
        "Only Sections in use can be attacked.",
    )
    for names in (tally.types, tally.sections, tally.hordes, tally.filled, tally.covered):
        require_distinct(names, "tally")
