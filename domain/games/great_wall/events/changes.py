"""Changes that several events make."""

from __future__ import annotations

from domain.games.great_wall import board
from domain.games.great_wall.state.clans import SOURCE_NUMBER, Clan, Source
from domain.games.great_wall.state.counts import Counts, plus, put
from domain.games.great_wall.state.hordes import Horde
from domain.games.great_wall.state.table import State


def counts_of(resources: board.Cost) -> Counts:
    """By number of the resource, how many."""
    return tuple(resources.get(name, 0) for name in board.RESOURCES)


def take(clan: Clan, resources: board.Cost) -> None:
    """Into the pool of a clan."""
    for name, count in resources.items():
        clan.resources = plus(clan.resources, board.RESOURCE_NUMBER[name], count)


def give(clan: Clan, resources: board.Cost) -> None:
    """Out of the pool of a clan."""
    for name, count in resources.items():
        clan.resources = plus(clan.resources, board.RESOURCE_NUMBER[name], -count)


def score(clan: Clan, honor: int, source: Source) -> None:
    """Note honor, and where it came from."""
    clan.honor += honor
    clan.counted = plus(clan.counted, SOURCE_NUMBER[source], honor)


def muster(clan: Clan, soldier: board.Soldier, count: int = 1) -> None:
    """So many soldiers more in the pool, or fewer."""
    clan.pool = plus(clan.pool, board.SOLDIER_NUMBER[soldier], count)


def rest(clan: Clan, section: board.Section, soldier: board.Soldier, count: int = 1) -> None:
    """So many soldiers more in a Rest Zone, or fewer."""
    at = board.SECTION_NUMBER[section]
    there = plus(clan.rest[at], board.SOLDIER_NUMBER[soldier], count)
    clan.rest = put(clan.rest, at, there)


def post(clan: Clan, section: board.Section, count: int = 1) -> None:
    """So many Archers more in the Firing spots of a Section, or fewer."""
    clan.firing = plus(clan.firing, board.SECTION_NUMBER[section], count)


def lay(state: State, section: board.Section, row: int, horde: Horde) -> None:
    """A Horde card on the board as it is now."""
    at = board.SECTION_NUMBER[section]
    state.hordes = put(state.hordes, at, put(state.hordes[at], row, horde))


def set_hordes(state: State, section: board.Section, hordes: tuple[Horde, ...]) -> None:
    """All Horde cards of a Section."""
    state.hordes = put(state.hordes, board.SECTION_NUMBER[section], hordes)
