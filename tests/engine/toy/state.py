"""The table, and the steps of a round."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import msgspec

from domain.engine.errors import BadPosition
from domain.engine.game import Json
from domain.engine.play import Seat, Step
from tests.engine.toy.board import VALUES, Setup


class Round(Step, kw_only=True):
    """The next round begins, or the game ends."""

    number: int


class Choose(Step):
    """Lay down a card, sealed."""


class Reveal(Step):
    """Show what was laid down."""

    secret: ClassVar[bool] = True


class Challenge(Step, kw_only=True):
    """Challenge somebody, or pass."""

    left: int


class Answer(Step, kw_only=True):
    """Give in to this card, or counter it."""

    to: Seat
    card: int


class Replace(Step, kw_only=True):
    """Draw for a card that was shown."""

    by: Seat


class Refill(Step):
    """Draw until all hands are full."""


STEPS = (Round, Choose, Reveal, Challenge, Answer, Replace, Refill)


class State:
    """Everything on the table and in the hands; cards in a hand are in the order of values."""

    __slots__ = ("agenda", "bag", "hands", "points", "prize", "reason", "round", "rounds", "sealed")

    def __init__(self, rounds: int, bag: list[int], hands: list[list[int]]) -> None:
        self.rounds = rounds
        self.bag = bag  # how many of each value
        self.hands = hands
        self.points = [0] * len(hands)
        self.sealed: list[int | None] = [None] * len(hands)
        self.round = 0
        self.prize = 0
        self.reason = ""
        self.agenda: list[Any] = []

    def copy(self) -> Self:
        """The same position again."""
        new = type(self)(self.rounds, self.bag[:], [hand[:] for hand in self.hands])
        new.points, new.sealed, new.agenda = self.points[:], self.sealed[:], self.agenda[:]
        new.round, new.prize, new.reason = self.round, self.prize, self.reason
        return new


def blank(setup: Setup, seats: int) -> State:
    """An empty table."""
    return State(setup.rounds, list(setup.bag), [[] for _ in range(seats)])


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole position; what is in no hand and not sealed, but in the bag, is counted there."""

    bag: list[int]
    hands: list[list[int]]
    sealed: list[int | None]
    points: list[int]
    round: int
    prize: int
    agenda: list[Round | Choose | Reveal | Challenge | Answer | Replace | Refill]
    reason: str = ""


def write_position(state: State) -> Json:
    """The position as JSON."""
    fields = {name: getattr(state, name) for name in Position.__struct_fields__}
    position: Json = msgspec.to_builtins(fields)
    return position


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """A position from its JSON."""
    try:
        position = msgspec.convert(data, Position)
    except msgspec.ValidationError as error:
        raise BadPosition(str(error)) from error
    _judge(setup, position, seats)
    state = State(setup.rounds, position.bag[:], [sorted(hand) for hand in position.hands])
    for name in ("points", "sealed", "agenda"):
        setattr(state, name, list(getattr(position, name)))
    state.round, state.prize, state.reason = position.round, position.prize, position.reason
    return state


def _judge(setup: Setup, position: Position, seats: int) -> None:
    """TOY-1.1"""
    if {len(position.hands), len(position.sealed), len(position.points)} != {seats}:
        raise BadPosition("Each seat needs a hand, points and a place for a sealed card.")
    cards = [card for hand in position.hands for card in hand]
    cards += [card for card in position.sealed if card is not None]
    held = [cards.count(value) for value in VALUES]
    if len(position.bag) != len(held) or len(cards) != sum(held) or min(position.bag) < 0:
        raise BadPosition("Cards have values from 1 to 6.")
    if any(a + b > all_ for a, b, all_ in zip(held, position.bag, setup.bag, strict=True)):
        raise BadPosition("There are more cards of a value than the box holds.")
