"""The lobby and the history: a summary of every match, found by game, status and player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import msgspec
from redis import Redis

from projections.core.changes import note_changes, tell_changes
from projections.core.query import Asked, ask, everywhere
from projections.core.spaces import Change, Command, Projection, merged
from projections.core.summary import Summary
from projections.lists.listing import Lists, read
from projections.lists.pages import Page

ANY = "*"
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
    """A page of the matches that fit, where anything fits None; private ones only for those who
    take part in them.
    """
    lists = [f"{owner}:{game or ANY}:{status or ANY}" for owner in _seen_by(viewer, player)]
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
    """A page of the forks of a match, the newest first; private ones only for those who may know
    of them.
    """
    lists = [f"forks:{source}", *([f"forks:{source}:{viewer}"] if viewer else [])]
    return _page(redis, partitions, lists, after, limit)


def get(redis: Redis, partition: int, match: str) -> Summary | None:
    """The summary of one match, as far as the projection has read."""
    [found] = ask(redis, [Asked(MATCHES, partition, [("HGET", ":matches", match)])])
    [text] = found.answers
    return None if text is None else SUMMARY.decode(text)


def hosted(redis: Redis, partitions: int, host: str) -> int:
    """How many open and active matches a player is the host of."""
    return _count(redis, partitions, f":hosted:{host}")


def bots_only(redis: Redis, partitions: int, host: str) -> int:
    """How many matches in play a player is the host of in which only bots decide."""
    return _count(redis, partitions, f":bots:{host}")


def unfinished(redis: Redis, partitions: int, player: str) -> list[str]:
    """The ids of the open and active matches that a player sits at or is the host of."""
    owners = product((f"of:{player}", f"with:{player}:{player}"), UNFINISHED)
    lists = [f"hosted:{player}", *(f"{owner}:{ANY}:{status}" for owner, status in owners)]
    questions: list[Command] = [("ZRANGE", f":{name}", 0, -1) for name in lists]
    return _ids(everywhere(redis, partitions, MATCHES, *questions))


def seated(redis: Redis, partitions: int, player: str) -> list[str]:
    """The ids of all matches in which a player holds a seat, or did when they ended."""
    lists = (f"{owner}:{ANY}:{ANY}" for owner in (f"of:{player}", f"with:{player}:{player}"))
    questions: list[Command] = [("ZRANGE", f":{name}", 0, -1) for name in lists]
    return _ids(everywhere(redis, partitions, MATCHES, *questions))


def apply(space: str, changes: Sequence[Change]) -> Iterator[Command]:
    """Keep the summaries, the lists in which they are found, and who is to hear of them."""
    yield from note_changes(space, changes)
    summaries = list[str | int]()
    for change in merged(changes):
        match = change.after
        summaries += match.id, _ENCODER.encode(match).decode()
        if change.before is None or not change.before.is_listed_like(match):
            yield from _moves(space, change.before, match)
    if summaries:
        yield "HSET", f"{space}:matches", *summaries


def _moves(space: str, before: Summary | None, match: Summary) -> Iterator[Command]:
    """Take a match out of the lists in which it is no longer, and put it in those where it is."""
    old, new, place = _lists(before) if before else set(), _lists(match), _place(match)
    yield from (("ZREM", f"{space}:{name}", place) for name in sorted(old - new))
    yield from (("ZADD", f"{space}:{name}", 0, place) for name in sorted(new - old))


def _ids(found: Sequence[Sequence[Any]]) -> list[str]:
    """The matches that stand at the places that were found, the oldest first."""
    places = {place for answers in found for places in answers for place in places}
    return [place.decode().split(":", 1)[1] for place in sorted(places)]


def _page(
    redis: Redis, partitions: int, lists: Sequence[str], after: str | None, limit: int
) -> Page[Summary]:
    """A page of what stands in any of these lists, the newest first."""
    by_age = Lists(MATCHES, lists, times=1, values=":matches", newest_first=True)
    found = read(redis, partitions, by_age, after, limit)
    return Page([SUMMARY.decode(text) for text in found.found], found.next, found.behind)


def _count(redis: Redis, partitions: int, key: str) -> int:
    return sum(count for [count] in everywhere(redis, partitions, MATCHES, ("ZCARD", key)))


def _seen_by(viewer: str | None, player: str | None) -> list[str]:
    """Whose lists a viewer may see: those of all matches, or of the matches of a player."""
    if player is None:
        return ["in", *([f"private:{viewer}"] if viewer else [])]
    return [f"of:{player}", *([f"with:{player}:{viewer}"] if viewer else [])]


def _lists(match: Summary) -> set[str]:
    """The lists in which a match is found."""
    kinds = list(product((match.game, ANY), (match.status, ANY)))
    lists = {f"{owner}:{game}:{status}" for owner in _owners(match) for game, status in kinds}
    if match.status in UNFINISHED:
        lists.add(f"hosted:{match.host}")
    if match.status == "active" and not any(seat.human for seat in match.seats):
        lists.add(f"bots:{match.host}")
    return lists | _forks(match)


def _owners(match: Summary) -> set[str]:
    """Everybody's lists, and those of its players; of a private match, each for those who may know
    of it alone.
    """
    if match.visibility == "public":
        return {"in"} | {f"of:{player}" for player in match.holders}
    pairs = {f"with:{player}:{viewer}" for player, viewer in product(match.holders, match.involved)}
    return pairs | {f"private:{viewer}" for viewer in match.involved}


def _forks(match: Summary) -> set[str]:
    """The lists of the forks of the match that a match was forked from; private ones are for those
    who may know of them alone.
    """
    if match.forked_from is None:
        return set()
    forks = f"forks:{match.forked_from.match}"
    if match.visibility == "public":
        return {forks}
    return {f"{forks}:{viewer}" for viewer in match.involved}


def _place(match: Summary) -> str:
    """Orders matches by age, and by their id if they are equally old."""
    return f"{match.created_at:014d}:{match.id}"


MATCHES = Projection("matches", 8, apply, tell_changes)
