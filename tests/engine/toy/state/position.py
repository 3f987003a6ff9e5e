"""Positions as JSON."""

from __future__ import annotations

from typing import Annotated

import msgspec

from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition
from domain.engine.game import Json
from tests.engine.toy.board import VALUES
from tests.engine.toy.state.setup import Setup
from tests.engine.toy.state.steps import AnyStep
from tests.engine.toy.state.table import State

Points = Annotated[int, msgspec.Meta(ge=0)]


class Position(
    msgspec.Struct, tag_field="game", tag="toy", frozen=True, forbid_unknown_fields=True
):
    """A whole position; the bag holds all cards that are neither in a hand nor sealed."""

    bag: list[int]
    hands: list[list[int]]
    sealed: list[int | None]
    points: list[Points]
    round: int
    prize: int
    agenda: list[AnyStep]
    reason: str = ""


def write_position(state: State) -> Json:
    """The position as JSON."""
    fields = {name: getattr(state, name) for name in Position.__struct_fields__}
    position: Json = msgspec.to_builtins(Position(**fields))
    return position


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """The table of this position. Raises BadPosition if the box does not hold it."""
    position = json_codec.read_position(Position, data)
    _judge(setup, position, seats)
    state = State(setup.rounds, position.bag[:], [sorted(hand) for hand in position.hands])
    for name in ("points", "sealed", "agenda"):
        setattr(state, name, list(getattr(position, name)))
    state.round, state.prize, state.reason = position.round, position.prize, position.reason
    return state


def _judge(setup: Setup, position: Position, seats: int) -> None:
    """Refuse cards that the box does not hold: TOY-1.1."""
    if {len(position.hands), len(position.sealed), len(position.points)} != {seats}:
        raise BadPosition("Each seat needs a hand, points and a place for a sealed card.")
    cards = [card for hand in position.hands for card in hand]
    cards += [card for card in position.sealed if card is not None]
    held = [cards.count(value) for value in VALUES]
    if len(position.bag) != len(held) or len(cards) != sum(held) or min(position.bag) < 0:
        raise BadPosition("Cards have values from 1 to 6.")
    if any(a + b > all_ for a, b, all_ in zip(held, position.bag, setup.bag, strict=True)):
        raise BadPosition("There are more cards of a value than the box holds.")
