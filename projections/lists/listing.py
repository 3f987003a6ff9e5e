"""Lists that are spread over all partitions, read page by page in the order of their sort keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import sqrt

import msgspec
from redis import Redis

from projections.core.query import Query, run_queries
from projections.core.spaces import Command, Projection
from projections.lists.pages import read_cursor, write_cursor

Row = tuple[bytes, bytes]
"""A sort key and its value."""

LastKeys = Mapping[tuple[int, str], str]
"""By partition and list name: the sort key up to which the list has been read."""


class SortedLists(msgspec.Struct, frozen=True):
    """Lists of a projection, in each partition a sorted set without scores whose members begin with
    their sort key: `key_times` times of 14 digits and the id of a match.

    If `values_hash` names a hash, a member is only the sort key, and the hash has the value by
    match id. Otherwise a member is the sort key, a space and the value.
    """

    projection: Projection
    names: Sequence[str]
    key_times: int
    values_hash: str = ""
    newest_first: bool = False

    def read_command(self, name: str, after: str, count: int) -> Command:
        """Return the command that reads the next `count` rows of a list after a sort key."""
        if self.newest_first:
            limits = (f"({after}" if after else "+", "-")
            return "ZREVRANGEBYLEX", f":{name}", *limits, "LIMIT", 0, count
        limits = (f"({after}!" if after else "-", "+")  # a space comes before this sign
        return "ZRANGEBYLEX", f":{name}", *limits, "LIMIT", 0, count

    def rows(self, answer: Sequence[bytes]) -> list[Row]:
        """Return the rows of an answer."""
        if self.values_hash:
            return list(zip(answer[::2], answer[1::2], strict=True))
        return [(place, text) for place, _, text in (one.partition(b" ") for one in answer)]

    def sort_rows(self, rows: Sequence[Row]) -> list[Row]:
        """Rows of several lists, merged into one order."""
        return sorted(rows, reverse=self.newest_first)

    def has_more(self, page: Sequence[Row], rows: Sequence[Row]) -> bool:
        """Return whether the list of this page may have more rows before the last of `rows`."""
        return self.sort_rows([page[-1], rows[-1]])[0] != rows[-1]


class ListPage(msgspec.Struct, frozen=True):
    """The values of a page, the cursor of the next page or None, and the number of entries that the
    projection had not folded yet.
    """

    values: Sequence[bytes]
    next: str | None
    lag: int


def read_page(
    redis: Redis, partitions: int, lists: SortedLists, after: str | None, limit: int
) -> ListPage:
    """Return the first `limit` rows of all lists together, or those after a cursor. Raises
    BadCursor.

    This takes one round trip however long the lists are, or two if one partition has far more than
    its share.
    """
    start = read_cursor(after, lists.key_times) if after else ""
    ends: LastKeys = {(n, name): start for n in range(partitions) for name in lists.names}
    count, rows, behind = _rows_to_read(limit / partitions), list[Row](), list[int]()
    while ends:
        pages, lag = _read_next(redis, lists, ends, count)
        behind.append(lag)
        rows = lists.sort_rows([*rows, *(row for page in pages for row in page)])[: limit + 1]
        ends = {
            of: page[-1][0].decode()
            for of, page in zip(ends, pages, strict=True)
            if len(page) == count and (len(rows) <= limit or lists.has_more(page, rows))
        }
        count = limit + 1
    following = write_cursor(rows[limit - 1][0].decode()) if len(rows) > limit else None
    return ListPage([text for _, text in rows[:limit]], following, behind[0])


def _rows_to_read(share: float) -> int:
    """Return how many rows to read from a list, so that a second read is rare, if this is its
    average share.
    """
    return round(share + 2 * sqrt(share) + 2)


def _read_next(
    redis: Redis, lists: SortedLists, ends: LastKeys, count: int
) -> tuple[list[list[Row]], int]:
    """Return the next rows of each of these lists, and the number of entries not folded yet."""
    queries = [
        Query(
            lists.projection,
            partition,
            [lists.read_command(name, end, count) for (_, name), end in some],
            lists.values_hash,
        )
        for partition, some in groupby(ends.items(), lambda one: one[0][0])
    ]
    results = run_queries(redis, queries)
    pages = [lists.rows(answer) for one in results for answer in one.answers]
    return pages, sum(one.lag for one in results)
