"""Chooses at a glance, by the kind of the move and by where it goes."""

from __future__ import annotations

from typing import Any

from domain.engine.dice import choose, shuffle
from domain.engine.game import Sight, legal_moves
from domain.engine.play import Move, Seat
from domain.games.great_wall import board, moves
from domain.games.great_wall.bot import rivalry, teamwork
from domain.games.great_wall.cards import decks
from domain.games.great_wall.state.steps.coop import OrderPlayers
from domain.games.great_wall.state.steps.requests import (
    AgreeOrder,
    DeclareRequests,
    OfferShare,
    PayRequest,
)
from domain.games.great_wall.state.table import State

EAGERNESS: dict[type[Any], float] = {
    moves.Done: 0.5,
    moves.BuildWall: 9.0,
    moves.BuildBarricade: 3.0,
    moves.HireAdvisor: 6.0,
    moves.HireClerk: 5.0,
    moves.UpgradeOverseer: 4.0,
    moves.DonateResource: 3.0,
    moves.NameRecruit: 5.0,
    moves.SendToRest: 0.1,
    moves.MoveSoldier: 0.2,
    moves.Wound: 2.0,
    moves.SaveSoldier: 0.8,
    moves.ReturnShame: 3.0,
    moves.Accept: 2.0,
    moves.AskAgain: -1.0,
    moves.LetPass: -1.0,
    moves.AgreeToOrder: 2.0,
    moves.ProposeOrder: -1.0,
    moves.DeclareRequest: 9.0,
    moves.AgreeToPay: 9.0,
    moves.RefuseToPay: -1.0,
    moves.GiveShare: 9.0,
}
"""How good a move of a kind usually is; 1 if it is not told."""
TOGETHER = (AgreeOrder, OrderPlayers, DeclareRequests, PayRequest, OfferShare)
"""What is asked where a table decides something together: GW-16.3, GW-16.11."""
PRICE = 5
"""Resources with which something can be built."""


def hasty(sight: Sight[State]) -> Move:
    """The move that looks best without a thought of what comes of it."""
    state = sight.imagine()
    menu = legal_moves(sight.game, state, sight.seat)
    shuffle(sight.dice, menu)
    return _best(state, sight.seat, menu)


def careless(sight: Sight[State]) -> Move:
    """Any legal move; but who plays with others agrees with them."""
    state = sight.imagine()
    menu = legal_moves(sight.game, state, sight.seat)
    if decided_together(state):
        return _best(state, sight.seat, menu)
    move: Move = choose(sight.dice, menu)
    return move


def decided_together(state: State) -> bool:
    """Whether the table decides now: then bots of all levels do alike, and keep nobody waiting.

    They agree with any order, declare what can be paid, and pay: GW-16.3, GW-16.11.
    """
    return isinstance(state.agenda[-1], TOGETHER)


def _best(state: State, seat: Seat, menu: list[Any]) -> Move:
    best: Move = max(menu, key=lambda move: appeal(state, seat, move))
    return best


def appeal(state: State, seat: Seat, move: Move) -> float:
    """How good a move looks; also against Qin, or for what is requested of all together."""
    looks = _looks(state, seat, move)
    if state.requests:
        return looks + teamwork.more(state, seat, move)
    return looks + rivalry.more(state, move) if state.tokens else looks


def _looks(state: State, seat: Seat, move: Move) -> float:
    match move:
        case moves.MoveClerk():
            return _goal(state, seat, move.to) - (
                0 if move.origin is None else _leaving(state, move.origin)
            )
        case moves.Attack():
            return _attack(state, move)
        case moves.PlayTactic():
            return 0.0 if move.card is None else 2.0 + move.boosted
        case moves.ReclaimCards():
            return len(state.clans[seat].discard) - 2.5
        case moves.TakeHonor():
            return 0.0
        case _:
            return EAGERNESS.get(type(move), 1.0)


def _goal(state: State, seat: Seat, location: board.Location) -> float:
    """How much a clerk is wanted in a Location."""
    clan = state.clans[seat]
    if location in board.PRODUCTION:
        return 0.8 + _filled(state, location) + 0.3 * clan.level(location)
    if location == "tea_house":
        return _filled(state, location) + 0.2 * state.tea.index(seat)
    material = sum(clan.resources[: board.CHI])
    if location == "barracks":
        return _filled(state, location) + (1.0 if material >= PRICE else -1.0)
    if location == "academy":
        return 1.0 - 0.4 * (len(clan.tactics) + clan.at(location))
    enough = {
        "builders": material + sum(state.warehouse) >= PRICE * (1 + clan.at(location)),
        "embassy": clan.has("gold") > clan.advisors + 2 * clan.at(location),
    }
    return 3.0 if enough.get(location, False) else -1.0


def _leaving(state: State, location: board.Location) -> float:
    """How much a clerk is missed in a Location."""
    return 2.0 if location in board.SPECIAL else 1.2 + _filled(state, location)


def _filled(state: State, location: board.Location) -> float:
    """How full a regular Location is with one clerk more."""
    slots = board.PLACES[location].slots[state.setup.table.side]
    return (state.clerks_at(location) + 1) / slots if slots else 1.0


def _attack(state: State, move: moves.Attack) -> float:
    """An attack is good, and better if it fills a card."""
    if move.row is None:
        return 0.6
    horde = state.horde_cards(move.section)[move.row]
    left = sum(1 for _ in horde.free()) - len(move.spots)
    return 3.0 + 0.2 * decks.HORDES[horde.card].honor - 0.3 * left
