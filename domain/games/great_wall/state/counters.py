"""The values of amounts on cards: GW-18.1, GW-18.7."""

from __future__ import annotations

from collections.abc import Callable

from domain.games.great_wall.cards import amounts, decks
from domain.games.great_wall.cards.automata import namesake_of
from domain.games.great_wall.state.clans import Clan
from domain.games.great_wall.state.context import NOTHING, Context
from domain.games.great_wall.state.table import State


def _count_same_name(state: State, clan: int) -> int:
    """How many cards on the track have the name of the clan's card: GW-18.7."""
    own = [namesake_of(laid.card) for laid in state.command_cards() if laid.clan == clan]
    return sum(namesake_of(laid.card) in own for laid in state.command_cards())


def _vital_spots(card: str) -> int:
    return sum(reward is not None for reward in decks.HORDES[card].grid)


def _count_fielded(state: State, clan: int) -> int:
    """How many soldiers are in Rest Zones, in Firing spots and on Horde cards: GW-18.7."""
    own = state.clans[clan]
    on_hordes = sum(1 for place in state.hordes_on_board() for _ in place.horde.soldiers(clan))
    return sum(map(sum, own.rest)) + sum(own.firing) + on_hordes


def _on_highest_walls(state: State, clan: int) -> int:
    """How many Archers are in Firing spots where the Wall is highest, and not level 0: GW-18.7."""
    highest = max(state.walls)
    firing = zip(state.clans[clan].firing, state.walls, strict=True)
    return sum(archers for archers, level in firing if level == highest > 0)


OF_CLAN: dict[amounts.Counter, Callable[[Clan], int]] = {
    "supporting_advisors": lambda clan: len(clan.supporting),
    "active_advisors": lambda clan: len(clan.active),
    "advisors": lambda clan: clan.advisors,
    "overseers": lambda clan: sum(one is not None for one in clan.overseers),
    "overseer_levels": lambda clan: sum(one.level for one in clan.overseers if one),
    "clerks_owned": lambda clan: clan.clerks_owned,
    "archers_firing": lambda clan: sum(clan.firing),
    "sections_with_own_firing_archer": lambda clan: sum(archers > 0 for archers in clan.firing),
    "hordes_claimed": lambda clan: len(clan.all_claimed),
    "vital_spots_claimed": lambda clan: sum(map(_vital_spots, clan.all_claimed)),
    "tactics_in_hand": lambda clan: len(clan.tactics),
    "commands_in_hand": lambda clan: len(clan.hand),
    "commands_in_discard": lambda clan: len(clan.discard),
    "resources_in_pool": lambda clan: sum(clan.resources),
    "shame_tokens": lambda clan: clan.shame,
}
"""The counters of a clan."""
OF_BOARD: dict[amounts.Counter, Callable[[State], int]] = {
    "wall_levels_total": lambda state: sum(state.walls),
    "lethality": lambda state: state.setup.slots[state.slot].lethality,
    "year": lambda state: state.year,
    "players": lambda state: state.seats,
    "hordes_on_board": lambda state: sum(map(len, state.hordes)),
}
"""The counters of the board."""
OF_BOTH: dict[amounts.Counter, Callable[[State, int], int]] = {
    "soldiers_fielded": _count_fielded,
    "archers_on_highest_walls": _on_highest_walls,
    "same_name_commands_on_track": _count_same_name,
}
"""The counters of what a clan has on the board."""
OF_EVENT: dict[amounts.Counter, Callable[[Context], int]] = {
    "killed_now": lambda context: context.killed,
    "about_to_die_now": lambda context: context.dying,
    "shame_gained_now": lambda context: context.shame,
    "saved_now": lambda context: context.saved,
    "recruited_now": lambda context: context.recruited,
    "last_wounds_now": lambda context: context.last_wounds,
    "wall_level_now": lambda context: context.level,
}
"""The counters of the event that is answered."""


def value(state: State, clan: int, amount: amounts.Amount, context: Context = NOTHING) -> int:
    """The value of an amount for a clan while it answers this event: GW-18.1."""
    if isinstance(amount, int):
        return amount
    counted = (
        count_matches(state, amount.name)
        if amount.name
        else count(state, clan, amount.count, context)
    )
    times = count(state, clan, amount.times, context) if amount.times else 1
    total = counted * amount.mul * times + amount.plus
    return max(0, total if amount.max is None else min(amount.max, total))


def count(state: State, clan: int, counter: amounts.Counter, context: Context = NOTHING) -> int:
    """The value of a counter without a name, for a clan: GW-18.7."""
    if counter in OF_CLAN:
        return OF_CLAN[counter](state.clans[clan])
    if counter in OF_EVENT:
        return OF_EVENT[counter](context)
    if counter in OF_BOARD:
        return OF_BOARD[counter](state)
    return OF_BOTH[counter](state, clan)


def count_matches(state: State, name: str) -> int:
    """How many command cards of this name lie on the track: GW-7.4, GW-14.5."""
    return sum(namesake_of(laid.card) == name for laid in state.command_cards())
