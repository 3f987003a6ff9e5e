"""Whoever is told all that happens gets each step as it was, and reads little for it."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Thread

import pytest
from redis import Redis

from domain.match.log import Damaged, fold_match
from service.matches import history_reader
from service.matches.history_reader import MatchSteps
from service.matches.match_cache import MatchCache
from service.runtime.errors import NotFound
from tests.match.table import pictured
from tests.projections.recorded import Recorded
from tests.service.matches.test_match_cache import GAMES, Counting


@pytest.fixture
def store(redis_client: Redis) -> Counting:
    return Counting(redis_client)


@pytest.fixture
def table(store: Counting) -> Recorded:
    return Recorded(store, "ann bob").play_out()


def steps_of(store: Counting) -> MatchSteps:
    return MatchSteps(MatchCache(store, GAMES))


def is_as_it_was(steps: MatchSteps, table: Recorded, version: int) -> bool:
    match, entry = steps.at("m", version)
    whole = fold_match(GAMES, table.entries[:version])
    return entry == table.entries[version - 1] and pictured(match) == pictured(whole)


def orders(last: int) -> Iterable[list[int]]:
    upwards = list(range(1, last + 1))
    yield upwards
    yield upwards[::-1]
    yield [version for pair in zip(upwards, upwards[::-1], strict=True) for version in pair]
    yield [last, 1, last]


def test_each_step_is_as_it_was_in_whatever_order_they_are_asked_for(
    store: Counting, table: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_reader, "AT_ONCE", 5)
    for order in orders(table.match.version):
        steps = steps_of(store)
        assert all(is_as_it_was(steps, table, version) for version in order)


def test_a_match_is_read_in_portions_and_once_for_all(store: Counting, table: Recorded) -> None:
    steps = steps_of(store)
    store.reads.clear()
    for version in range(1, table.match.version + 1):
        for _ in range(20):
            assert is_as_it_was(steps, table, version)
    assert store.reads == list(range(0, table.match.version, history_reader.AT_ONCE))


def test_what_was_handed_out_stays_as_it_was(store: Counting, table: Recorded) -> None:
    steps = steps_of(store)
    early, _ = steps.at("m", 2)
    before = pictured(early)
    steps.at("m", table.match.version)
    assert pictured(early) == before


def test_what_comes_later_is_found_once_it_has_come(store: Counting) -> None:
    table, steps = Recorded(store, "ann bob").play(1), steps_of(store)
    assert is_as_it_was(steps, table, 2)
    with pytest.raises(NotFound):
        steps.at("m", 3)
    table.play(1)
    assert is_as_it_was(steps, table, 3)


def test_what_came_before_some_damage_can_be_told(store: Counting, table: Recorded) -> None:
    store.redis.xdel(f"{{p{store.partition_of('m')}}}:match:m", "3-0")
    steps = steps_of(store)
    assert is_as_it_was(steps, table, 2)
    for _ in range(2):
        with pytest.raises(Damaged):
            steps.at("m", 3)
    assert is_as_it_was(steps, table, 1)


def test_only_some_matches_are_followed_and_the_others_found_again(
    store: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_reader, "MOST", 2)
    tables = {name: Recorded(store, "ann bob", match=name).play(3) for name in "abcd"}
    steps = steps_of(store)
    for version in (2, 3, 4):
        for name, table in tables.items():
            match, _ = steps.at(name, version)
            assert pictured(match) == pictured(fold_match(GAMES, table.entries[:version]))
    assert list(steps._followed) == ["c", "d"]


def test_many_may_ask_at_once(store: Counting, table: Recorded) -> None:
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
