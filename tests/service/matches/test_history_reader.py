"""A reader of the history gets each step as it was, with few reads from the store."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Thread

import pytest
from redis import Redis

from domain.match.log import CorruptEntry, fold_match
from service.matches import history_reader
from service.matches.history_reader import HISTORY_SIZE, MatchHistoryReader
from service.matches.match_cache import MatchCache
from service.runtime.errors import NotFound
from tests.match.table import collect_facts
from tests.projections.recorded import RecordedMatch
from tests.service.matches.test_match_cache import GAMES, Counting


@pytest.fixture
def store(redis_client: Redis) -> Counting:
    return Counting(redis_client)


@pytest.fixture
def table(store: Counting) -> RecordedMatch:
    return RecordedMatch(store, "ann bob").play_out()


def steps_of(store: Counting) -> MatchHistoryReader:
    return MatchHistoryReader(MatchCache(store, GAMES))


def is_as_it_was(steps: MatchHistoryReader, table: RecordedMatch, version: int) -> bool:
    match, entry = steps.at("m", version)
    whole = fold_match(GAMES, table.entries[:version])
    return entry == table.entries[version - 1] and collect_facts(match) == collect_facts(whole)


def orders(last: int) -> Iterable[list[int]]:
    upwards = list(range(1, last + 1))
    yield upwards
    yield upwards[::-1]
    yield [version for pair in zip(upwards, upwards[::-1], strict=True) for version in pair]
    yield [last, 1, last]


def test_each_step_is_as_it_was_in_any_order_of_requests(
    store: Counting, table: RecordedMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_reader, "ENTRIES_PER_READ", 5)
    for order in orders(table.match.version):
        steps = steps_of(store)
        assert all(is_as_it_was(steps, table, version) for version in order)


def test_a_match_is_read_in_portions_and_once_for_all(
    store: Counting, table: RecordedMatch
) -> None:
    steps = steps_of(store)
    store.reads.clear()
    for version in range(1, table.match.version + 1):
        for _ in range(20):
            assert is_as_it_was(steps, table, version)
    assert store.reads == list(range(0, table.match.version, history_reader.ENTRIES_PER_READ))


def test_a_returned_state_never_changes(store: Counting, table: RecordedMatch) -> None:
    steps = steps_of(store)
    early, _ = steps.at("m", 2)
    before = collect_facts(early)
    steps.at("m", table.match.version)
    assert collect_facts(early) == before


def test_later_entries_are_found_once_they_are_recorded(store: Counting) -> None:
    table, steps = RecordedMatch(store, "ann bob").play(1), steps_of(store)
    assert is_as_it_was(steps, table, 2)
    with pytest.raises(NotFound):
        steps.at("m", 3)
    table.play(1)
    assert is_as_it_was(steps, table, 3)


def test_steps_before_a_corrupt_entry_can_be_read(store: Counting, table: RecordedMatch) -> None:
    store.redis.xdel(f"{{p{store.partition_of('m')}}}:match:m", "3-0")
    steps = steps_of(store)
    assert is_as_it_was(steps, table, 2)
    for _ in range(2):
        with pytest.raises(CorruptEntry):
            steps.at("m", 3)
    assert is_as_it_was(steps, table, 1)


def test_only_some_matches_are_followed_and_the_others_found_again(store: Counting) -> None:
    tables = {name: RecordedMatch(store, "ann bob", match=name).play(3) for name in "abcd"}
    steps = MatchHistoryReader(MatchCache(store, GAMES, max_entries=2 * HISTORY_SIZE))
    for version in (2, 3, 4):
        for name, table in tables.items():
            match, _ = steps.at(name, version)
            assert collect_facts(match) == collect_facts(fold_match(GAMES, table.entries[:version]))
    assert list(steps._histories) == ["c", "d"]


def test_many_may_ask_at_once(store: Counting, table: RecordedMatch) -> None:
    steps, wrong = steps_of(store), list[int]()

    def ask() -> None:
        for version in range(1, table.match.version + 1):
            if not is_as_it_was(steps, table, version):
                wrong.append(version)

    threads = [Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
