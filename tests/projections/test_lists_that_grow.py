"""Lists are found by sorted indexes: each filter gives what it should, and no page costs more the
longer its list is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import pytest
from redis import Redis

from domain.match.decisions import lobby
from domain.match.events import RatingChange
from projections.lists.matches import find, get, hosted, unfinished
from projections.lists.results import record_of
from projections.lists.turns import waiting_for
from projections.progress import progress
from service import ratings
from service.store.event_store import Store
from tests.projections.recorded import Recorded, fold_all

FEW, MANY = 40, 400
TWO = 2  # partitions, of which each has more than a page of a short list already
PEOPLE = ("ann", "bob", "cid", "dan", None)


def mixed(store: Store) -> list[Recorded]:
    """Public and private matches between different people, in every status."""
    tables = []
    for n, (seats, visibility) in enumerate(
        product(("ann bob", "ann ?cid", "bob .", "cid ann bob", "dan +easy"), ("public", "private"))
    ):
        for k in range(3):
            table = Recorded(store, seats, match=f"m{n}-{k}", visibility=visibility)
            if table.match.status == "active" and k:
                table.resign(str(table.match.chairs[0].player))
            elif table.match.status == "open" and k:
                table.act(lobby.close(table.match, table.match.host), table.match.host)
            if table.match.status == "ended" and k == 2:
                table.score()
            tables.append(table)
    return tables


def holders(table: Recorded) -> set[str | None]:
    return {chair.player for chair in table.match.chairs}


def may_know(table: Recorded, viewer: str | None) -> bool:
    match = table.match
    invited = {chair.invited for chair in match.chairs}
    knowing = {match.host} | invited | holders(table) - {None}
    return match.visibility == "public" or (viewer is not None and viewer in knowing)


@pytest.mark.parametrize("viewer", PEOPLE)
def test_each_filter_gives_what_fits_and_may_be_known(store: Store, viewer: str | None) -> None:
    tables = mixed(store)
    fold_all(store, batch=3)
    for player, status in product(PEOPLE, (None, "open", "active", "ended", "scored", "aborted")):
        for game in (None, "toy", "chess"):
            fitting = {
                table.match.id
                for table in tables
                if may_know(table, viewer)
                and player in {None, *holders(table)}
                and status in {None, table.match.status}
                and game in {None, "toy"}
            }
            wanted = {"game": game, "status": status, "player": player, "viewer": viewer}
            assert paged(store.redis, **wanted) == sorted(fitting, reverse=True), wanted


def paged(redis: Redis, **wanted: Any) -> list[str]:
    """The ids of all pages."""
    page = find(redis, 16, limit=4, **wanted)
    found = page.items
    while page.next:
        page = find(redis, 16, limit=4, after=page.next, **wanted)
        found += page.items
    return [match.id for match in found]


def test_turns_come_in_pages_the_most_urgent_first(store: Store) -> None:
    for n in range(30):
        Recorded(store, "ann ann", match=f"m{n}").wait(7 * n % 30).play()
    fold_all(store)
    found, after = [], None
    while True:
        page = waiting_for(store.redis, 16, "ann", after, 4)
        found += page.items
        if page.next is None:
            break
        assert len(page.items) == 4
        after = page.next
    assert len({turn.match for turn in found}) == 30
    assert found == sorted(found, key=lambda turn: (turn.since, turn.match))


def test_a_page_and_how_far_behind_it_is_are_one_round_trip(store: Store) -> None:
    some_of_everything(store, 0, FEW)
    fold_all(store)
    Recorded(store, "ann bob", match="later")
    for page in (find(store.redis, 16, viewer="bob"), waiting_for(store.redis, 16, "ann")):
        assert (page.behind, len(page.items)) == (1, FEW)
    for name, read in PAGES.items():
        assert used(store.redis, "total_reads_processed", partial(read, store.redis)) == 1, name


PAGES: dict[str, Callable[[Redis], object]] = {
    "all": lambda redis: find(redis, TWO, limit=4),
    "of a game and status": lambda redis: find(redis, TWO, game="toy", status="active", limit=4),
    "of a rare status": lambda redis: find(redis, TWO, player="ann", status="open", limit=4),
    "of a player": lambda redis: find(redis, TWO, player="ann", viewer="eve", limit=4),
    "of two friends": lambda redis: find(redis, TWO, player="ann", viewer="bob", limit=4),
    "my turns": lambda redis: waiting_for(redis, TWO, "ann", limit=4),
    "my record": lambda redis: record_of(redis, TWO, "ann"),
    "how many I host": lambda redis: hosted(redis, TWO, "ann"),
    "unfinished of somebody else": lambda redis: unfinished(redis, TWO, "eve"),
    "one": lambda redis: get(redis, 0, "m1"),
    "how far all is": lambda redis: progress(redis, TWO),
}


RATINGS: dict[str, Callable[[Redis], object]] = {
    "leaderboard": lambda redis: ratings.standings(redis, "toy", limit=4),
    "established": lambda redis: ratings.standings(redis, "toy", 2, limit=4, provisional=False),
    "how many are hidden": lambda redis: ratings.hidden(redis, "toy"),
    "my place": lambda redis: ratings.place_of(redis, "toy", ratings.Rating(25, 8, 20)),
    "my ratings": lambda redis: ratings.history(redis, "toy", "ann", limit=4),
    "my opponents": lambda redis: ratings.opponents(redis, "toy", "ann", 4),
}


def some_of_everything(store: Store, begin: int, end: int) -> None:
    """Matches of two who play nobody else, every second one private, with ratings."""
    for n in range(begin, end):
        visibility = "private" if n % 2 else "public"
        Recorded(store, "ann bob", match=f"m{n}", visibility=visibility)
        changes = [
            RatingChange(f"u{n}", (25, 8), (25 + n / 1000, 8), 20, 0),
            RatingChange("ann", (25, 8), (25, 8), n + 1, n + 1),
        ]
        seats = [ratings.Competitor(change.competitor, 1) for change in changes]
        ratings.remember(store.redis, "toy", f"m{n}", changes, seats, n)


def used(redis: Redis, what: str, action: Callable[[], object]) -> int:
    """How much of something Redis counts that an action takes."""
    before = int(redis.info("stats")[what])
    nothing = int(redis.info("stats")[what]) - before
    before = int(redis.info("stats")[what])
    action()
    return int(redis.info("stats")[what]) - before - nothing


def test_no_page_brings_more_from_a_longer_list(redis_client: Redis) -> None:
    store = Store(redis_client, TWO)
    pages = {**PAGES, **RATINGS}
    sizes: dict[int, dict[str, int]] = {}
    for begin, end in ((0, FEW), (FEW, MANY)):
        some_of_everything(store, begin, end)
        ratings.catch_up(store.redis, "toy")
        fold_all(store)
        sizes[end] = {
            name: used(store.redis, "total_net_output_bytes", partial(read, store.redis))
            for name, read in pages.items()
        }
    assert {name: size for name, size in sizes[MANY].items() if size > 1.5 * sizes[FEW][name]} == {}
