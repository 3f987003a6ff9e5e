"""The change feed of each player and of the lobby: which matches have changed, from any position.

Its keys lie in the same space as the summaries and are committed with them, so a change and the
updated lists become visible at the same time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from domain.match.log import Entry
from projections.core.spaces import Change, Command
from projections.core.summary import Summary

LOBBY = "lobby"
"""The audience of public tables; every other audience is a player id."""
MAX_LOBBY_CHANGES = 1_000
"""Maximum number of matches kept for the lobby in each partition, the latest changes first."""
MAX_FEED_UPDATES = 1_000
"""Number of feed entries, counted from the end, whose audience is kept in the update stream."""
AUDIENCE_FIELD = "who"


def changes_key(space: str, audience: str) -> str:
    """Return the sorted set of matches that have changed for an audience, by feed position."""
    return f"{space}:changes:{audience}"


def updates_key(space: str) -> str:
    """Return the stream of feed positions at which matches changed, with the audience of each
    change.
    """
    return f"{space}:updates"


def build_change(position: int, entry: Entry, before: Summary | None, after: Summary) -> Change:
    """Return the change that the entry at this position made to a match."""
    if before is None or before.is_listed_like(after):
        return Change(position, before, after, _audience(after), entry)
    return Change(position, before, after, _audience(before) | _audience(after), entry)


def record_changes(space: str, changes: Sequence[Change]) -> Iterator[Command]:
    """Yield the commands that store for each audience where each match changed last."""
    latest: dict[tuple[str, str], int] = {}
    for one in changes:
        for audience in one.audience:
            latest[audience, one.after.id] = one.position
    for (audience, match), position in latest.items():
        yield "ZADD", changes_key(space, audience), position, match
    if any(LOBBY in one.audience for one in changes):
        yield "ZREMRANGEBYRANK", changes_key(space, LOBBY), 0, -MAX_LOBBY_CHANGES - 1


def publish_changes(space: str, changes: Sequence[Change]) -> Iterator[Command]:
    """Yield the commands that wake the subscribers of the change feed."""
    for one in changes:
        oldest = max(0, one.position - MAX_FEED_UPDATES + 1)
        audience = " ".join(sorted(one.audience))
        yield (
            "XADD",
            updates_key(space),
            "MINID",
            oldest,
            f"{one.position}-0",
            AUDIENCE_FIELD,
            audience,
        )


def read_audience(fields: Mapping[bytes, bytes]) -> Sequence[str]:
    """Return the audience of a change, from the fields of a row of the update stream."""
    return fields[AUDIENCE_FIELD.encode()].decode().split()


def _audience(match: Summary) -> frozenset[str]:
    has_seat = match.status == "open" or match.is_replaceable
    is_offered = has_seat and match.visibility == "public"
    return match.involved | {LOBBY} if is_offered else match.involved
