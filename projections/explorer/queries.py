"""Queries to the explorer: moves chosen in a position, and choices by features of moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from redis import Redis

from projections.core.query import query_all_partitions
from projections.explorer.folding import EXPLORER
from projections.explorer.storage import (
    MAX_BEST,
    MAX_RECENT,
    MOVE_PREFIX,
    Count,
    best_key,
    hash_move,
    kinds_key,
    moves_key,
    names_key,
    read_count_field,
    read_sample,
    recent_key,
    unpack_count,
)


class ChosenMove(msgspec.Struct):
    """A move chosen in a position: how often, by group and by month, and the sum of the points of
    the seats that chose it.
    """

    move: str  # as text
    points: int = 0
    groups: dict[str, Count] = {}
    months: dict[str, Count] = {}

    @property
    def count(self) -> Count:
        """The count of all groups."""
        return sum(self.groups.values(), Count())


class Sample(msgspec.Struct, frozen=True):
    """A match with a position, and the version of the decision in it."""

    match: str
    version: int
    move: str
    score: float  # end (ms since the epoch), or mean rating of the seats


class PositionStatistics(msgspec.Struct, frozen=True):
    """The moves chosen in a position, most frequent first; its latest matches, and those with the
    highest ratings.
    """

    moves: Sequence[ChosenMove]
    recent: Sequence[Sample]
    best: Sequence[Sample]


class FeatureStatistics(msgspec.Struct, frozen=True):
    """Choices at a stage of all matches: by kind of move and group, and by kind of move and the
    name of a touched thing.
    """

    kinds: Mapping[tuple[str, str], Count]
    names: Mapping[tuple[str, str], Count]


def read_position(redis: Redis, partitions: int, key: str) -> PositionStatistics:
    """Return the moves chosen in the position with this key."""
    moves: dict[str, ChosenMove] = {}
    recent: list[tuple[bytes, float]] = []
    best: list[tuple[bytes, float]] = []
    for counts, last, rated in query_all_partitions(
        redis,
        partitions,
        EXPLORER,
        ("HGETALL", moves_key(key)),
        ("ZRANGE", recent_key(key), 0, -1, "WITHSCORES"),
        ("ZRANGE", best_key(key), 0, -1, "WITHSCORES"),
    ):
        _add_counts(moves, counts)
        recent += _with_scores(last)
        best += _with_scores(rated)
    return PositionStatistics(
        sorted(moves.values(), key=lambda one: (-one.count.n, one.move)),
        _samples(moves, recent, MAX_RECENT),
        _samples(moves, best, MAX_BEST),
    )


def read_features(redis: Redis, partitions: int, variant: str, stage: int) -> FeatureStatistics:
    """Return the choices at a stage of matches with the variant of this key."""
    kinds: dict[tuple[str, str], Count] = {}
    names: dict[tuple[str, str], Count] = {}
    questions = ("HGETALL", kinds_key(variant, stage)), ("HGETALL", names_key(variant, stage))
    for of_kinds, of_names in query_all_partitions(redis, partitions, EXPLORER, *questions):
        for sums, found in ((kinds, of_kinds), (names, of_names)):
            for field, number in _pairs(found):
                kind, _, rest = field.decode().partition(" ")
                sums[kind, rest] = sums.get((kind, rest), Count()) + unpack_count(int(number))
    return FeatureStatistics(kinds, names)


def _add_counts(moves: dict[str, ChosenMove], counts: Sequence[bytes]) -> None:
    """Add what one partition has of a position."""
    fields = {field.decode(): int(number) for field, number in _pairs(counts)}
    for field, number in fields.items():
        if field.startswith(MOVE_PREFIX):
            move = field.removeprefix(MOVE_PREFIX)
            moves.setdefault(hash_move(move), ChosenMove(move)).points += number
    for field, number in fields.items():
        if not field.startswith(MOVE_PREFIX):
            name, month, group = read_count_field(field)
            chosen, count = moves[name], unpack_count(number)
            chosen.groups[group] = chosen.groups.get(group, Count()) + count
            chosen.months[month] = chosen.months.get(month, Count()) + count


def _samples(
    moves: Mapping[str, ChosenMove], found: Iterable[tuple[bytes, float]], limit: int
) -> list[Sample]:
    ranked = sorted(found, key=lambda one: (one[1], one[0]), reverse=True)
    read = ((*read_sample(member), score) for member, score in ranked[:limit])
    return [Sample(match, version, moves[name].move, score) for name, version, match, score in read]


def _with_scores(found: Sequence[bytes]) -> list[tuple[bytes, float]]:
    return [(member, float(score)) for member, score in _pairs(found)]


def _pairs(found: Sequence[Any]) -> Iterable[tuple[bytes, bytes]]:
    return zip(found[::2], found[1::2], strict=True)
