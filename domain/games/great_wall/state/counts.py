"""Immutable rows of counts. A change makes a new row, so that copies can share them."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")
Counts = tuple[int, ...]


def put(row: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The row with another value at this index."""
    return (*row[:at], value, *row[at + 1 :])


def plus(row: Counts, at: int, count: int = 1) -> Counts:
    """The row with a higher count at this index."""
    return (*row[:at], row[at] + count, *row[at + 1 :])


def add(row: Counts, other: Counts) -> Counts:
    """The sum of two rows, index by index."""
    return tuple(map(int.__add__, row, other))


def subtract(row: Counts, other: Counts) -> Counts:
    """The difference of two rows, index by index."""
    return tuple(map(int.__sub__, row, other))


def without(row: tuple[T, ...], value: T) -> tuple[T, ...]:
    """The row without one of this value. Raises ValueError if there is none."""
    at = row.index(value)
    return (*row[:at], *row[at + 1 :])


def in_order(deck: tuple[str, ...], cards: tuple[str, ...]) -> tuple[str, ...]:
    """These cards in the order of the deck, so that their order reveals nothing."""
    return tuple(card for card in deck if card in cards)
