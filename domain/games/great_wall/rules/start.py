"""Positions from which a match can start."""

from __future__ import annotations

from domain.engine.codecs import json_codec
from domain.engine.errors import require, require_distinct
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.automata import QIN
from domain.games.great_wall.rules.beginning import LEADERS_DEALT
from domain.games.great_wall.rules.coop.request_payments import of_all, of_each
from domain.games.great_wall.rules.goods.tactics import WINDOWS
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.clans import Clan
from domain.games.great_wall.state.table import State


def check_position(state: State) -> None:
    """Raise BadPosition unless a turn begins here and a game can reach it: all seats choose
    leaders, or all that have command cards choose one: GW-2.8, GW-7.1.
    """
    require(state.ended is None, "A match starts in a game that is not over: `ended` is null.")
    leaders = isinstance(state.agenda[0], steps.RevealLeaders)
    _check_agenda(state, leaders)
    idle = state.active is None and not (state.doubled or state.played or any(state.track))
    require(idle, "No clan has a turn: `active` is null; `doubled`, `played`, `track` are empty.")
    for number, clan in enumerate(state.clans):
        _check_clan(state, clan, LEADERS_DEALT if leaders and number < state.seats else 0)
    for place in state.hordes_on_board():
        require_distinct(place.horde.struck, "struck")
    if state.qin is not None:
        enough = len(state.clans[state.qin].supporting) >= QIN.start_supporting
        require(enough, f"Qin Jiushao has {QIN.start_supporting} Supporting Advisors or more.")
        require(state.shame > 0, "Without `shame` in the pool a solo game is over: GW-14.14.")
    _check_requests(state)


def _check_agenda(state: State, leaders: bool) -> None:
    seats, season = tuple(range(state.seats)), None if leaders else "fall"
    holders = tuple(seat for seat in seats if state.clans[seat].hand or state.clans[seat].command)
    choosing = [steps.RevealCommands(), steps.ChooseCommand(holders or seats)]
    agenda = [steps.RevealLeaders(), steps.ChooseLeaders(seats)] if leaders else choosing
    require(
        state.agenda == agenda,
        f"A position begins where a turn begins: `agenda` is {json_codec.encode(agenda).decode()}. "
        "To go on from the middle of a turn, fork a match.",
    )
    require(leaders or bool(holders), "At least one clan has a command card in `hand`.")
    require(state.season == season, f"With this `agenda`, `season` is {season or 'null'}.")


def _check_clan(state: State, clan: Clan, dealt: int) -> None:
    """Check dealt and chosen cards, orders to pass, claimed cards: GW-9.4, GW-11.2, GW-16.9."""
    fits = len(clan.dealt_generals) == len(clan.dealt_advisors) == dealt
    require(fits, f"With this `agenda`, `dealt_generals` and `dealt_advisors` have {dealt} cards.")
    other = clan.general or clan.active or clan.supporting or clan.discard
    require(not (dealt and other), "A clan without leaders has only dealt cards and its `hand`.")
    chosen = any((clan.leaders, clan.command, clan.shown, clan.reaction))
    require(not chosen, "`leaders`, `command`, `shown` and `reaction` are null.")
    require_distinct(clan.passing, "passing")
    require(set(clan.passing) <= set(WINDOWS), f"`passing` can be {', '.join(WINDOWS)}.")
    for claim in clan.claimed:
        room = decks.HORDES[claim.card].shame_slots
        require(0 <= claim.shame <= room, f"{claim.card} has {room} Shame slots.")
    wrong, right = ("claimed", "defeated") if state.coop else ("defeated", "claimed")
    require(not getattr(clan, wrong), f"In this mode Horde cards are `{right}`, not `{wrong}`.")
    known = set(clan.defeated) <= set(state.setup.hordes)
    require(known, "`defeated` names Horde cards of this game.")


def _check_requests(state: State) -> None:
    """Check Requests, events and lost soldiers; other modes have none: GW-16.11 to GW-16.14."""
    table, fulfilled = state.setup.table, state.fulfilled
    past = state.slot - table.start_slot
    require(past >= 0, f"The first Year has the `slot` {table.start_slot}.")
    require(len(state.events) <= past, f"There can be at most {past} `events`, one for each Year.")
    require(not (state.breaches or state.defeats), "`breaches` and `defeats` begin each Year at 0.")
    won = state.coop and len(fulfilled) >= table.requests_to_win
    require(not won, f"With {table.requests_to_win} Requests `fulfilled` the game is over.")
    open_ = min(table.requests_open, len(state.setup.requests) - len(fulfilled))
    require(len(state.requests) == open_, f"The number of open `requests` is {open_}.")
    each = sum(of_each(state, request).soldiers for request in fulfilled) * state.seats
    asked = each + sum(of_all(state, request).soldiers for request in fulfilled)
    lost = sum(sum(clan.lost) for clan in state.clans)
    require(lost <= asked, f"Requests asked for {asked} soldiers: at most that many are `lost`.")
