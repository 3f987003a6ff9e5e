"""What has changed of the matches: for each player, and for the lobby, since any place in a feed.

It lies in the same spaces as the summaries, so that nobody can hear of a change before, or long
after, the lists know it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from redis.client import Pipeline

from projections.spaces import Change
from projections.summary import Summary

LOBBY = "lobby"
"""Who hears of the public tables; everybody else who hears of something is a player."""
KEPT = 1_000
"""Matches that are kept for the lobby in each partition, those that changed last."""
TOLD = 1_000
"""Entries of a feed, the last ones, of which is kept who was told."""
_WHO = b"who"


def changed_key(space: str, who: str) -> str:
    """The matches that have changed for somebody, by the place of the last change in the feed."""
    return f"{space}:changed:{who}"


def told_key(space: str) -> str:
    """The stream that tells at which place of the feed something changed for whom."""
    return f"{space}:told"


def note_changes(space: str, changes: Sequence[Change], transaction: Pipeline) -> None:
    """Tell those who knew of a match before or know of it now that it has changed."""
    latest: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for change in changes:
        concerned = _audience(change.after) | (_audience(change.before) if change.before else set())
        for who in concerned:
            latest[who][change.after.id] = change.position
        transaction.xadd(
            told_key(space),
            {_WHO: " ".join(sorted(concerned))},
            id=f"{change.position}-0",
            minid=max(0, change.position - TOLD),
            approximate=False,
        )
    for who, places in sorted(latest.items()):
        transaction.zadd(changed_key(space, who), places)
    if LOBBY in latest:
        transaction.zremrangebyrank(changed_key(space, LOBBY), 0, -KEPT - 1)


def who_was_told(fields: Mapping[bytes, bytes]) -> Sequence[str]:
    """For whom something changed, as a row of the stream has it."""
    return fields[_WHO].decode().split()


def _audience(match: Summary) -> set[str]:
    is_offered = match.visibility == "public" and match.status == "open"
    return match.involved | ({LOBBY} if is_offered else set())
