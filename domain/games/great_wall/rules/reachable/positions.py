"""Positions that a game can reach, and that a match can start from."""

from __future__ import annotations

from domain.engine.errors import require, require_distinct
from domain.engine.game import Json
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.automata import QIN, SOLO
from domain.games.great_wall.rules import ending
from domain.games.great_wall.rules.answers import ANSWERS
from domain.games.great_wall.rules.goods.tactics import WINDOWS
from domain.games.great_wall.rules.reachable.agenda import check_agenda
from domain.games.great_wall.rules.reachable.coop import check_coop
from domain.games.great_wall.rules.reachable.requests import check_lost, check_requests
from domain.games.great_wall.rules.reed import CARD
from domain.games.great_wall.scoring import scoring
from domain.games.great_wall.state import position
from domain.games.great_wall.state.clans import Clan
from domain.games.great_wall.state.setup import Setup
from domain.games.great_wall.state.table import State


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """A position from its JSON; BadPosition if no game reaches it: GW-7.2, GW-11.2, GW-13.8."""
    state = position.read_position(setup, data, seats)
    for seat in range(state.seats):
        _check_clan(state.clans[seat])
    _check_track(state)
    check_requests(state)
    check_coop(state)
    _check_lasting(state)
    if state.qin is not None:
        _check_qin(state, state.clans[state.qin])
    if state.ended is None:
        check_agenda(state)
        _check_choice(state)
    else:
        _check_end(state)
    check_lost(state)
    return state


def _check_clan(clan: Clan) -> None:
    """Check Shame on Horde cards, orders to pass, secret choices: GW-2.8, GW-9.4, GW-11.2."""
    for claim in clan.claimed:
        room = decks.HORDES[claim.card].shame_slots
        require(0 <= claim.shame <= room, f"{claim.card} has {room} Shame slots.")
    require_distinct(clan.passing, "passing")
    require(set(clan.passing) <= set(WINDOWS), f"`passing` can be {', '.join(WINDOWS)}.")
    if clan.leaders is not None:
        chosen = (clan.leaders.active, clan.leaders.supporting)
        kept = clan.leaders.general in clan.dealt_generals
        fits = kept and sorted(chosen) == sorted(clan.dealt_advisors)
        require(fits, "`leaders` must be from the dealt cards.")
    if clan.reaction is not None:
        card = clan.reaction.card
        fits = not clan.reaction.boosted if card is None else card in clan.tactics
        require(fits, "A `reaction` is a tactic card in hand, or none.")


def _check_track(state: State) -> None:
    """Check that each clan has one card on the track, automata their own: GW-7.2, GW-14.5."""
    laid = [one for one in state.track if one]
    require_distinct([one.clan for one in laid], "track")
    for one in laid:
        fits = (one.card == CARD) == (one.clan == state.reed)
        fits &= (one.card in SOLO) == (one.clan == state.qin)
        require(fits, f"{one.card} is not a card of clan {one.clan}.")


def _check_lasting(state: State) -> None:
    """Check that effects of a turn exist only during a turn: GW-6.8, GW-10.9."""
    turn = state.active is not None
    require(turn or not state.doubled, "Clerks can be `doubled` only during a turn.")
    require_distinct(state.doubled, "doubled")
    for one in state.doubled:
        fits = one.where in board.LOCATIONS_BY_WORD and 0 <= one.each <= board.CLERKS
        require(fits, "`doubled` names a Location, or a kind of Location, and a number.")
    for place in state.hordes_on_board():
        require_distinct(place.horde.struck, "struck")


def _check_choice(state: State) -> None:
    """Check that the waiting seats have a choice: GW-1.5."""
    waiting = state.agenda[-1]
    for seat in waiting.seats:
        choice = any(True for _ in ANSWERS.legal_moves(state, seat))
        require(choice, f"Seat {seat} has no choice in {type(waiting).__name__}.")


def _check_qin(state: State, qin: Clan) -> None:
    """Check the advisors of Qin, and that a game without Shame has ended: GW-14.3, GW-14.14."""
    enough = len(qin.supporting) >= QIN.start_supporting
    require(enough, f"Qin Jiushao has {QIN.start_supporting} Supporting Advisors.")
    require(state.shame > 0 or state.ended is not None, "Without Shame a solo game is over.")


def _check_end(state: State) -> None:
    """Check the reason of the end, and that the best won: GW-13.8, GW-13.9."""
    require(state.ended == ending.reason(state), "The game cannot have `ended` like this.")
    require(state.winners == scoring(state).winners, "These are not the `winners`.")
    idle = state.active is None and not state.played
    fits = idle or _at_once(state)
    require(fits, "After the end no clan is `active`, and no card is `played`.")
    for clan in state.clans:
        open_ = (clan.command, clan.shown, clan.leaders, clan.reaction)
        fits = not any(open_) or _at_once(state)
        require(fits, "After the end no choice is pending.")


def _at_once(state: State) -> bool:
    """Whether the game may have ended in the middle of a Year: GW-14.14, GW-16.7."""
    return state.setup.table.mode != "standard" and state.ended == "shame"
