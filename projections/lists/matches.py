"""The lobby and the history: a summary of every match, indexed by game, status and player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import msgspec
from redis import Redis

from projections.core.changes import publish_changes, record_changes
from projections.core.query import Query, query_all_partitions, run_queries
from projections.core.spaces import Change, Command, Projection, merge_by_match
from projections.core.summary import Summary
from projections.lists.listing import SortedLists, read_page
from projections.lists.pages import Page, write_cursor

ANY = "*"
REPLACEMENT = "replacement"
"""The status in names of lists of matches in play in which a seat is open to a new player."""
UNFINISHED = ("open", "active")
SUMMARY = msgspec.json.Decoder(Summary)
_ENCODER = msgspec.json.Encoder()


def find(
    redis: Redis,
    partitions: int,
    *,
    game: str | None = None,
    status: str | None = None,
    player: str | None = None,
    viewer: str | None = None,
    after: str | None = None,
    limit: int = 50,
) -> Page[Summary]:
    """Return a page of the matching summaries, newest first; None matches anything. The status
    REPLACEMENT matches those in play in which a seat is open to a new player.

    Private matches are only included for viewers who take part in them.
    """
    lists = [f"{owner}:{game or ANY}:{status or ANY}" for owner in _visible_lists(viewer, player)]
    return _page(redis, partitions, lists, after, limit)


def forks_of(
    redis: Redis,
    partitions: int,
    source: str,
    *,
    viewer: str | None = None,
    after: str | None = None,
    limit: int = 50,
) -> Page[Summary]:
    """Return a page of the forks of a match, newest first; private ones only if the viewer sees
    them.
    """
    lists = [f"forks:{source}", *([f"forks:{source}:{viewer}"] if viewer else [])]
    return _page(redis, partitions, lists, after, limit)


def cursor_after(match: Summary) -> str:
    """Return the cursor of the page that begins after a match, in a list by age."""
    return write_cursor(_sort_key(match))


def get(redis: Redis, partition: int, match: str) -> Summary | None:
    """Return the summary of a match, as far as the projection has folded, or None if there
    is none.
    """
    [found] = run_queries(redis, [Query(MATCHES, partition, [("HGET", ":matches", match)])])
    [text] = found.answers
    return None if text is None else SUMMARY.decode(text)


def count_hosted(redis: Redis, partitions: int, host: str) -> int:
    """Return the number of open and active matches of a host."""
    return _count(redis, partitions, f":hosted:{host}")


def count_bots_only(redis: Redis, partitions: int, host: str) -> int:
    """Return the number of active matches of a host in which only bots decide."""
    return _count(redis, partitions, f":bots:{host}")


def find_unfinished(redis: Redis, partitions: int, player: str) -> list[str]:
    """Return the ids of the open and active matches in which a player has a seat or an invitation,
    or is the host.
    """
    owners = product((f"of:{player}", f"with:{player}:{player}"), UNFINISHED)
    of_seats = (f"{owner}:{ANY}:{status}" for owner, status in owners)
    lists = [f"hosted:{player}", f"invited:{player}", *of_seats]
    questions: list[Command] = [("ZRANGE", f":{name}", 0, -1) for name in lists]
    return _match_ids(query_all_partitions(redis, partitions, MATCHES, *questions))


def find_invitations(redis: Redis, partitions: int, player: str, limit: int = 50) -> list[Summary]:
    """Return the open matches that hold a seat for a player who has not taken it, newest first."""
    return list(_page(redis, partitions, [f"invited:{player}"], None, limit).items)


def find_seated(redis: Redis, partitions: int, player: str) -> list[str]:
    """Return the ids of all matches in which a player has a seat, or had one at the end, or until
    another player replaced them.
    """
    owners = (f"of:{player}", f"with:{player}:{player}")
    lists = [f"left:{player}", *(f"{owner}:{ANY}:{ANY}" for owner in owners)]
    questions: list[Command] = [("ZRANGE", f":{name}", 0, -1) for name in lists]
    return _match_ids(query_all_partitions(redis, partitions, MATCHES, *questions))


def apply(space: str, changes: Sequence[Change]) -> Iterator[Command]:
    """Update the summaries, the lists that contain them, and the change feeds."""
    yield from record_changes(space, changes)
    summaries = list[str | int]()
    for change in merge_by_match(changes):
        match = change.after
        summaries += match.id, _ENCODER.encode(match).decode()
        if change.before is None or not change.before.is_listed_like(match):
            yield from _update_lists(space, change.before, match)
    if summaries:
        yield "HSET", f"{space}:matches", *summaries


def _update_lists(space: str, before: Summary | None, match: Summary) -> Iterator[Command]:
    """Remove a match from lists that it has left, and add it to those that it has joined."""
    old, new, key = _list_names(before) if before else set(), _list_names(match), _sort_key(match)
    yield from (("ZREM", f"{space}:{name}", key) for name in sorted(old - new))
    yield from (("ZADD", f"{space}:{name}", 0, key) for name in sorted(new - old))


def _match_ids(found: Sequence[Sequence[Any]]) -> list[str]:
    """Return the match ids of these sort keys, oldest first."""
    keys = {key for answers in found for answer in answers for key in answer}
    return [key.decode().split(":", 1)[1] for key in sorted(keys)]


def _page(
    redis: Redis, partitions: int, lists: Sequence[str], after: str | None, limit: int
) -> Page[Summary]:
    """Return a page of all rows in any of these lists, newest first."""
    by_age = SortedLists(MATCHES, lists, key_times=1, values_hash=":matches", newest_first=True)
    found = read_page(redis, partitions, by_age, after, limit)
    return Page([SUMMARY.decode(text) for text in found.values], found.next, found.lag)


def _count(redis: Redis, partitions: int, key: str) -> int:
    return sum(
        count for [count] in query_all_partitions(redis, partitions, MATCHES, ("ZCARD", key))
    )


def _visible_lists(viewer: str | None, player: str | None) -> list[str]:
    """Return the lists that a viewer may see: those of all matches, or of the matches of
    a player.
    """
    if player is None:
        return ["in", *([f"private:{viewer}"] if viewer else [])]
    return [f"of:{player}", *([f"with:{player}:{viewer}"] if viewer else [])]


def _list_names(match: Summary) -> set[str]:
    """Return the lists that contain a match."""
    statuses = match.status, ANY, *([REPLACEMENT] if match.is_replaceable else [])
    kinds = list(product((match.game, ANY), statuses))
    lists = {f"{owner}:{game}:{status}" for owner in _list_owners(match) for game, status in kinds}
    lists |= {f"left:{player}" for player in match.leavers}
    if match.status in UNFINISHED:
        lists.add(f"hosted:{match.host}")
    if match.status == "open":
        lists |= {
            f"invited:{seat.invited}" for seat in match.seats if seat.invited and not seat.player
        }
    if match.status == "active" and not any(seat.human for seat in match.seats):
        lists.add(f"bots:{match.host}")
    return lists | _fork_lists(match)


def _list_owners(match: Summary) -> set[str]:
    """Return the public lists and those of the players; for a private match, one list for each
    player and viewer.
    """
    if match.visibility == "public":
        return {"in"} | {f"of:{player}" for player in match.holders}
    pairs = {f"with:{player}:{viewer}" for player, viewer in product(match.holders, match.involved)}
    return pairs | {f"private:{viewer}" for viewer in match.involved}


def _fork_lists(match: Summary) -> set[str]:
    """Return the lists of forks that contain a match: the public one of its source, or one for each
    viewer.
    """
    if match.forked_from is None:
        return set()
    forks = f"forks:{match.forked_from.match}"
    if match.visibility == "public":
        return {forks}
    return {f"{forks}:{viewer}" for viewer in match.involved}


def _sort_key(match: Summary) -> str:
    """Return the sort key of a match: its age, then its id."""
    return f"{match.created_at:014d}:{match.id}"


MATCHES = Projection("matches", 11, apply, publish_changes)
