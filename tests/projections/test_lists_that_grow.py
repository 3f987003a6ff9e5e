"""Each filter returns the right matches, and a page costs the same in a long list."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import pytest
from redis import Redis

from domain.match.decisions import lobby
from domain.match.outcome import RatingChange
from projections.lists.matches import count_hosted, find, find_unfinished, get
from projections.lists.reliability import read_reliability
from projections.lists.results import read_record
from projections.lists.turns import find_turns
from projections.progress import read_progress
from service import ratings
from service.store.event_store import EventStore
from tests.projections.recorded import RecordedMatch, fold_all

FEW, MANY = 40, 400
TWO = 2  # partitions, each with more than a page of a short list
PEOPLE = ("ann", "bob", "cid", "dan", None)


def various_matches(store: EventStore) -> list[RecordedMatch]:
    """Public and private matches between different players, in every status."""
    tables = []
    for n, (seats, visibility) in enumerate(
        product(("ann bob", "ann ?cid", "bob .", "cid ann bob", "dan +easy"), ("public", "private"))
    ):
        for k in range(3):
            table = RecordedMatch(store, seats, match=f"m{n}-{k}", visibility=visibility)
            if table.match.status == "active" and k:
                table.resign(str(table.match.chairs[0].player))
            elif table.match.status == "open" and k:
                table.act(lobby.close(table.match, table.match.host), table.match.host)
            if table.match.status == "ended" and k == 2:
                table.score()
            tables.append(table)
    return tables


def holders(table: RecordedMatch) -> set[str | None]:
    return {chair.player for chair in table.match.chairs}


def may_know(table: RecordedMatch, viewer: str | None) -> bool:
    match = table.match
    invited = {chair.invited for chair in match.chairs}
    knowing = {match.host} | invited | holders(table) - {None}
    return match.visibility == "public" or (viewer is not None and viewer in knowing)


@pytest.mark.parametrize("viewer", PEOPLE)
def test_each_filter_returns_visible_matches(store: EventStore, viewer: str | None) -> None:
    tables = various_matches(store)
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
            assert page_ids(store.redis, **wanted) == sorted(fitting, reverse=True), wanted


def page_ids(redis: Redis, **wanted: Any) -> list[str]:
    """The ids of all pages."""
    page = find(redis, 16, limit=4, **wanted)
    found = page.items
    while page.next:
        page = find(redis, 16, limit=4, after=page.next, **wanted)
        found += page.items
    return [match.id for match in found]


def test_turns_come_in_pages_most_urgent_first(store: EventStore) -> None:
    for n in range(30):
        RecordedMatch(store, "ann ann", match=f"m{n}").wait(7 * n % 30).play()
    fold_all(store)
    found, after = [], None
    while True:
        page = find_turns(store.redis, 16, "ann", after, 4)
        found += page.items
        if page.next is None:
            break
        assert len(page.items) == 4
        after = page.next
    assert len({turn.match for turn in found}) == 30
    assert found == sorted(found, key=lambda turn: (turn.since, turn.match))


def test_a_page_and_its_lag_take_one_round_trip(store: EventStore) -> None:
    some_of_everything(store, 0, FEW)
    fold_all(store)
    RecordedMatch(store, "ann bob", match="later")
    for page in (find(store.redis, 16, viewer="bob"), find_turns(store.redis, 16, "ann")):
        assert (page.lag, len(page.items)) == (1, FEW)
    for name, read in PAGES.items():
        assert measure_use(store.redis, "total_reads_processed", partial(read, store.redis)) == 1, (
            name
        )


PAGES: dict[str, Callable[[Redis], object]] = {
    "all": lambda redis: find(redis, TWO, limit=4),
    "of a game and status": lambda redis: find(redis, TWO, game="toy", status="active", limit=4),
    "of a rare status": lambda redis: find(redis, TWO, player="ann", status="open", limit=4),
    "of a player": lambda redis: find(redis, TWO, player="ann", viewer="eve", limit=4),
    "of two friends": lambda redis: find(redis, TWO, player="ann", viewer="bob", limit=4),
    "my turns": lambda redis: find_turns(redis, TWO, "ann", limit=4),
    "my record": lambda redis: read_record(redis, TWO, "ann"),
    "my reliability": lambda redis: read_reliability(redis, TWO, "ann"),
    "how many I host": lambda redis: count_hosted(redis, TWO, "ann"),
    "unfinished of somebody else": lambda redis: find_unfinished(redis, TWO, "eve"),
    "one": lambda redis: get(redis, 0, "m1"),
    "how far all is": lambda redis: read_progress(redis, TWO),
}


RATINGS: dict[str, Callable[[Redis], object]] = {
    "leaderboard": lambda redis: ratings.standings(redis, "toy", limit=4),
    "established": lambda redis: ratings.standings(redis, "toy", 2, limit=4, provisional=False),
    "how many are hidden": lambda redis: ratings.count_provisional(redis, "toy"),
    "my place": lambda redis: ratings.place_of(redis, "toy", ratings.Rating(25, 8, 20)),
    "my ratings": lambda redis: ratings.history(redis, "toy", "ann", limit=4),
    "my opponents": lambda redis: ratings.opponents(redis, "toy", "ann", 4),
}


def some_of_everything(store: EventStore, begin: int, end: int) -> None:
    """Matches of two players who play only each other, every second one private, with ratings."""
    for n in range(begin, end):
        visibility = "private" if n % 2 else "public"
        RecordedMatch(store, "ann bob", match=f"m{n}", visibility=visibility)
        changes = [
            RatingChange(f"u{n}", (25, 8), (25 + n / 1000, 8), 20, 0),
            RatingChange("ann", (25, 8), (25, 8), n + 1, n + 1),
        ]
        seats = [ratings.Competitor(change.competitor, 1) for change in changes]
        ratings.store_outcome(store.redis, "toy", f"m{n}", changes, seats, n)


def measure_use(redis: Redis, what: str, action: Callable[[], object]) -> int:
    """The increase of a counter of Redis by an action."""
    before = int(redis.info("stats")[what])
    nothing = int(redis.info("stats")[what]) - before
    before = int(redis.info("stats")[what])
    action()
    return int(redis.info("stats")[what]) - before - nothing


def test_a_page_of_a_longer_list_transfers_the_same(redis_client: Redis) -> None:
    store = EventStore(redis_client, TWO)
    pages = {**PAGES, **RATINGS}
    sizes: dict[int, dict[str, int]] = {}
    for begin, end in ((0, FEW), (FEW, MANY)):
        some_of_everything(store, begin, end)
        ratings.rebuild(store.redis, "toy")
        fold_all(store)
        sizes[end] = {
            name: measure_use(store.redis, "total_net_output_bytes", partial(read, store.redis))
            for name, read in pages.items()
        }
    assert {name: size for name, size in sizes[MANY].items() if size > 1.5 * sizes[FEW][name]} == {}
