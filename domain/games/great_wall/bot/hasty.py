"""A bot that chooses without search, by the kind of the move and by where it goes."""

from __future__ import annotations

from typing import Any

from domain.engine.dice import choose, shuffle
from domain.engine.game import Bot, BotView, legal_moves
from domain.engine.play import Move, Seat
from domain.games.great_wall import board, moves
from domain.games.great_wall.bot import defence, rivalry, teamwork
from domain.games.great_wall.cards import decks
from domain.games.great_wall.state.agenda import coop, requests
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
"""How good a move of a kind usually is; 1 for the kinds that are not listed."""
JOINT_STEPS = (
    requests.AgreeOrder,
    coop.OrderPlayers,
    requests.DeclareRequests,
    requests.PayRequest,
    requests.OfferShare,
)
"""The questions with which a table decides together: GW-16.3, GW-16.11."""
PASS_ORDERS = (moves.LetPass, moves.AskAgain)
"""Bots are never tired of questions, so they need no orders to pass."""
TYPICAL_PRICE = 5
"""With this number of resources a clan can build something."""


def hasty_bot(view: BotView[State]) -> Move:
    """The move with the highest appeal, without looking ahead."""
    state = view.imagine()
    menu = legal_moves(view.game, state, view.seat)
    shuffle(view.dice, menu)
    return _choose_best(state, view.seat, menu)


def defending_bot(view: BotView[State]) -> Move:
    """The move with the highest appeal to a bot that first defends the Wall."""
    state = view.imagine()
    menu = legal_moves(view.game, state, view.seat)
    shuffle(view.dice, menu)
    best: Move = max(
        menu,
        key=lambda move: appeal(state, view.seat, move) + defence.adjust(state, view.seat, move),
    )
    return best


def careless_bot(view: BotView[State]) -> Move:
    """Any legal move; in a decision of the whole table, the one that agrees with the others."""
    state = view.imagine()
    menu = legal_moves(view.game, state, view.seat)
    if is_joint_decision(state):
        return _choose_best(state, view.seat, menu)
    move: Move = choose(view.dice, [one for one in menu if not isinstance(one, PASS_ORDERS)])
    return move


def guard(bot: Bot) -> Bot:
    """A bot that plays like another one, but defends where a question decides on the defence."""
    return lambda view: (defending_bot if defence.is_at_stake(view.imagine()) else bot)(view)


def is_joint_decision(state: State) -> bool:
    """Whether the table decides something together now. Then bots of all levels play alike.

    They agree to any order, declare what can be paid, and pay, so that the others need not wait:
    GW-16.3, GW-16.11.
    """
    return isinstance(state.agenda[-1], JOINT_STEPS)


def _choose_best(state: State, seat: Seat, menu: list[Any]) -> Move:
    best: Move = max(menu, key=lambda move: appeal(state, seat, move))
    return best


def appeal(state: State, seat: Seat, move: Move) -> float:
    """How good a move looks, with a bonus for the solo or the cooperative game."""
    looks = _base_appeal(state, seat, move)
    if state.requests:
        return looks + teamwork.adjust(state, seat, move)
    return looks + rivalry.adjust(state, move) if state.tokens else looks


def _base_appeal(state: State, seat: Seat, move: Move) -> float:
    match move:
        case moves.MoveClerk():
            return _appeal_of_goal(state, seat, move.to) - (
                0 if move.origin is None else _cost_of_leaving(state, move.origin)
            )
        case moves.Attack():
            return _appeal_of_attack(state, move)
        case moves.PlayTactic():
            return 0.0 if move.card is None else 2.0 + move.boosted
        case moves.ReclaimCards():
            return len(state.clans[seat].discard) - 2.5
        case moves.TakeHonor():
            return 0.0
        case _:
            return EAGERNESS.get(type(move), 1.0)


def _appeal_of_goal(state: State, seat: Seat, location: board.Location) -> float:
    """How good it is to have one more clerk in a Location."""
    clan = state.clans[seat]
    if location in board.PRODUCTION:
        return 0.8 + _fullness(state, location) + 0.3 * clan.level(location)
    if location == "tea_house":
        return _fullness(state, location) + 0.2 * state.tea.index(seat)
    material = sum(clan.resources[: board.CHI])
    if location == "barracks":
        return _fullness(state, location) + (1.0 if material >= TYPICAL_PRICE else -1.0)
    if location == "academy":
        return 1.0 - 0.4 * (len(clan.tactics) + clan.at(location))
    enough = {
        "builders": material + sum(state.warehouse) >= TYPICAL_PRICE * (1 + clan.at(location)),
        "embassy": clan.has("gold") > clan.advisors + 2 * clan.at(location),
    }
    return 3.0 if enough.get(location, False) else -1.0


def _cost_of_leaving(state: State, location: board.Location) -> float:
    """How bad it is to take a clerk from a Location."""
    return 2.0 if location in board.SPECIAL else 1.2 + _fullness(state, location)


def _fullness(state: State, location: board.Location) -> float:
    """How full a regular Location is with one more clerk, from 0 to 1."""
    slots = board.PLACES[location].slots[state.setup.table.side]
    return (state.clerks_at(location) + 1) / slots if slots else 1.0


def _appeal_of_attack(state: State, move: moves.Attack) -> float:
    """The value of an attack: higher the fewer free Vital spots it leaves."""
    if move.row is None:
        return 0.6
    horde = state.horde_cards(move.section)[move.row]
    left = sum(1 for _ in horde.free()) - len(move.spots)
    return 3.0 + 0.2 * decks.HORDES[horde.card].honor - 0.3 * left
