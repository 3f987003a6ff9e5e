"""The lobby and the history: a summary of every match, found by game, status and player."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import msgspec
from redis import Redis
from redis.client import Pipeline

from projections.changes import note_changes
from projections.pages import BadCursor, Page, read_cursor, write_cursor
from projections.spaces import Change, Projection, ask_all, live_spaces, merged
from projections.summary import SeatSummary, Summary

ANY = "*"
UNFINISHED = ("open", "active")
SUMMARY = msgspec.json.Decoder(Summary)
_PLACE = msgspec.json.Decoder(str)
_LAST = "\x7f"  # after every place


class Wanted(msgspec.Struct, frozen=True):
    """What is looked for, and by whom; None where anything will do."""

    game: str | None = None
    status: str | None = None
    player: str | None = None
    viewer: str | None = None

    def fits(self, match: Summary) -> bool:
        """Whether this match is looked for and may be known to who looks."""
        return (
            self.game in (None, match.game)
            and self.status in (None, match.status)
            and (self.player is None or self.player in match.holders)
            and (match.visibility == "public" or self.viewer in match.involved)
        )

    def indices(self, space: str) -> list[str]:
        """The lists in which all that fits can be found."""
        if self.player is not None:
            return [f"{space}:of:{self.player}"]
        public = f"{space}:in:{self.game or ANY}:{self.status or ANY}"
        return [public, f"{space}:private:{self.viewer}"] if self.viewer else [public]


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
    """A page of the matches that fit; private ones only for those who take part in them."""
    wanted = Wanted(game, status, player, viewer)
    spaces = live_spaces(redis, range(partitions), MATCHES)
    found: list[Summary] = []
    place = _place_of_cursor(after) if after else _LAST
    while len(found) <= limit:  # what does not fit is left out, so one round may not be enough
        places = _before(redis, spaces, wanted, place, limit + 1)
        found += [match for match in _summaries(redis, spaces, places) if wanted.fits(match)]
        if len(places) <= limit:
            break
        place = places[-1][0]
    return Page(
        found[:limit], write_cursor(_place(found[limit - 1])) if len(found) > limit else None
    )


def get(redis: Redis, partition: int, match: str) -> Summary | None:
    """The summary of one match, as far as the projection has read."""
    [space] = live_spaces(redis, [partition], MATCHES)
    text = redis.hget(f"{space}:matches", match)
    return SUMMARY.decode(text) if isinstance(text, bytes) else None


def ask_summary(pipe: Pipeline, space: str, match: str) -> object:
    """Ask for the summary of a match, which SUMMARY decodes."""
    return pipe.hget(f"{space}:matches", match)


def hosted(redis: Redis, partitions: int, host: str) -> int:
    """How many open and active matches a player is the host of."""
    counts = ask_all(
        redis, partitions, MATCHES, lambda pipe, space: pipe.zcard(f"{space}:hosted:{host}")
    )
    return sum(map(int, counts))


def unfinished(redis: Redis, partitions: int, player: str) -> list[str]:
    """The ids of the open and active matches that a player sits at or is the host of."""
    spaces = live_spaces(redis, range(partitions), MATCHES)
    with redis.pipeline(transaction=False) as pipe:
        for space in spaces:
            pipe.zrange(f"{space}:hosted:{player}", 0, -1)
            pipe.zrange(f"{space}:of:{player}", 0, -1)
        found = pipe.execute()
    places = {(place.decode(), n // 2) for n, places in enumerate(found) for place in places}
    matches = _summaries(redis, spaces, sorted(places))
    return [match.id for match in matches if match.status in UNFINISHED]


def bots_only(redis: Redis, partitions: int, host: str) -> int:
    """How many matches in play a player is the host of in which only bots decide."""
    counts = ask_all(
        redis, partitions, MATCHES, lambda pipe, space: pipe.zcard(f"{space}:bots:{host}")
    )
    return sum(map(int, counts))


def apply(space: str, changes: Sequence[Change], redis: Redis, transaction: Pipeline) -> None:
    """Keep the summaries, the lists in which they are found, and who is to hear of them."""
    note_changes(space, changes, transaction)
    for change in merged(changes):
        before = _lists(change.before) if change.before else set()
        after = _lists(change.after)
        place = {_place(change.after): 0}
        transaction.hset(f"{space}:matches", change.after.id, msgspec.json.encode(change.after))
        for name in sorted(before - after):
            transaction.zrem(f"{space}:{name}", *place)
        for name in sorted(after - before):
            transaction.zadd(f"{space}:{name}", place)


def _lists(match: Summary) -> set[str]:
    lists = {f"of:{player}" for player in match.holders}
    if match.status in UNFINISHED:
        lists.add(f"hosted:{match.host}")
    if match.status == "active" and not any(map(_decides, match.seats)):
        lists.add(f"bots:{match.host}")
    if match.visibility == "private":
        return lists | {f"private:{player}" for player in match.involved}
    kinds = product((match.game, ANY), (match.status, ANY))
    return lists | {f"in:{game}:{status}" for game, status in kinds}


def _decides(seat: SeatSummary) -> bool:
    """Whether a person decides for this seat."""
    return seat.player is not None and seat.bot is None and not seat.resigned


def _before(
    redis: Redis, spaces: Sequence[str], wanted: Wanted, place: str, limit: int
) -> list[tuple[str, int]]:
    """The newest places before this one, over all partitions, each with its partition."""
    with redis.pipeline(transaction=False) as pipe:
        for space in spaces:
            for index in wanted.indices(space):
                pipe.zrevrangebylex(index, f"({place}", "-", 0, limit)
        answers = pipe.execute()
    lists = len(answers) // len(spaces)
    found = {(place.decode(), n // lists) for n, places in enumerate(answers) for place in places}
    return sorted(found, reverse=True)[:limit]


def _summaries(
    redis: Redis, spaces: Sequence[str], places: Sequence[tuple[str, int]]
) -> list[Summary]:
    with redis.pipeline(transaction=False) as pipe:
        for place, partition in places:
            ask_summary(pipe, spaces[partition], place.split(":", 1)[1])
        texts = pipe.execute()
    return [SUMMARY.decode(text) for text in texts if text is not None]


def _place(match: Summary) -> str:
    """Orders matches by age, and by their id if they are equally old."""
    return f"{match.created_at:014d}:{match.id}"


def _place_of_cursor(cursor: str) -> str:
    place = read_cursor(cursor, _PLACE)
    if not (place[:14].isdigit() and place[14:15] == ":"):
        raise BadCursor("This cursor does not come from here.")
    return place


MATCHES = Projection("matches", 5, apply)
