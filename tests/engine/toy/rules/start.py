"""The positions from which a match can start."""

from __future__ import annotations

from domain.engine.codecs import json_codec
from domain.engine.errors import require
from tests.engine.toy.board import SIDES
from tests.engine.toy.state import steps
from tests.engine.toy.state.table import State


def check_position(state: State) -> None:
    """Raise BadPosition unless a round begins here and a game can reach it: TOY-2.1, TOY-2.2,
    TOY-4.1.
    """
    require(not state.reason, "The game has ended. A position begins where a round begins.")
    require(1 <= state.round <= state.rounds, f"`round` must be 1 to {state.rounds}.")
    holders = tuple(seat for seat, hand in enumerate(state.hands) if hand)
    require(
        bool(holders), "No seat holds a card: a round begins with a card in one of the `hands`."
    )
    following = steps.Round(number=state.round + 1)
    begin = [following, steps.Refill(), steps.Reveal(), steps.Choose(holders)]
    require(
        state.agenda == begin and not any(state.sealed),
        f"A position begins where a round begins: `agenda` is {json_codec.encode(begin).decode()}, "
        "and nothing is `sealed`. To go on from the middle of a round, fork a match.",
    )
    require(1 <= state.prize <= SIDES, f"`prize` must be 1 to {SIDES}.")
