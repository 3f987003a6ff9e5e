"""Chance: a protocol, what is built on it, and dice for bots and tests."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

T = TypeVar("T")


class Dice(Protocol):
    """A source of chance."""

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each as likely as the others; ValueError if n < 1."""
        ...


class Luck:
    """Fast dice from a seed, for bots that search and for tests; no match is played with them."""

    __slots__ = ("_random",)

    def __init__(self, seed: int | str = 0) -> None:
        self._random = Random(seed)

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1; ValueError if n < 1."""
        if n < 1:
            raise ValueError(f"A die with {n} sides.")
        return int(self._random.random() * n)


def choose(dice: Dice, items: Sequence[T]) -> T:
    """One of the items."""
    return items[dice.below(len(items))]


def shuffle(dice: Dice, items: list[T]) -> None:
    """Put the items into a random order, in place (Fisher and Yates, from the last one down)."""
    for i in range(len(items) - 1, 0, -1):
        j = dice.below(i + 1)
        items[i], items[j] = items[j], items[i]


def draw(dice: Dice, counts: list[int]) -> int:
    """Take a piece out of a bag, given as the number of pieces of each kind, in place; its kind.

    ValueError if the bag is empty, or if there are fewer than none of a kind.
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
