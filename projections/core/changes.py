"""What has changed of the matches: for each player, and for the lobby, since any place in a feed.

It lies in the same spaces as the summaries, so that nobody can hear of a change before, or long
after, the lists know it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from domain.match.log import Entry
from projections.core.spaces import Change, Command
from projections.core.summary import Summary

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


def change(position: int, entry: Entry, before: Summary | None, after: Summary) -> Change:
    """What the entry at this position made of a match."""
    if before is None or before.is_listed_like(after):
        return Change(position, before, after, _audience(after), entry)
    return Change(position, before, after, _audience(before) | _audience(after), entry)


def note_changes(space: str, changes: Sequence[Change]) -> Iterator[Command]:
    """Note for those who are concerned where a match changed last."""
    latest: dict[tuple[str, str], int] = {}
    for one in changes:
        for who in one.concerned:
            latest[who, one.after.id] = one.position
    for (who, match), position in latest.items():
        yield "ZADD", changed_key(space, who), position, match
    if any(LOBBY in one.concerned for one in changes):
        yield "ZREMRANGEBYRANK", changed_key(space, LOBBY), 0, -KEPT - 1


def tell_changes(space: str, changes: Sequence[Change]) -> Iterator[Command]:
    """Wake those who listen."""
    for one in changes:
        oldest = max(0, one.position - TOLD + 1)
        concerned = " ".join(sorted(one.concerned))
        yield "XADD", told_key(space), "MINID", oldest, f"{one.position}-0", WHO, concerned


def who_was_told(fields: Mapping[bytes, bytes]) -> Sequence[str]:
    """For whom something changed, as a row of the stream has it."""
    return fields[WHO.encode()].decode().split()


def _audience(match: Summary) -> frozenset[str]:
    is_offered = match.status == "open" and match.visibility == "public"
    return match.involved | {LOBBY} if is_offered else match.involved
