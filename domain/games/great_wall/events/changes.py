"""Changes of the state that several events share."""

from __future__ import annotations

from domain.games.great_wall import board
from domain.games.great_wall.state.clans import SOURCE_NUMBER, Clan, Source
from domain.games.great_wall.state.counts import Counts, plus, put
from domain.games.great_wall.state.hordes import Horde
from domain.games.great_wall.state.table import State


def counts_of(resources: board.Cost) -> Counts:
    """The resources as a row of counts."""
    return tuple(resources.get(name, 0) for name in board.RESOURCES)


def take(clan: Clan, resources: board.Cost) -> None:
    """Add resources to the pool of a clan."""
    for name, count in resources.items():
        clan.resources = plus(clan.resources, board.RESOURCE_NUMBER[name], count)


def give(clan: Clan, resources: board.Cost) -> None:
    """Remove resources from the pool of a clan."""
    for name, count in resources.items():
        clan.resources = plus(clan.resources, board.RESOURCE_NUMBER[name], -count)


def score(clan: Clan, honor: int, source: Source) -> None:
    """Add honor, and record its source."""
    clan.honor += honor
    clan.counted = plus(clan.counted, SOURCE_NUMBER[source], honor)


def muster(clan: Clan, soldier: board.Soldier, count: int = 1) -> None:
    """Add soldiers to the pool, or remove them if `count` is negative."""
    clan.pool = plus(clan.pool, board.SOLDIER_NUMBER[soldier], count)


def rest(clan: Clan, section: board.Section, soldier: board.Soldier, count: int = 1) -> None:
    """Add soldiers to a Rest Zone, or remove them if `count` is negative."""
    at = board.SECTION_NUMBER[section]
    there = plus(clan.rest[at], board.SOLDIER_NUMBER[soldier], count)
    clan.rest = put(clan.rest, at, there)


def post(clan: Clan, section: board.Section, count: int = 1) -> None:
    """Add Archers to the Firing spots of a Section, or remove them if `count` is negative."""
    clan.firing = plus(clan.firing, board.SECTION_NUMBER[section], count)


def lay(state: State, section: board.Section, row: int, horde: Horde) -> None:
    """Replace a Horde card on the board by its current state."""
    at = board.SECTION_NUMBER[section]
    state.hordes = put(state.hordes, at, put(state.hordes[at], row, horde))


def set_hordes(state: State, section: board.Section, hordes: tuple[Horde, ...]) -> None:
    """Replace all Horde cards of a Section."""
    state.hordes = put(state.hordes, board.SECTION_NUMBER[section], hordes)
