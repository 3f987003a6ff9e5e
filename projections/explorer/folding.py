"""Folds each public match once all is known of it that counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from domain.analysis.features import Decision, Explored, explored
from domain.analysis.positions import read_kept
from domain.engine.game import Game
from domain.match.log import Damaged
from projections.core.months import month_of
from projections.core.spaces import Change, Command, Projection, Read
from projections.core.summary import Summary
from projections.explorer import storage

NAME, VERSION = "explorer", 1
Games = Mapping[str, Game[Any]]


def explorer(games: Games, read: Read) -> Projection:
    """The projection, with what it needs to know of matches besides their changes.

    A match counts once it was scored and, if it is to be rated, has been; unless it began with
    what others do not begin with, or somebody gave up before they had decided anything.
    """

    def apply(space: str, changes: Sequence[Change]) -> Iterator[Command]:
        for change in changes:
            if _counts(change.after) and not (change.before and _counts(change.before)):
                found = _explored(change.after, games, read)
                if found and found.facts.given is None and not found.facts.forfeited:
                    yield from _commands(space, found)

    return Projection(NAME, VERSION, apply)


def _counts(match: Summary) -> bool:
    """Whether all is known of a public match that counts."""
    if match.visibility != "public" or match.result is None:
        return False
    return match.unrated is not None or match.ratings is not None


def _explored(match: Summary, games: Games, read: Read) -> Explored | None:
    """What was decided in a match; None if nobody knows its game or it is damaged."""
    game = games.get(match.game)
    if game is None:
        return None
    try:
        return explored(game, [one for one in read(match.id) if one.version <= match.version])
    except Damaged:
        return None


def _commands(space: str, found: Explored) -> Iterator[Command]:
    game, month = found.variant.game, month_of(found.facts.ended)
    for decision in found.decisions:
        if decision.key is not None:
            move = storage.written(read_kept(game, decision.move))
            yield from _position(space, found, decision, move, month)
    yield from _features(space, found)


def _position(
    space: str, found: Explored, decision: Decision, move: str, month: str
) -> Iterator[Command]:
    """Count a decision with its position, and keep the match as a sample."""
    key, facts = str(decision.key), found.facts
    name = f"{space}{storage.position_of(key)}"
    yield "HINCRBY", name, storage.MOVE + move, decision.points
    field = storage.field_of(move, month, decision.group)
    yield "HINCRBY", name, field, storage.packed(1, decision.share)
    member = storage.sample(facts.match, decision.version, move)
    yield from _keep(f"{space}{storage.recent_of(key)}", facts.ended, member, storage.RECENT)
    if found.rating is not None:
        yield from _keep(f"{space}{storage.best_of(key)}", found.rating, member, storage.BEST)


def _keep(name: str, score: float, member: str, most: int) -> Iterator[Command]:
    """Keep a sample as long as not so many have a higher score."""
    yield "ZADD", name, repr(score), member
    yield "ZREMRANGEBYRANK", name, 0, -most - 1


def _features(space: str, found: Explored) -> Iterator[Command]:
    """Count all decisions of a match by their features."""
    counts: Counter[tuple[str, str]] = Counter()
    variant = found.variant.key
    for one in found.decisions:
        worth = storage.packed(1, one.share)
        counts[storage.kinds_of(variant, one.stage), f"{one.kind} {one.group}"] += worth
        for name in one.names:
            counts[storage.names_of(variant, one.stage), f"{one.kind} {name}"] += worth
    for (name, field), worth in counts.items():
        yield "HINCRBY", f"{space}{name}", field, worth


EXPLORER = explorer({}, lambda match: ())
"""The projection for those who only read it."""
