"""Rows of counts that never change: a change makes a new row, so that a copy may share them."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")
Counts = tuple[int, ...]


def put(row: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The row with another value at this place."""
    return (*row[:at], value, *row[at + 1 :])


def plus(row: Counts, at: int, count: int = 1) -> Counts:
    """The row with so many more at this place."""
    return (*row[:at], row[at] + count, *row[at + 1 :])


def added(row: Counts, other: Counts) -> Counts:
    """The sum of two rows, place by place."""
    return tuple(map(int.__add__, row, other))


def taken(row: Counts, other: Counts) -> Counts:
    """What is left of a row without another, place by place."""
    return tuple(map(int.__sub__, row, other))


def without(row: tuple[T, ...], value: T) -> tuple[T, ...]:
    """The row without one of this value; ValueError if there is none."""
    at = row.index(value)
    return (*row[:at], *row[at + 1 :])


def in_order(deck: tuple[str, ...], cards: tuple[str, ...]) -> tuple[str, ...]:
    """These cards as the deck lists them: no order tells anything."""
    return tuple(card for card in deck if card in cards)
