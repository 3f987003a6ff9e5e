"""Acknowledged entries that were lost with their server, since a replica without them took over:
readers who know them continue with what the store has.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from redis import Redis

from domain.audit.stored import check_entries
from domain.engine.game import legal_moves
from domain.match.decisions import playing
from domain.match.log import Draft, fold_match
from domain.match.outages import Decision
from domain.match.state import Match
from service.matches import history_reader, match_cache
from service.matches.commands import Metadata, Receipt, create, execute
from service.matches.container import Annals, open_annals
from service.runtime.errors import NotFound, StoreUnavailable
from service.runtime.settings import read_settings
from service.store.event_store import AppendConflict, AppendSuccess
from tests.engine.toy import GAME as TOY
from tests.match.table import NOON, collect_facts, plan
from tests.support.loss import losing

GAMES = {"toy": TOY}
Processes = tuple[Annals, Annals]


@pytest.fixture
def processes(redis_client: Redis, redis_url: str) -> Processes:
    """Two processes that have a match in their caches, of which the first will know more."""
    settings = read_settings({"REDIS_URL": redis_url})
    clock = count(NOON).__next__  # the lost entry was not recorded again in the same millisecond
    one, other = (replace(open_annals(settings, GAMES), now=clock) for _ in range(2))
    create(one, plan("ann ann"), TOY, Metadata("ann"))
    act(one)
    other.matches.latest("m")
    return one, other


def move(match: Match, now: int) -> Draft:
    return playing.move(match, legal_moves(TOY, match.state, match.seats_to_move[0])[0], now)


def other_move(match: Match, now: int) -> Draft:
    return playing.move(match, legal_moves(TOY, match.state, match.seats_to_move[0])[-1], now)


def act(annals: Annals, key: str | None = None, what: Decision = move) -> Receipt:
    return execute(annals, "m", Metadata("ann", key=key, fingerprint="f"), what)


def is_sound(annals: Annals) -> bool:
    """Whether each entry follows from the previous ones."""
    return not any(check_entries(GAMES, "m", annals.store.read("m")))


@pytest.mark.parametrize("since", [0, 1, 2, 3])
def test_a_new_entry_follows_what_the_store_has(
    redis_client: Redis, processes: Processes, since: int
) -> None:
    one, other = processes
    with losing(redis_client):
        act(one)
        act(one)
    for _ in range(since):
        act(other)
    receipt = act(one)
    assert receipt.match.version == 2 + since + 1
    assert is_sound(one)
    assert collect_facts(other.matches.latest("m")) == collect_facts(receipt.match)


@pytest.mark.parametrize("since", [0, 1, 2])
def test_readers_see_what_the_store_has(
    redis_client: Redis, processes: Processes, since: int
) -> None:
    one, other = processes
    with losing(redis_client):
        act(one)
    for _ in range(since):
        act(other)
    latest = one.matches.latest("m")
    assert latest.version == 2 + since
    assert collect_facts(latest) == collect_facts(other.matches.latest("m"))


@pytest.mark.parametrize("known", [2, 3, 4])
def test_a_step_by_step_reader_follows_what_the_store_has(
    redis_client: Redis, processes: Processes, known: int
) -> None:
    one, other = processes
    with losing(redis_client):
        act(one)
        act(one)
        act(one)
        for version in range(1, known + 1):
            one.history.at("m", version)
    for _ in range(4):
        act(other)
    for version in range(3, 7):
        match, entry = one.history.at("m", version)
        assert [entry] == other.store.read("m", version - 1, version)
        assert collect_facts(match) == collect_facts(other.matches.at("m", version))


def test_a_step_that_was_lost_is_none(redis_client: Redis, processes: Processes) -> None:
    one, _ = processes
    with losing(redis_client):
        act(one)
        one.history.at("m", 3)
    with pytest.raises(NotFound):
        one.history.at("m", 3)
    assert one.history.at("m", 2)[1].version == 2


def test_a_past_version_is_what_the_store_has(
    redis_client: Redis, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_cache, "CHECKPOINT_INTERVAL", 3)
    one, other = processes
    with losing(redis_client):
        for _ in range(3):
            act(one, what=other_move)
        one.matches.at("m", 4)  # writes a checkpoint
    for _ in range(5):
        act(other)
    for version in (6, 4, 7):
        assert collect_facts(one.matches.at("m", version)) == collect_facts(
            fold_match(GAMES, other.store.read("m", to=version))
        )


def test_a_checkpoint_of_what_others_recorded_and_lost_is_none(
    redis_client: Redis, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_cache, "CHECKPOINT_INTERVAL", 3)
    monkeypatch.setattr(history_reader, "ENTRIES_PER_READ", 1)
    one, other = processes
    with losing(redis_client):
        for _ in range(2):
            act(other, what=other_move)
        one.matches.at("m", 4)  # what it knows of the match itself is not lost
    for _ in range(4):
        act(other)
    one.matches.latest("m")
    third = fold_match(GAMES, other.store.read("m", to=3))
    assert collect_facts(one.matches.at("m", 3)) == collect_facts(third)
    assert [one.history.at("m", 4)[1]] == other.store.read("m", 3, 4)


@pytest.mark.parametrize("since", [0, 1, 2])
def test_a_command_that_was_lost_is_carried_out_when_it_comes_again(
    redis_client: Redis, processes: Processes, since: int
) -> None:
    one, other = processes
    with losing(redis_client):
        act(one, "k")
    for _ in range(since):
        act(other)
    receipt = act(one, "k")
    assert (receipt.match.version, receipt.is_repeated) == (2 + since + 1, False)
    again = act(other, "k")
    assert (again.match.version, again.is_repeated) == (receipt.match.version, True)
    assert is_sound(one)


class ChangesHands:
    """A server whose incomplete replica takes over just before it confirms."""

    def __init__(self, redis: Redis, lose: Callable[[], None]) -> None:
        execute: Any = redis.execute_command
        self.run_script = lambda _key, *command: execute(*command)
        self._lose = lose

    def confirm(self, key: str) -> None:
        self._lose()


def test_an_entry_confirmed_by_another_server_is_not_taken_as_present(
    redis_client: Redis, processes: Processes
) -> None:
    one, _ = processes
    with ExitStack() as loss:
        loss.enter_context(losing(redis_client))
        act(one, "k")
        one.store.replicas = ChangesHands(redis_client, loss.close)  # type: ignore[assignment]
        with pytest.raises(StoreUnavailable):
            act(one, "k")
    receipt = act(one, "k")
    assert (receipt.match.version, receipt.is_repeated) == (3, False)


def test_an_earlier_entry_is_present_once_it_is_confirmed(
    redis_client: Redis, processes: Processes
) -> None:
    one, _ = processes
    with ExitStack() as loss:
        loss.enter_context(losing(redis_client))
        third = act(one).match
        [record] = one.store.read("m", after=2)
        one.store.replicas = ChangesHands(redis_client, loss.close)  # type: ignore[assignment]
        assert one.store.append("m", record, {}) == AppendSuccess(3)
    assert one.store.read_after("m", 3, third.head) == []


def test_an_entry_follows_no_other_than_the_one_it_was_made_for(processes: Processes) -> None:
    one, _ = processes
    known = one.matches.latest("m")
    third = act(one).match
    [record] = one.store.read("m", after=2)
    assert one.store.append("m", record, {}, b"x" * 32) == AppendConflict([])
    assert one.store.read_after("m", 3, third.head) == []
    assert one.store.read_after("m", 3, known.head) is None
    assert one.store.read_after("m", 4, third.head) is None
