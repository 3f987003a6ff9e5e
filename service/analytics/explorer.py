"""The explorer: what was chosen in a position of finished public matches, and what came of it.

Which position it is follows from what a spectator sees, so that an answer is the same for all who
may ask for it, and tells nothing of hands: what can be chosen there is not looked at.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from time import monotonic
from typing import Any, Generic, TypeVar

import msgspec
from redis import Redis

from domain.analysis.features import DEPTH, PEOPLE, stage_of, stage_span
from domain.analysis.intervals import wilson
from domain.analysis.openings import ByChance, Opening, WrongMove, begun, played
from domain.analysis.positions import Place, Variant, moves_there, place_of, variant_of
from domain.engine.codecs import json_codec
from domain.engine.errors import BadOptions
from domain.engine.game import Game, Json, awaited, why
from domain.match.errors import Impossible
from domain.match.state import Match
from projections.explorer.queries import Chosen, Features, Found, Sample, features_at, found_at
from projections.explorer.storage import Count, read
from service.matches.queries import iso
from service.runtime.errors import BadQuery
from service.runtime.event_loop import aside

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
FRESH_S, KEPT_S = 2.0, 60.0
"""How long what was chosen in a position serves again, and sums over all matches (seconds)."""
KEPT = 500
"""Of so many positions, and so many stages."""
OPENINGS = 2_000
"""So many positions that were described by moves are at hand."""
BY_CHANCE = "Name a `match`, and a `version` of it, instead."


class Asked(msgspec.Struct, frozen=True):
    """A position that is asked about; without a place if its beginning is left to chance."""

    variant: Variant
    decided: int
    place: Place | None
    state: Any

    @property
    def rivals(self) -> int | None:
        """How many play against each other; None if all play together."""
        variant = self.variant
        return None if variant.game.together(variant.setup) else variant.seats


class Explorer:
    """Answers questions about positions; sums by features serve for a while."""

    def __init__(self, redis: Redis, partitions: int) -> None:
        self._redis = redis
        self._partitions = partitions
        self._found = Kept[str, Found](FRESH_S)
        self._features = Kept[tuple[str, int], Features](KEPT_S)

    def tell(self, asked: Asked, limit: int) -> Json:
        """What was chosen in a position, the `limit` most frequent moves and features of them."""
        place, variant = asked.place, asked.variant
        stage = stage_of(asked.decided, variant.seats)
        features = self._features.get(
            (variant.key, stage),
            lambda: features_at(self._redis, self._partitions, variant.key, stage),
        )
        return {
            "game": variant.game.key,
            "seats": variant.seats,
            "position": place and _position(asked, place),
            **_chosen(asked, self._found_at(place), limit),
            "features": {
                "stage": _span(stage, variant.seats),
                **_features(features, asked.rivals, limit),
            },
        }

    def _found_at(self, place: Place | None) -> Found:
        if place is None:
            return Found((), (), ())
        return self._found.get(
            place.key, lambda: found_at(self._redis, self._partitions, place.key)
        )


class Kept(Generic[K, V]):
    """What was found lately, by what was asked for."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._found: OrderedDict[K, tuple[float, V]] = OrderedDict()

    def get(self, key: K, find: Callable[[], V]) -> V:
        """What was found not longer ago than that, or is found now."""
        kept, now = self._found.get(key), monotonic()
        if kept and now - kept[0] < self._seconds:
            return kept[1]
        found = find()
        self._found[key] = now, found
        self._found.move_to_end(key)
        if len(self._found) > KEPT:
            self._found.popitem(last=False)
        return found


def of_match(match: Match) -> Asked:
    """The position of a match as it stands; Impossible if it has not begun."""
    if match.state is None:
        raise Impossible("match_not_started", "The match had not begun at this version.")
    variant = variant_of(match.game, match.setup, len(match.chairs))
    decided = sum(1 for point in match.line if point.move)
    return Asked(variant, decided, place_of(variant, match.state), match.state)


def of_moves(
    game: Game[Any], seats: int | None, options: Json | None, moves: Sequence[Json] | None
) -> Asked:
    """The position after these moves from the beginning, with the options that are not left out.

    BadQuery if the options or the moves are wrong, or chance decides what comes of them; but if no
    moves are named, what is asked about is just how matches begin.
    """
    if moves and len(moves) > DEPTH:
        raise BadQuery([("moves", f"Positions are kept for the first {DEPTH} decisions alone.")])
    return aside(_of_moves, game, seats, options or {}, moves)


def _variant(game: Game[Any], seats: int | None, given: Json) -> Variant:
    """The game with these options for so many seats, the fewest if it is not said; BadQuery."""
    try:
        options = json_codec.read_options(game, given)
        there = game.seats_with(options)
        if seats is None:
            seats = there[0]
        if seats not in there:
            raise BadQuery([("seats", _for_how_many(game, there))])
        return variant_of(game, game.setup(options, seats), seats)
    except BadOptions as refusal:
        raise BadQuery([("options", refusal.reason)]) from refusal


def _for_how_many(game: Game[Any], there: range) -> str:
    """For how many it is with the options of the question."""
    least, most = there[0], there[-1]
    if least == most:
        return f"So {game.title} is for {least} {'player' if least == 1 else 'players'}."
    return f"So {game.title} is for {least} to {most} players."


def _of_moves(
    game: Game[Any], seats: int | None, options: Json, moves: Sequence[Json] | None
) -> Asked:
    variant = _variant(game, seats, options)
    texts = tuple(msgspec.json.encode(move) for move in moves or ())
    try:
        opening = _opening(_Start(variant), texts)
    except WrongMove as wrong:
        raise BadQuery([("moves", _wrong(variant.game, wrong))]) from wrong
    except ByChance as chance:
        if moves is None:
            return Asked(variant, 0, None, None)
        raise BadQuery([("moves", _by_chance(chance.number))]) from chance
    place = place_of(variant, opening.state)
    return Asked(variant, opening.decided, place, opening.state)


class _Start(msgspec.Struct, frozen=True):
    """A variant, known by its key."""

    variant: Variant

    def __hash__(self) -> int:
        return hash(self.variant.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Start) and other.variant.key == self.variant.key


@lru_cache(maxsize=OPENINGS)
def _opening(start: _Start, moves: tuple[bytes, ...]) -> Opening:
    """The position after these moves, each of which is found from the one before it."""
    if not moves:
        return begun(start.variant)
    return played(_opening(start, moves[:-1]), [msgspec.json.decode(moves[-1])])


def _wrong(game: Game[Any], wrong: WrongMove) -> str:
    said = f"Move {wrong.number}: {why([game], wrong.refusal)}"
    return (
        f"{said} Asked for are {', '.join(f'`{one}`' for one in wrong.choices)}."
        if wrong.choices
        else said
    )


def _by_chance(number: int) -> str:
    what = f"What comes of move {number}" if number else "The beginning"
    return f"{what} is left to chance. {BY_CHANCE}"


def _position(asked: Asked, place: Place) -> Json:
    return {
        "key": place.key,
        "decisions": asked.decided,
        "awaiting": awaited(asked.state),
        "kept": asked.decided < DEPTH,
    }


def _chosen(asked: Asked, found: Found, limit: int) -> Json:
    """What was chosen in a position, by whom and when, and matches in which it was."""
    rivals, shown, others = asked.rivals, found.moves[:limit], found.moves[limit:]
    every = _sum(one.count for one in found.moves)
    return {
        "count": every.n,
        "moves": [_move(asked, one) for one in shown],
        "others": {"moves": len(others), "count": _sum(one.count for one in others).n},
        "groups": _by(rivals, "group", _merged(one.groups for one in found.moves)),
        "months": _by(rivals, "month", _merged(one.months for one in found.moves)),
        "recent": [{**_sample(asked, one), "ended": iso(int(one.score))} for one in found.recent],
        "best": [{**_sample(asked, one), "rating": one.score} for one in found.best],
    }


def _move(asked: Asked, one: Chosen) -> Json:
    first, *alike = _moves_there(asked, one.move)
    game, rivals = asked.variant.game, asked.rivals
    move = json_codec.read_move(game, first["seat"], first)
    return {
        "move": first,
        "alike": alike,
        "ways": [list(way) for way in game.touches(game.view(asked.state, None), move)],
        **_count(one.count, rivals),
        "mean_points": one.points / one.count.n,
        "groups": _by(rivals, "group", one.groups),
        "last": max(one.months),
    }


def _moves_there(asked: Asked, written: str) -> list[Json]:
    """The moves in the position that are kept as this one, under the names they have there."""
    assert asked.place
    return moves_there(asked.place, json_codec.as_read_back(read(asked.variant.game, written)))


def _sample(asked: Asked, one: Sample) -> Json:
    return {
        "match": one.match,
        "version": one.version,
        "move": _moves_there(asked, one.move)[0],
    }


def _features(found: Features, rivals: int | None, limit: int) -> Json:
    """Kinds of moves, by who decided; and the things that were touched most often."""
    kinds: dict[str, dict[str, Count]] = {}
    for (kind, group), count in found.kinds.items():
        kinds.setdefault(kind, {})[group] = count
    sums = {kind: _sum(groups.values()) for kind, groups in kinds.items()}
    often = sorted(found.names.items(), key=lambda one: (-one[1].n, one[0]))
    return {
        "kinds": [
            {
                "kind": kind,
                **_count(sums[kind], rivals),
                "groups": _by(rivals, "group", kinds[kind]),
            }
            for kind in sorted(kinds, key=lambda kind: (-sums[kind].n, kind))
        ],
        "touches": [
            {"kind": kind, "touch": name, **_count(count, rivals)}
            for (kind, name), count in often[:limit]
        ],
    }


def _span(stage: int, seats: int) -> Json:
    first, last = stage_span(stage, seats)
    return {"number": stage, "first": first, "last": last}


def _by(rivals: int | None, name: str, counts: Mapping[str, Count]) -> list[Json]:
    """Counts in the order of what they are counted by, people first."""
    order = sorted(counts, key=lambda key: (key not in PEOPLE, key))
    return [{name: key, **_count(counts[key], rivals)} for key in order]


def _count(count: Count, rivals: int | None) -> Json:
    """How often, which share of the victory that brought on an average, between which values that
    lies with 95 %, and how much it is of what each of so many rivals has on an average.
    """
    share = count.shares / count.n
    return {
        "count": count.n,
        "share": share,
        "interval": wilson(min(count.shares, count.n), count.n),
        "advantage": rivals and share * rivals,
    }


def _merged(counts: Iterable[Mapping[str, Count]]) -> Mapping[str, Count]:
    merged: dict[str, Count] = {}
    for some in counts:
        for key, count in some.items():
            merged[key] = merged.get(key, Count()) + count
    return merged


def _sum(counts: Iterable[Count]) -> Count:
    return sum(counts, Count())
