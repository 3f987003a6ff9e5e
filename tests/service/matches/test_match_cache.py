"""The cache of folded matches: kept up to date, read-only, and bounded."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

import pytest
from redis import Redis

from domain.engine.dice import Luck
from domain.games import GAMES as ALL_GAMES
from domain.match.decisions import lobby
from domain.match.log import Entry, fold_match
from domain.match.state import Match
from service.matches import match_cache
from service.matches.match_cache import (
    CHECKPOINT_INTERVAL,
    ENTRY_BYTES,
    RECENT_ENTRIES,
    STATE_SIZE,
    CachedMatch,
    MatchCache,
)
from service.runtime.errors import NotFound
from service.store.event_store import EventStore
from tests.analysis.matches import Quick
from tests.engine.toy import GAME as TOY
from tests.games.record import any_move
from tests.games.seen import AnyGame
from tests.match.table import collect_facts
from tests.projections.recorded import RecordedMatch

GAMES = {"toy": TOY}
LONG = 150


class Counting(EventStore):
    """A store that records the versions after which it was read."""

    def __init__(self, redis: Redis) -> None:
        super().__init__(redis)
        self.reads: list[int] = []

    def read(self, match: str, after: int = 0, *more: Any, **options: Any) -> list[Entry]:
        self.reads.append(after)
        return super().read(match, after, *more, **options)

    def read_after(
        self, match: str, version: int, head: bytes, limit: int | None = None
    ) -> list[Entry] | None:
        if limit != 0:  # otherwise it only checks that the match still exists
            self.reads.append(version)
        return super().read_after(match, version, head, limit)


@pytest.fixture
def store(redis_client: Redis) -> Counting:
    return Counting(redis_client)


def test_a_match_is_folded_once_and_then_only_new_entries_are_read(store: Counting) -> None:
    table = RecordedMatch(store, "ann bob").play(3)
    matches = MatchCache(store, GAMES)
    assert collect_facts(matches.latest("m")) == collect_facts(table.match)
    table.play(2)
    assert collect_facts(matches.latest("m")) == collect_facts(table.match)
    assert matches.latest("m").version == 6
    assert store.reads == [0, 4, 6]


def test_a_reader_who_is_up_to_date_reads_nothing(store: Counting) -> None:
    table = RecordedMatch(store, "ann bob").play(3)
    matches = MatchCache(store, GAMES)
    matches.latest("m")
    assert matches.at_least("m", 4).version == 4
    table.play(1)
    assert matches.at_least("m", 4).version == 4
    assert matches.at_least("m", 5).version == 5
    assert matches.at_least("m", 0).version == 5
    assert store.reads == [0, 4, 5]


@pytest.mark.parametrize("loaded", [1, 3])
@pytest.mark.parametrize("seen", [1, 4, 9])
def test_entries_are_the_same_whether_they_are_at_hand_or_read(
    store: Counting, loaded: int, seen: int
) -> None:
    table = RecordedMatch(store, "ann bob").play(loaded)
    matches = MatchCache(store, GAMES)
    matches.latest("m")
    table.play(seen)
    match = matches.latest("m")
    for after in range(match.version):
        store.reads.clear()
        assert list(matches.entries(match, after, 200)) == table.entries[after:]
        is_at_hand = match.version - after <= min(RECENT_ENTRIES, loaded + 1 + seen)
        assert store.reads == ([] if is_at_hand else [after])


def test_a_long_match_is_folded_in_portions_so_that_others_get_their_turn(
    store: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_cache, "ENTRIES_PER_READ", 4)
    table = RecordedMatch(store, "ann bob").play(7)
    assert table.match.version == 8
    assert collect_facts(MatchCache(store, GAMES).latest("m")) == collect_facts(table.match)
    assert store.reads == [0, 4, 8]


@pytest.mark.parametrize("looked_back", [False, True])
def test_a_long_past_is_folded_in_portions_too(
    store: Counting, monkeypatch: pytest.MonkeyPatch, looked_back: bool
) -> None:
    monkeypatch.setattr(match_cache, "ENTRIES_PER_READ", 4)
    table = RecordedMatch(store, "ann bob").play(9)
    matches = MatchCache(store, GAMES)
    if looked_back:
        matches.latest("m")
        store.reads.clear()
    folded = collect_facts(fold_match(GAMES, table.entries[:9]))
    assert collect_facts(matches.at("m", 9)) == folded
    assert store.reads == [0, 4, 8]


def test_the_newest_version_is_at_hand(store: Counting) -> None:
    RecordedMatch(store, "ann bob").play(3)
    matches = MatchCache(store, GAMES)
    latest = matches.latest("m")
    store.reads.clear()
    assert matches.at("m", 4) is latest
    assert store.reads == []


def test_entries_that_come_twice_are_delivered_once(store: Counting) -> None:
    table = RecordedMatch(store, "ann bob").play(3)
    matches = MatchCache(store, GAMES)
    early = matches.latest("m")
    table.play(2)
    matches.latest("m")
    table.play(1)
    with matches.lock_for_write("m") as cached:  # a reader with more entries and an older state
        late = matches.advance(cached, store.read("m", after=4), early)
    for after in range(late.version):
        assert list(matches.entries(late, after, 200)) == table.entries[after:]


def test_a_subscriber_receives_nothing_that_came_later(store: Counting) -> None:
    table = RecordedMatch(store, "ann bob").play(3)
    matches = MatchCache(store, GAMES)
    before = matches.latest("m")
    table.play(2)
    assert matches.latest("m").version == 6
    assert list(matches.entries(before, 1, 200)) == table.entries[1:4]


def test_a_match_that_was_handed_out_stays_as_it_was(store: Counting) -> None:
    table = RecordedMatch(store, "ann bob").play()
    matches = MatchCache(store, GAMES)
    before = matches.latest("m")
    seen = collect_facts(before)
    table.play(4)
    assert matches.latest("m") is not before
    assert collect_facts(before) == seen


def test_a_match_that_was_never_recorded_is_not_found(store: Counting) -> None:
    matches = MatchCache(store, GAMES)
    with pytest.raises(NotFound):
        matches.latest("m")
    RecordedMatch(store, "ann bob")
    assert matches.latest("m").version == 1


@pytest.mark.parametrize("version", [-1, 0, 5])
def test_a_version_that_is_not_there_is_not_found(store: Counting, version: int) -> None:
    RecordedMatch(store, "ann bob").play(3)
    with pytest.raises(NotFound, match=f"no version {version} of"):
        MatchCache(store, GAMES).at("m", version)


def test_every_version_can_be_folded_again(store: Counting) -> None:
    table = RecordedMatch(store, "ann bob")
    received = [collect_facts(table.match)]
    for _ in range(4):
        table.play()
        received.append(collect_facts(table.match))
    matches = MatchCache(store, GAMES)
    assert [collect_facts(matches.at("m", version)) for version in range(1, 6)] == received


def room(states: int, entries: int) -> int:
    """The size of a cache with room for this much."""
    return STATE_SIZE * states + entries


def test_the_match_used_longest_ago_makes_room(store: Counting) -> None:
    for match in ("one", "two", "three"):
        RecordedMatch(store, "ann bob", match=match)
    matches = MatchCache(store, GAMES, room(2, 2))
    for match in ("one", "two", "one", "three"):
        matches.latest(match)
    store.reads.clear()
    for match in ("one", "three", "two"):
        matches.latest(match)
    assert store.reads == [1, 1, 0]


def test_long_matches_make_room_sooner(store: Counting) -> None:
    for match, moves in (("one", 0), ("two", 0), ("long", 4)):
        RecordedMatch(store, "ann bob", match=match).play(moves)
    matches = MatchCache(store, GAMES, room(3, 6))
    for match in ("one", "two", "long"):
        matches.latest(match)
    store.reads.clear()
    for match in ("two", "long", "one"):
        matches.latest(match)
    assert store.reads == [1, 5, 0]


def test_matches_that_are_only_browsed_make_room_sooner(
    store: Counting, long: RecordedMatch
) -> None:
    RecordedMatch(store, "ann bob", match="other")
    matches = MatchCache(store, GAMES, room(3, long.match.version))
    for match in ("other", "m"):
        matches.latest(match)
    matches.at("m", 2)  # before the first checkpoint
    store.reads.clear()
    matches.latest("other")
    assert store.reads == [1]
    matches.at("m", CHECKPOINT_INTERVAL + 1)
    matches.latest("other")
    assert store.reads == [1, 0, 0]


def test_what_a_match_grows_by_makes_no_room_for_ever(store: Counting) -> None:
    growing = RecordedMatch(store, "ann bob", match="growing")
    for match in ("other", "third"):
        RecordedMatch(store, "ann bob", match=match)
    matches = MatchCache(store, GAMES, room(2, 6))
    for match in ("growing", "other"):
        matches.latest(match)
    for _ in range(5):
        growing.play()
        matches.latest("growing")
    matches.latest("growing")
    store.reads.clear()
    for match in ("other", "growing", "other", "third", "other"):
        matches.latest(match)
    assert store.reads == [0, 0, 0, 0, 1]


@pytest.fixture
def long(store: Counting) -> RecordedMatch:
    """A match of more than two checkpoints, with repeated undos."""
    table = RecordedMatch(store, "ann ann", undo="free", options={"rounds": 6})
    while table.match.version < 2 * CHECKPOINT_INTERVAL:
        table.play(3)
        table.undo("ann", 1)
    return table


def test_a_past_version_costs_no_more_in_a_long_match(store: Counting, long: RecordedMatch) -> None:
    matches = MatchCache(store, GAMES)
    assert matches.latest("m").version == long.match.version
    versions = [CHECKPOINT_INTERVAL + more for more in (-1, 0, 3, CHECKPOINT_INTERVAL - 1)]
    folded = [collect_facts(fold_match(GAMES, store.read("m", to=version))) for version in versions]
    store.reads.clear()
    assert [collect_facts(matches.at("m", version)) for version in versions] == folded
    assert store.reads == [0, 0, CHECKPOINT_INTERVAL, CHECKPOINT_INTERVAL]


def test_stepping_through_a_match_reads_each_entry_a_few_times(
    store: Counting, long: RecordedMatch
) -> None:
    matches = MatchCache(store, GAMES)
    last = matches.latest("m").version
    store.reads.clear()
    for version in range(1, last):
        matches.at("m", version)
    behind = [version - after for version, after in enumerate(store.reads, 1)]
    assert max(behind) <= CHECKPOINT_INTERVAL


def test_a_match_that_is_only_played_has_no_checkpoints(
    store: Counting, long: RecordedMatch
) -> None:
    matches = MatchCache(store, GAMES)
    matches.latest("m")
    with matches.lock_for_write("m") as cached:
        assert cached.checkpoints == {}
        matches.at("m", long.match.version - 1)
        assert list(cached.checkpoints) == [CHECKPOINT_INTERVAL, 2 * CHECKPOINT_INTERVAL]


def test_entries_that_come_late_never_lead_back(store: Counting) -> None:
    RecordedMatch(store, "ann bob").play(3)
    matches = MatchCache(store, GAMES)
    with matches.lock_for_write("m") as cached:
        old = matches.at("m", 2)
        newest = cached.match
        slow = matches.advance(cached, store.read("m", after=2, to=3), old)
        assert (slow.version, cached.match) == (3, newest)


def test_many_readers_at_once_see_the_same(store: Counting) -> None:
    table = RecordedMatch(store, "ann bob").play(10)
    matches = MatchCache(store, GAMES)
    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(lambda _: collect_facts(matches.latest("m")), range(40)))
    assert all(one == collect_facts(table.match) for one in seen)


def test_matches_that_are_over_make_room_first(store: Counting) -> None:
    RecordedMatch(store, "ann bob", match="going").play(3)
    for match in ("over", "also"):
        table = RecordedMatch(store, "ann .", match=match)
        table.act(lobby.close(table.match, "ann"), "ann")
    matches = MatchCache(store, GAMES, room(3, 7))
    for match in ("going", "over", "also"):
        matches.latest(match)
    store.reads.clear()
    for match in ("going", "also", "over"):
        matches.latest(match)
    assert store.reads == [4, 2, 0]


def test_a_match_that_is_over_stays_while_it_is_looked_through(store: Counting) -> None:
    table = RecordedMatch(store, "ann .", match="over")
    table.act(lobby.close(table.match, "ann"), "ann")
    for n in range(30):
        RecordedMatch(store, "ann bob", match=f"going{n}")
    matches = MatchCache(store, GAMES, room(15, 20))
    matches.latest("over")
    for n in range(30):
        matches.latest(f"going{n}")
    store.reads.clear()
    matches.latest("over")
    assert store.reads == [2]


@pytest.mark.slow
def test_a_megabyte_of_the_setting_is_a_megabyte_of_memory() -> None:
    """On the average of the games; some matches take more, some less."""
    with get_context("spawn").Pool(1) as fresh:  # here full caches would trade old for new
        used, counted = fresh.apply(memory_of_matches)
    assert 0.75 * counted < used < 1.25 * counted


def memory_of_matches() -> tuple[int, int]:
    """The bytes that matches of all games take, and those that the setting counts for them."""
    used = counted = 0
    for game in ALL_GAMES.values():
        play_some(game, 0)  # fills what all matches share
        with traced_memory() as traced:
            played = [play_some(game, seed) for seed in (1, 2, 3)]
        used += traced[0]
        for match in played:
            cached = CachedMatch()
            cached.match = match
            counted += ENTRY_BYTES * cached.size
    return used, counted


def play_some(game: AnyGame, seed: int) -> Match:
    """A match after some random moves."""
    table, luck = Quick(game, "ann bob cid", seed=seed.to_bytes(32, "big")), Luck(seed)
    while table.match.seats_to_move and table.match.version < LONG:
        table.move(any_move(game, table.match.state, luck))
    return table.match


@contextmanager
def traced_memory() -> Iterator[list[int]]:
    """The bytes that remain allocated from this block, once it has ended."""
    gc.collect()
    tracemalloc.start()
    try:
        found: list[int] = []
        yield found
        gc.collect()
        found.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
