"""The positions from which a match can start."""

from __future__ import annotations

from domain.engine.errors import require
from domain.engine.starting.starts import require_agenda
from tests.engine.toy.board import SIDES, VALUES
from tests.engine.toy.state import steps
from tests.engine.toy.state.table import State


def check_position(state: State) -> None:
    """Raise BadPosition unless a round begins here and a game can reach it: TOY-2.1, TOY-2.2,
    TOY-4.1.
    """
    require(not state.reason, "The game has ended. A position begins where a round begins.")
    rounds = state.setup.rounds
    require(1 <= state.round <= rounds, f"`round` must be 1 to {rounds}.")
    holders = tuple(seat for seat, hand in enumerate(state.hands) if hand)
    require(
        bool(holders), "No seat holds a card: a round begins with a card in one of the `hands`."
    )
    following = steps.Round(number=state.round + 1)
    require_agenda(state, [following, steps.Refill(), steps.Reveal(), steps.Choose(holders)])
    require(not any(state.sealed), "A round begins with nothing `sealed`.")
    require(state.prize > 0, f"`prize` must be 1 to {SIDES}.")
    _check_cards(state)


def _check_cards(state: State) -> None:
    """Refuse hands out of order, and cards that the box does not hold: TOY-1.1."""
    ordered = all(hand == sorted(hand) for hand in state.hands)
    require(ordered, "The cards of `hands` are in the order of their values.")
    cards = [card for hand in state.hands for card in hand]
    for value, in_bag, held in zip(VALUES, state.bag, state.setup.bag, strict=True):
        few = in_bag + cards.count(value) <= held
        require(few, f"There are more cards of value {value} than the box holds.")
