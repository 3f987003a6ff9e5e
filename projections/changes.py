"""What has changed of the matches: for each player, and for the lobby, since any place in a feed.

It lies in the same spaces as the summaries, so that nobody can hear of a change before, or long
after, the lists know it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from projections.spaces import Change, Command
from projections.summary import Summary

LOBBY = "lobby"
"""Who hears of the public tables; everybody else who hears of something is a player."""
KEPT = 1_000
"""Matches that are kept for the lobby in each partition, those that changed last."""
TOLD = 1_000
"""Entries of a feed, the last ones, of which is kept who was told."""
WHO = "who"


def changed_key(space: str, who: str) -> str:
    """The matches that have changed for somebody, by the place of the last change in the feed."""
    return f"{space}:changed:{who}"


def told_key(space: str) -> str:
    """The stream that tells at which place of the feed something changed for whom."""
    return f"{space}:told"


def note_changes(space: str, changes: Sequence[Change]) -> Iterator[Command]:
    """Note for those who knew of a match before, or know of it now, where it changed last."""
    latest: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for change in changes:
        for who in _concerned(change):
            latest[who][change.after.id] = change.position
    for who, places in sorted(latest.items()):
        words = [word for match, position in places.items() for word in (position, match)]
        yield "ZADD", changed_key(space, who), *words
    if LOBBY in latest:
        yield "ZREMRANGEBYRANK", changed_key(space, LOBBY), 0, -KEPT - 1


def tell_changes(space: str, changes: Sequence[Change]) -> Iterator[Command]:
    """Wake those who listen."""
    for change in changes:
        oldest = max(0, change.position - TOLD + 1)
        concerned = " ".join(sorted(_concerned(change)))
        where = f"{change.position}-0"
        yield "XADD", told_key(space), "MINID", oldest, where, WHO, concerned


def who_was_told(fields: Mapping[bytes, bytes]) -> Sequence[str]:
    """For whom something changed, as a row of the stream has it."""
    return fields[WHO.encode()].decode().split()


def _concerned(change: Change) -> set[str]:
    """Who knew of a match before, or knows of it now."""
    before, after = change.before, change.after
    if before is None or before.is_listed_like(after):
        return _audience(after)
    return _audience(after) | _audience(before)


def _audience(match: Summary) -> set[str]:
    is_offered = match.visibility == "public" and match.status == "open"
    return match.involved | ({LOBBY} if is_offered else set())
