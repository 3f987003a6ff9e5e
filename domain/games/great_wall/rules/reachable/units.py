"""Soldiers that the agenda names: they are where it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from domain.engine.errors import require, require_different
from domain.games.great_wall import board
from domain.games.great_wall.rules.war.fighting import units_on
from domain.games.great_wall.state.steps.soldiers import Tally, Unit
from domain.games.great_wall.state.table import State


def check_units(state: State, clan: int, units: Sequence[Unit]) -> None:
    """Refuse soldiers that do not stand where they are said to: GW-10.1."""
    require(units_exist(state, clan, units), "No such soldiers of theirs stand there.")


def units_exist(state: State, clan: int, units: Sequence[Unit]) -> bool:
    """Whether all these soldiers of a clan stand where it is said, none twice: GW-10.1."""
    there = _there(state, clan)
    return all(count <= there[unit] for unit, count in Counter(units).items())


def _there(state: State, clan: int) -> Counter[Unit]:
    """All soldiers of a clan on the board, and how many there are of each."""
    owned, found = state.clans[clan], Counter[Unit]()
    for place in state.places():
        found.update(units_on(place, clan))
    for section in state.setup.table.sections:
        found[Unit("archer", section, "firing")] += owned.firing_in(section)
        for soldier, count in zip(board.SOLDIERS, owned.resting(section), strict=True):
            found[Unit(soldier, section, "rest")] += count
    return found


def check_tally(state: State, tally: Tally) -> None:
    """Refuse an attack on what is not there: GW-10.9."""
    cards = {*tally.hordes, *tally.filled, *(card for card, _ in tally.covered)}
    require(cards <= set(state.setup.hordes), "Horde cards are attacked.")
    require(set(tally.sections) <= set(state.setup.table.sections), "Sections in use.")
    for names in (tally.types, tally.sections, tally.hordes, tally.filled, tally.covered):
        require_different(names, "tally")
