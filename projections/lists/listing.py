"""Lists that lie in all partitions, in the order of places, read a page at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import sqrt

import msgspec
from redis import Redis

from projections.core.query import Asked, ask
from projections.core.spaces import Command, Projection
from projections.lists.pages import read_cursor, write_cursor

Row = tuple[bytes, bytes]
"""A place, and what stands there."""

Ends = Mapping[tuple[int, str], str]
"""Up to which place lists have been read; each has a partition and a name."""


class Lists(msgspec.Struct, frozen=True):
    """Lists of a projection that each partition has: sorted sets without scores, in the order of
    places, which are so many times and the id of a match.

    A member is a place, if `values` is the hash that has what stands there by the id; otherwise it
    is the place, a space, and what stands there.
    """

    projection: Projection
    names: Sequence[str]
    times: int
    values: str = ""
    newest_first: bool = False

    def question(self, name: str, after: str, count: int) -> Command:
        """What asks for so many rows of a list after a place."""
        if self.newest_first:
            limits = (f"({after}" if after else "+", "-")
            return "ZREVRANGEBYLEX", f":{name}", *limits, "LIMIT", 0, count
        limits = (f"({after}!" if after else "-", "+")  # a space comes before this sign
        return "ZRANGEBYLEX", f":{name}", *limits, "LIMIT", 0, count

    def rows(self, answer: Sequence[bytes]) -> list[Row]:
        """The rows of an answer."""
        if self.values:
            return list(zip(answer[::2], answer[1::2], strict=True))
        return [(place, text) for place, _, text in (one.partition(b" ") for one in answer)]

    def in_order(self, rows: Sequence[Row]) -> list[Row]:
        """Rows of several lists as they come in all lists together."""
        return sorted(rows, reverse=self.newest_first)

    def has_more(self, page: Sequence[Row], rows: Sequence[Row]) -> bool:
        """Whether more of the list that this page is of may come before the last of these rows."""
        return self.in_order([page[-1], rows[-1]])[0] != rows[-1]


class Rows(msgspec.Struct, frozen=True):
    """What stands at some places, the cursor of what comes after them if anything does, and how
    many entries had not been read yet.
    """

    found: Sequence[bytes]
    next: str | None
    behind: int


def read(redis: Redis, partitions: int, lists: Lists, after: str | None, limit: int) -> Rows:
    """So many rows of all lists together after a cursor, or the first ones; BadCursor.

    However long the lists are, it is one round trip, or two if one has far more than its share.
    """
    start = read_cursor(after, lists.times) if after else ""
    ends: Ends = {(n, name): start for n in range(partitions) for name in lists.names}
    count, rows, behind = _enough(limit / partitions), list[Row](), list[int]()
    while ends:
        pages, lag = _read_on(redis, lists, ends, count)
        behind.append(lag)
        rows = lists.in_order([*rows, *(row for page in pages for row in page)])[: limit + 1]
        ends = {
            of: page[-1][0].decode()
            for of, page in zip(ends, pages, strict=True)
            if len(page) == count and (len(rows) <= limit or lists.has_more(page, rows))
        }
        count = limit + 1
    following = write_cursor(rows[limit - 1][0].decode()) if len(rows) > limit else None
    return Rows([text for _, text in rows[:limit]], following, behind[0])


def _enough(share: float) -> int:
    """So many rows that a list seldom has more of a page, if it has this share of it on average."""
    return round(share + 2 * sqrt(share) + 2)


def _read_on(redis: Redis, lists: Lists, ends: Ends, count: int) -> tuple[list[list[Row]], int]:
    """The next rows of each of these lists, and how many entries they have not read."""
    asked = [
        Asked(
            lists.projection,
            partition,
            [lists.question(name, end, count) for (_, name), end in some],
            lists.values,
        )
        for partition, some in groupby(ends.items(), lambda one: one[0][0])
    ]
    answered = ask(redis, asked)
    pages = [lists.rows(answer) for one in answered for answer in one.answers]
    return pages, sum(one.behind for one in answered)
