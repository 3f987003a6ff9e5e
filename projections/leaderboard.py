"""Leaderboards: the latest rating of everybody who played a rated match of a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from redis import Redis
from redis.client import Pipeline

from domain.match.events import RatingChange
from projections.pages import Page
from projections.spaces import Change, Projection, ask_all, merged


class Standing(msgspec.Struct, frozen=True):
    """A competitor (a player's id or `bot:<level>`) and what is known of its strength."""

    competitor: str
    mu: float
    sigma: float
    played: int
    won: int

    @property
    def rating(self) -> float:
        """A strength that the competitor has almost certainly."""
        return self.mu - 3 * self.sigma


_STANDING = msgspec.json.Decoder(Standing)


def standings(
    redis: Redis, partitions: int, game: str, after: int | None = None, limit: int = 50
) -> Page[Standing]:
    """A page of the leaderboard, after that many places."""
    found = ask_all(
        redis, partitions, LEADERBOARD, lambda pipe, space: pipe.hvals(f"{space}:in:{game}")
    )
    latest = _latest(_STANDING.decode(text) for texts in found for text in texts)
    table = sorted(latest.values(), key=lambda one: (-one.rating, one.competitor))
    start = after or 0
    end = start + limit
    return Page(table[start:end], end if end < len(table) else None)


def apply(space: str, changes: Sequence[Change], redis: Redis, transaction: Pipeline) -> None:
    """Keep the latest rating of each competitor of this partition."""
    by_game: dict[str, list[RatingChange]] = {}
    for change in merged(changes):
        if change.after.ratings and not (change.before and change.before.ratings):
            by_game.setdefault(change.after.game, []).extend(change.after.ratings)
    for game, rated in by_game.items():
        key = f"{space}:in:{game}"
        new = _latest(_standing(change) for change in rated)
        known = [_STANDING.decode(text) for text in redis.hmget(key, list(new)) if text]
        for one in _latest([*known, *new.values()]).values():
            transaction.hset(key, one.competitor, msgspec.json.encode(one))


def _latest(all_of_them: Iterable[Standing]) -> Mapping[str, Standing]:
    """The one with the most matches for each competitor: matches of a competitor lie in several
    partitions, which are read at different speeds.
    """
    latest: dict[str, Standing] = {}
    for one in all_of_them:
        if one.competitor not in latest or latest[one.competitor].played < one.played:
            latest[one.competitor] = one
    return latest


def _standing(change: RatingChange) -> Standing:
    return Standing(change.competitor, *change.after, change.played, change.won)


LEADERBOARD = Projection("leaderboard", 1, apply)
