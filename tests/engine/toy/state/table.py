"""The table."""

from __future__ import annotations

from typing import Any, Literal, Self

from tests.engine.toy.state.setup import Setup

EndReason = Literal["cards", "rounds"]


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
        """Return an equal, independent state."""
        new = type(self)(self.rounds, self.bag[:], [hand[:] for hand in self.hands])
        new.points, new.sealed, new.agenda = self.points[:], self.sealed[:], self.agenda[:]
        new.round, new.prize, new.reason = self.round, self.prize, self.reason
        return new


def blank(setup: Setup, seats: int) -> State:
    """An empty table."""
    return State(setup.rounds, list(setup.bag), [[] for _ in range(seats)])
