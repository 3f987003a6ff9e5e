"""Folds each public match into the explorer once its result is final."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from domain.analysis.features import Decision, ExploredMatch, explore
from domain.analysis.positions import read_canonical_move
from domain.engine.game import Game
from domain.match.log import CorruptEntry
from projections.core.months import month_of
from projections.core.spaces import Change, Command, Projection, Read
from projections.core.summary import Summary
from projections.explorer import storage

NAME, VERSION = "explorer", 2
"""Keys of positions depend on the names of members of views: a new name needs a new version."""
Games = Mapping[str, Game[Any]]


def explorer(games: Games, read: Read) -> Projection:
    """Return the projection for these games; `read` returns the entries of a match.

    A match counts once it is scored and, if it is to be rated, rated. It does not count if it began
    from a given position or seed, or if a player resigned before deciding anything.
    """

    def apply(space: str, changes: Sequence[Change]) -> Iterator[Command]:
        for change in changes:
            if _is_final(change.after) and not (change.before and _is_final(change.before)):
                found = _explore_match(change.after, games, read)
                if found and found.facts.given is None and not found.facts.forfeited:
                    yield from _count_match(space, found)

    return Projection(NAME, VERSION, apply)


def _is_final(match: Summary) -> bool:
    """Return whether the result of a public match is final."""
    if match.visibility != "public" or match.result is None:
        return False
    return match.unrated is not None or match.ratings is not None


def _explore_match(match: Summary, games: Games, read: Read) -> ExploredMatch | None:
    """Return the decisions of a match, or None if its game is unknown or an entry is corrupt."""
    game = games.get(match.game)
    if game is None:
        return None
    try:
        return explore(game, [one for one in read(match.id) if one.version <= match.version])
    except CorruptEntry:
        return None


def _count_match(space: str, found: ExploredMatch) -> Iterator[Command]:
    game, month = found.variant.game, month_of(found.facts.ended)
    for decision in found.decisions:
        if decision.key is not None:
            move = storage.encode_move(read_canonical_move(game, decision.move))
            yield from _count_position(space, found, decision, move, month)
    yield from _count_features(space, found)


def _count_position(
    space: str, found: ExploredMatch, decision: Decision, move: str, month: str
) -> Iterator[Command]:
    """Yield the commands that count a decision in its position and store the match as a sample."""
    key, facts = str(decision.key), found.facts
    name = f"{space}{storage.moves_key(key)}"
    yield "HINCRBY", name, storage.MOVE_PREFIX + move, decision.points
    field = storage.count_field(move, month, decision.group)
    yield "HINCRBY", name, field, storage.pack_count(1, decision.share)
    member = storage.write_sample(facts.match, decision.version, move)
    yield from _add_sample(
        f"{space}{storage.recent_key(key)}", facts.ended, member, storage.MAX_RECENT
    )
    if found.rating is not None:
        yield from _add_sample(
            f"{space}{storage.best_key(key)}", found.rating, member, storage.MAX_BEST
        )


def _add_sample(name: str, score: float, member: str, max_samples: int) -> Iterator[Command]:
    """Add a sample, and keep only those with the highest scores."""
    yield "ZADD", name, repr(score), member
    yield "ZREMRANGEBYRANK", name, 0, -max_samples - 1


def _count_features(space: str, found: ExploredMatch) -> Iterator[Command]:
    """Yield the commands that count all decisions of a match by their features."""
    counts: Counter[tuple[str, str]] = Counter()
    variant = found.variant.key
    for one in found.decisions:
        worth = storage.pack_count(1, one.share)
        counts[storage.kinds_key(variant, one.stage), f"{one.kind} {one.group}"] += worth
        for name in one.names:
            counts[storage.names_key(variant, one.stage), f"{one.kind} {name}"] += worth
    for (name, field), worth in counts.items():
        yield "HINCRBY", f"{space}{name}", field, worth


EXPLORER = explorer({}, lambda match: ())
"""The projection for readers; it cannot fold."""
