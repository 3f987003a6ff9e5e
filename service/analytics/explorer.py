"""The explorer: what players chose in a position of finished public matches, and the results.

A position follows from what a spectator sees. So the answer is the same for all callers and reveals
nothing about hands; it does not depend on which moves are legal.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from time import monotonic
from typing import Any, Generic, TypeVar

import msgspec
from redis import Redis

from domain.analysis.features import MAX_KEYED_DECISIONS, PLAYER_GROUPS, stage_of, stage_span
from domain.analysis.intervals import wilson_interval
from domain.analysis.openings import DependsOnChance, Opening, WrongMove, play_moves, start_position
from domain.analysis.positions import (
    CanonicalPosition,
    Variant,
    canonical_position,
    moves_like,
    variant_of,
)
from domain.engine.codecs import json_codec
from domain.engine.contract.refusals import refusal_reason
from domain.engine.errors import BadOptions
from domain.engine.game import Game, Json, seats_to_move
from domain.match.errors import Impossible
from domain.match.state import Match
from projections.explorer.queries import (
    ChosenMove,
    FeatureStatistics,
    PositionStatistics,
    Sample,
    read_features,
    read_position,
)
from projections.explorer.storage import Count, decode_move
from service.matches.queries import iso
from service.runtime.errors import BadQuery
from service.runtime.event_loop import run_in_thread

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
POSITION_CACHE_S, FEATURES_CACHE_S = 2.0, 60.0
"""Cache time in seconds of the answer for a position, and of sums over all matches."""
MAX_CACHED_OPENINGS = 150
"""Maximum number of cached positions that were given as moves; each takes some 6 kB."""
MIN_BYTES = 300
"""What a cached result takes at least, with its key."""
MOVE_BYTES, COUNT_BYTES, SAMPLE_BYTES, FEATURE_BYTES = 500, 250, 450, 350
"""What a move, a count, a sample and a feature of a result take."""
CHANCE_ADVICE = "Name a `match`, and a `version` of it, instead."


class PositionQuery(msgspec.Struct, frozen=True):
    """A position in a query. `position` is None if chance decides how the game begins."""

    variant: Variant
    decisions: int
    position: CanonicalPosition | None
    state: Any

    @property
    def rivals(self) -> int | None:
        """The number of competing seats; None in a cooperative game."""
        variant = self.variant
        return None if variant.game.is_cooperative(variant.setup) else variant.seats


class Explorer:
    """Answers queries about positions; caches sums over features."""

    def __init__(self, redis: Redis, partitions: int, max_bytes: int) -> None:
        """Half of the bytes are for positions, half for features."""
        self._redis = redis
        self._partitions = partitions
        self._choices_cache = TimedCache[str, PositionStatistics](
            POSITION_CACHE_S, max_bytes // 2, position_bytes
        )
        self._features_cache = TimedCache[tuple[str, int], FeatureStatistics](
            FEATURES_CACHE_S, max_bytes // 2, features_bytes
        )

    def answer(self, query: PositionQuery, limit: int) -> Json:
        """Return what players chose in a position: its `limit` most frequent moves and features."""
        place, variant = query.position, query.variant
        stage = stage_of(query.decisions, variant.seats)
        features = self._features_cache.get(
            (variant.key, stage),
            lambda: read_features(self._redis, self._partitions, variant.key, stage),
        )
        return {
            "game": variant.game.key,
            "seats": variant.seats,
            "position": place and _position(query, place),
            **_choices_json(query, self._find_choices(place), limit),
            "features": {
                "stage": _stage_json(stage, variant.seats),
                **_features_json(features, query.rivals, limit),
            },
        }

    def _find_choices(self, place: CanonicalPosition | None) -> PositionStatistics:
        if place is None:
            return PositionStatistics((), (), ())
        return self._choices_cache.get(
            place.key, lambda: read_position(self._redis, self._partitions, place.key)
        )


def position_bytes(found: PositionStatistics) -> int:
    """Return about how much memory the result for a position takes."""
    counts = sum(len(move.groups) + len(move.months) for move in found.moves)
    samples = len(found.recent) + len(found.best)
    return len(found.moves) * MOVE_BYTES + counts * COUNT_BYTES + samples * SAMPLE_BYTES


def features_bytes(found: FeatureStatistics) -> int:
    """Return about how much memory the features of a stage take."""
    return (len(found.kinds) + len(found.names)) * FEATURE_BYTES


class TimedCache(Generic[K, V]):
    """A cache with a maximum age, and a maximum size in bytes."""

    def __init__(self, seconds: float, max_bytes: int, size_of: Callable[[V], int]) -> None:
        self._seconds, self._max_bytes, self._size_of = seconds, max_bytes, size_of
        self._entries: OrderedDict[K, tuple[float, V]] = OrderedDict()
        """When each value was computed, and the value; the oldest first."""
        self.bytes = 0

    def get(self, key: K, compute: Callable[[], V]) -> V:
        """Return the cached value if it is fresh, else compute it."""
        entry, now = self._entries.get(key), monotonic()
        if entry and now - entry[0] < self._seconds:
            return entry[1]
        found = compute()
        self._drop(key)
        self._entries[key] = now, found
        self.bytes += MIN_BYTES + self._size_of(found)
        while self.bytes > self._max_bytes or self._is_first_expired(now):
            self._drop(next(iter(self._entries)))
        return found

    def _is_first_expired(self, now: float) -> bool:
        first = next(iter(self._entries.values()), None)
        return first is not None and now - first[0] >= self._seconds

    def _drop(self, key: K) -> None:
        if entry := self._entries.pop(key, None):
            self.bytes -= MIN_BYTES + self._size_of(entry[1])


def query_of_match(match: Match) -> PositionQuery:
    """Return the position of a match. Raises Impossible if it has not started."""
    if match.state is None:
        raise Impossible("match_not_started", "The match had not started at this version.")
    variant = variant_of(match.game, match.setup, len(match.chairs))
    decided = sum(1 for point in match.line if point.move)
    return PositionQuery(variant, decided, canonical_position(variant, match.state), match.state)


def query_of_moves(
    game: Game[Any], seats: int | None, options: Json | None, moves: Sequence[Json] | None
) -> PositionQuery:
    """Return the position after these moves from the start; missing options have their defaults.

    Raises BadQuery if options or moves are invalid, or chance decides their result. If `moves` is
    None, the query is only about how matches begin.
    """
    if moves and len(moves) > MAX_KEYED_DECISIONS:
        raise BadQuery(
            [
                (
                    "moves",
                    f"The explorer has only the first {MAX_KEYED_DECISIONS} decisions of a game.",
                )
            ]
        )
    return run_in_thread(_query_of_moves, game, seats, options or {}, moves)


def _variant(game: Game[Any], seats: int | None, given_options: Json) -> Variant:
    """Return the game with these options, and the fewest seats by default. Raises BadQuery."""
    try:
        options = json_codec.read_options(game, given_options)
        there = game.seats_for(options)
        if seats is None:
            seats = there[0]
        if seats not in there:
            raise BadQuery([("seats", _seats_text(game, there))])
        return variant_of(game, game.setup(options, seats), seats)
    except BadOptions as refusal:
        raise BadQuery([("options", refusal.reason)]) from refusal


def _seats_text(game: Game[Any], seats: range) -> str:
    """Return a sentence with the number of players that the options allow."""
    least, most = seats[0], seats[-1]
    if least == most:
        number = "one player" if least == 1 else f"{least} players"
    else:
        number = f"{least} to {most} players"
    return f"With these options {game.title} is for {number}."


def _query_of_moves(
    game: Game[Any], seats: int | None, options: Json, moves: Sequence[Json] | None
) -> PositionQuery:
    variant = _variant(game, seats, options)
    texts = tuple(msgspec.json.encode(move) for move in moves or ())
    try:
        opening = _opening(_Start(variant), texts)
    except WrongMove as wrong:
        raise BadQuery([("moves", _wrong_move_text(variant.game, wrong))]) from wrong
    except DependsOnChance as chance:
        if moves is None:
            return PositionQuery(variant, 0, None, None)
        raise BadQuery([("moves", _chance_text(chance.number))]) from chance
    place = canonical_position(variant, opening.state)
    return PositionQuery(variant, opening.decided, place, opening.state)


class _Start(msgspec.Struct, frozen=True):
    """A variant, compared by its key."""

    variant: Variant

    def __hash__(self) -> int:
        return hash(self.variant.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Start) and other.variant.key == self.variant.key


@lru_cache(maxsize=MAX_CACHED_OPENINGS)
def _opening(start: _Start, moves: tuple[bytes, ...]) -> Opening:
    """Return the position after these moves, each reached from the cached one before it."""
    if not moves:
        return start_position(start.variant)
    return play_moves(_opening(start, moves[:-1]), [msgspec.json.decode(moves[-1])])


def _wrong_move_text(game: Game[Any], wrong: WrongMove) -> str:
    text = f"Move {wrong.number}: {refusal_reason([game], wrong.refusal)}"
    return (
        f"{text} Allowed are {', '.join(f'`{one}`' for one in wrong.choices)}."
        if wrong.choices
        else text
    )


def _chance_text(number: int) -> str:
    what = f"The result of move {number}" if number else "The start of the game"
    return f"{what} depends on chance. {CHANCE_ADVICE}"


def _position(query: PositionQuery, place: CanonicalPosition) -> Json:
    return {
        "key": place.key,
        "decisions": query.decisions,
        "awaiting": seats_to_move(query.state),
        "recorded": query.decisions < MAX_KEYED_DECISIONS,
    }


def _choices_json(query: PositionQuery, choices: PositionStatistics, limit: int) -> Json:
    """Return what players chose in a position, by whom and when, with sample matches."""
    rivals, shown, others = query.rivals, choices.moves[:limit], choices.moves[limit:]
    every = _sum(one.count for one in choices.moves)
    return {
        "count": every.n,
        "moves": [_move_json(query, one) for one in shown],
        "others": {"moves": len(others), "count": _sum(one.count for one in others).n},
        "groups": _group_counts(rivals, "group", _merge(one.groups for one in choices.moves)),
        "months": _group_counts(rivals, "month", _merge(one.months for one in choices.moves)),
        "recent": [
            {**_sample_json(query, one), "ended": iso(int(one.score))} for one in choices.recent
        ],
        "best": [{**_sample_json(query, one), "rating": one.score} for one in choices.best],
    }


def _move_json(query: PositionQuery, one: ChosenMove) -> Json:
    first, *alike = _moves_there(query, one.move)
    game, rivals = query.variant.game, query.rivals
    move = json_codec.read_move(game, first["seat"], first)
    return {
        "move": first,
        "equivalent": alike,
        "ways": [list(way) for way in game.pointing.touches(game.view(query.state, None), move)],
        **_count_json(one.count, rivals),
        "mean_points": one.points / one.count.n,
        "groups": _group_counts(rivals, "group", one.groups),
        "last": max(one.months),
    }


def _moves_there(query: PositionQuery, written: str) -> list[Json]:
    """Return the moves of the position that are stored as this one, under their names there."""
    assert query.position
    return moves_like(
        query.position, json_codec.json_round_trip(decode_move(query.variant.game, written))
    )


def _sample_json(query: PositionQuery, one: Sample) -> Json:
    return {
        "match": one.match,
        "version": one.version,
        "move": _moves_there(query, one.move)[0],
    }


def _features_json(features: FeatureStatistics, rivals: int | None, limit: int) -> Json:
    """Return kinds of moves by who decided, and the things that were touched most often."""
    kinds: dict[str, dict[str, Count]] = {}
    for (kind, group), count in features.kinds.items():
        kinds.setdefault(kind, {})[group] = count
    sums = {kind: _sum(groups.values()) for kind, groups in kinds.items()}
    often = sorted(features.names.items(), key=lambda one: (-one[1].n, one[0]))
    return {
        "kinds": [
            {
                "kind": kind,
                **_count_json(sums[kind], rivals),
                "groups": _group_counts(rivals, "group", kinds[kind]),
            }
            for kind in sorted(kinds, key=lambda kind: (-sums[kind].n, kind))
        ],
        "touches": [
            {"kind": kind, "touch": name, **_count_json(count, rivals)}
            for (kind, name), count in often[:limit]
        ],
    }


def _stage_json(stage: int, seats: int) -> Json:
    first, last = stage_span(stage, seats)
    return {"number": stage, "first": first, "last": last}


def _group_counts(rivals: int | None, name: str, counts: Mapping[str, Count]) -> list[Json]:
    """Return counts ordered by key, people first."""
    order = sorted(counts, key=lambda key: (key not in PLAYER_GROUPS, key))
    return [{name: key, **_count_json(counts[key], rivals)} for key in order]


def _count_json(count: Count, rivals: int | None) -> Json:
    """Return how often, the mean share of the victory, its 95 % interval, and the advantage: that
    share relative to an equal share among the rivals.
    """
    share = count.shares / count.n
    return {
        "count": count.n,
        "share": share,
        "interval": wilson_interval(min(count.shares, count.n), count.n),
        "advantage": rivals and share * rivals,
    }


def _merge(counts: Iterable[Mapping[str, Count]]) -> Mapping[str, Count]:
    merged: dict[str, Count] = {}
    for some in counts:
        for key, count in some.items():
            merged[key] = merged.get(key, Count()) + count
    return merged


def _sum(counts: Iterable[Count]) -> Count:
    return sum(counts, Count())
