"""Asks the explorer what was chosen in a position, and by features of moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from redis import Redis

from projections.core.query import everywhere
from projections.explorer.folding import EXPLORER
from projections.explorer.storage import (
    BEST,
    MOVE,
    RECENT,
    Count,
    best_of,
    kinds_of,
    names_of,
    position_of,
    read_field,
    read_sample,
    recent_of,
    short,
    unpacked,
)


class Chosen(msgspec.Struct):
    """A move that was chosen in a position: how often, by whom and when, and the points of whoever
    did in all.
    """

    move: str  # as it is kept with the position
    points: int = 0
    groups: dict[str, Count] = {}
    months: dict[str, Count] = {}

    @property
    def count(self) -> Count:
        """How often in all."""
        return sum(self.groups.values(), Count())


class Sample(msgspec.Struct, frozen=True):
    """A match with a position, and the version that the decision in it made."""

    match: str
    version: int
    move: str
    score: float  # when it ended (ms since the epoch), or the mean rating of its seats


class Found(msgspec.Struct, frozen=True):
    """What was chosen in a position, most often first; its last matches, and those with the best
    ratings.
    """

    moves: Sequence[Chosen]
    recent: Sequence[Sample]
    best: Sequence[Sample]


class Features(msgspec.Struct, frozen=True):
    """What was chosen at a stage of all matches: kinds of moves, by the group that decided; and
    things that were touched, by kinds of moves.
    """

    kinds: Mapping[tuple[str, str], Count]
    names: Mapping[tuple[str, str], Count]


def found_at(redis: Redis, partitions: int, key: str) -> Found:
    """What was chosen in the position with this key."""
    moves: dict[str, Chosen] = {}
    recent: list[tuple[bytes, float]] = []
    best: list[tuple[bytes, float]] = []
    for counts, last, rated in everywhere(
        redis,
        partitions,
        EXPLORER,
        ("HGETALL", position_of(key)),
        ("ZRANGE", recent_of(key), 0, -1, "WITHSCORES"),
        ("ZRANGE", best_of(key), 0, -1, "WITHSCORES"),
    ):
        _add(moves, counts)
        recent += _scored(last)
        best += _scored(rated)
    return Found(
        sorted(moves.values(), key=lambda one: (-one.count.n, one.move)),
        _samples(moves, recent, RECENT),
        _samples(moves, best, BEST),
    )


def features_at(redis: Redis, partitions: int, variant: str, stage: int) -> Features:
    """What was chosen at a stage of matches with the variant of this key."""
    kinds: dict[tuple[str, str], Count] = {}
    names: dict[tuple[str, str], Count] = {}
    questions = ("HGETALL", kinds_of(variant, stage)), ("HGETALL", names_of(variant, stage))
    for of_kinds, of_names in everywhere(redis, partitions, EXPLORER, *questions):
        for sums, found in ((kinds, of_kinds), (names, of_names)):
            for field, number in _pairs(found):
                kind, _, rest = field.decode().partition(" ")
                sums[kind, rest] = sums.get((kind, rest), Count()) + unpacked(int(number))
    return Features(kinds, names)


def _add(moves: dict[str, Chosen], counts: Sequence[bytes]) -> None:
    """Add what one partition has of a position."""
    fields = {field.decode(): int(number) for field, number in _pairs(counts)}
    for field, number in fields.items():
        if field.startswith(MOVE):
            move = field.removeprefix(MOVE)
            moves.setdefault(short(move), Chosen(move)).points += number
    for field, number in fields.items():
        if not field.startswith(MOVE):
            name, month, group = read_field(field)
            chosen, count = moves[name], unpacked(number)
            chosen.groups[group] = chosen.groups.get(group, Count()) + count
            chosen.months[month] = chosen.months.get(month, Count()) + count


def _samples(
    moves: Mapping[str, Chosen], found: Iterable[tuple[bytes, float]], most: int
) -> list[Sample]:
    ranked = sorted(found, key=lambda one: (one[1], one[0]), reverse=True)
    read = ((*read_sample(member), score) for member, score in ranked[:most])
    return [Sample(match, version, moves[name].move, score) for name, version, match, score in read]


def _scored(found: Sequence[bytes]) -> list[tuple[bytes, float]]:
    return [(member, float(score)) for member, score in _pairs(found)]


def _pairs(found: Sequence[Any]) -> Iterable[tuple[bytes, bytes]]:
    return zip(found[::2], found[1::2], strict=True)
