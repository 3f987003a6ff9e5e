"""Lists of matches without the tables of people whom the viewer may not meet."""

from __future__ import annotations

from collections.abc import Callable

from redis import Redis

from projections.core.summary import Summary
from projections.lists import matches
from projections.lists.pages import Page
from service.accounts.people.meeting import find_hidden, is_hidden_from, people_who_stay

MAX_READS = 20
"""Maximum number of pages to read in order to fill one whose tables are hidden."""
NO_PLAYER = "u0"
"""An id that no player has: the list of a player who is hidden is that of nobody."""
ReadPage = Callable[[str | None], Page[Summary]]
"""Reads the page after a cursor."""


def find_matches(
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
    """Return a page of matches, newest first, as `projections.lists.matches.find`."""
    if player is not None and is_hidden_from(redis, viewer, player):
        player = NO_PLAYER

    def read(after: str | None) -> Page[Summary]:
        return matches.find(
            redis,
            partitions,
            game=game,
            status=status,
            player=player,
            viewer=viewer,
            after=after,
            limit=limit,
        )

    seeks = status == matches.REPLACEMENT  # a match in play that all see, but not all may join
    people_of = people_who_stay if seeks else None
    return _fill_page(redis, viewer, read, after, limit, people_of)


def find_forks(
    redis: Redis,
    partitions: int,
    source: str,
    *,
    viewer: str | None = None,
    after: str | None = None,
    limit: int = 50,
) -> Page[Summary]:
    """Return a page of the forks of a match, newest first."""

    def read(after: str | None) -> Page[Summary]:
        return matches.forks_of(redis, partitions, source, viewer=viewer, after=after, limit=limit)

    return _fill_page(redis, viewer, read, after, limit)


def find_visible_invitations(
    redis: Redis, partitions: int, player: str, limit: int
) -> list[Summary]:
    """Return the open tables that hold a seat for a player, newest first."""
    found = matches.find_invitations(redis, partitions, player, limit)
    hidden = find_hidden(redis, found, player)
    return [match for match in found if match.id not in hidden]


def _fill_page(
    redis: Redis,
    viewer: str | None,
    read: ReadPage,
    after: str | None,
    limit: int,
    people_of: Callable[[Summary], frozenset[str]] | None = None,
) -> Page[Summary]:
    """Return a page that is as long as if the hidden tables did not exist: a short one would say
    that there are some.
    """
    page = read(after)
    hidden = find_hidden(redis, page.items, viewer, people_of)
    if not hidden:
        return page
    items = _without(hidden, page)
    for _ in range(MAX_READS - 1):
        if len(items) > limit or page.next is None:
            break
        page = read(page.next)
        items += _without(find_hidden(redis, page.items, viewer, people_of), page)
    if len(items) > limit:
        return Page(items[:limit], matches.cursor_after(items[limit - 1]), page.lag)
    return Page(items, page.next, page.lag)


def _without(hidden: frozenset[str], page: Page[Summary]) -> list[Summary]:
    return [match for match in page.items if match.id not in hidden]
