"""Chance: the protocol for dice, functions that use it, and dice for bots and tests."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

T = TypeVar("T")


class Dice(Protocol):
    """A source of chance."""

    def below(self, n: int) -> int:
        """A uniform whole number from 0 to n - 1. Raises ValueError if n < 1."""
        ...


class Luck:
    """Fast seeded dice for searching bots and for tests. Matches never use them."""

    __slots__ = ("_random",)

    def __init__(self, seed: int | str = 0) -> None:
        self._random = Random(seed)

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1. Raises ValueError if n < 1."""
        if n < 1:
            raise ValueError(f"A die with {n} sides.")
        return int(self._random.random() * n)


def choose(dice: Dice, items: Sequence[T]) -> T:
    """One of the items, each with the same probability."""
    return items[dice.below(len(items))]


def shuffle(dice: Dice, items: list[T]) -> None:
    """Shuffle the items in place (Fisher-Yates, from the last item down)."""
    for i in range(len(items) - 1, 0, -1):
        j = dice.below(i + 1)
        items[i], items[j] = items[j], items[i]


def draw(dice: Dice, counts: list[int]) -> int:
    """Draw a piece from a bag in place and return its kind; `counts` has the number of pieces by
    kind.

    Raises ValueError if the bag is empty, or a count is negative.
    """
    if counts and min(counts) < 0:
        raise ValueError(f"A bag with {counts} pieces.")
    left = dice.below(sum(counts))
    for kind, count in enumerate(counts):
        if left < count:
            counts[kind] -= 1
            return kind
        left -= count
    raise AssertionError(counts)
