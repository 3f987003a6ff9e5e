"""Positions from which a match can start."""

from __future__ import annotations

from domain.engine.errors import require
from domain.engine.starting.starts import require_agenda, require_going_on
from domain.games.great_wall.rules.beginning import LEADERS_DEALT
from domain.games.great_wall.rules.goods.tactics import WINDOWS
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.clans import Clan
from domain.games.great_wall.state.table import State


def check_position(state: State) -> None:
    """Raise BadPosition unless a turn begins here: all seats choose leaders, or all that have
    command cards choose one: GW-2.8, GW-7.1, GW-14.14.
    """
    require_going_on(state)
    leaders = any(isinstance(step, steps.RevealLeaders) for step in state.agenda)
    _check_agenda(state, leaders)
    for number, clan in enumerate(state.clans):
        _check_clan(clan, LEADERS_DEALT if leaders and number < state.seats else 0)
    alone = state.qin is not None and not state.shame
    require(not alone, "Without `shame` in the pool a solo game is over.")
    _check_requests(state)


def _check_agenda(state: State, leaders: bool) -> None:
    seats, season = tuple(range(state.seats)), None if leaders else "fall"
    holders = tuple(seat for seat in seats if state.clans[seat].hand or state.clans[seat].command)
    choosing = [steps.RevealCommands(), steps.ChooseCommand(holders or seats)]
    first = [steps.RevealLeaders(), steps.ChooseLeaders(seats)]
    require_agenda(state, first if leaders else choosing)
    require(leaders or bool(holders), "At least one clan has a command card in `hand`.")
    require(state.season == season, f"With this `agenda`, `season` is {season or 'null'}.")


def _check_clan(clan: Clan, dealt: int) -> None:
    """Check dealt cards and orders to pass: GW-2.8, GW-9.4."""
    fits = len(clan.dealt_generals) == len(clan.dealt_advisors) == dealt
    require(fits, f"With this `agenda`, `dealt_generals` and `dealt_advisors` have {dealt} cards.")
    other = clan.general or clan.active or clan.supporting or clan.discard
    require(not (dealt and other), "A clan without leaders has only dealt cards and its `hand`.")
    require(set(clan.passing) <= set(WINDOWS), f"`passing` can be {', '.join(WINDOWS)}.")


def _check_requests(state: State) -> None:
    """Check Requests and events, which other modes do not have: GW-16.12 to GW-16.14."""
    table, fulfilled = state.setup.table, state.fulfilled
    past = state.slot - table.start_slot
    require(len(state.events) <= past, f"There can be at most {past} `events`, one for each Year.")
    won = state.coop and len(fulfilled) >= table.requests_to_win
    require(not won, f"With {table.requests_to_win} Requests `fulfilled` the game is over.")
    open_ = min(table.requests_open, len(state.setup.requests) - len(fulfilled))
    require(len(state.requests) == open_, f"The number of open `requests` is {open_}.")
