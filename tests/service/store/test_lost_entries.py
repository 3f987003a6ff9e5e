"""Entries that were acknowledged and then lost with their server, since a replica took over that
did not have them: whoever knows of them goes on with what the store has.
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
from domain.match.state import Match
from service.matches import history_reader, match_cache
from service.matches.commands import Decision, Metadata, Receipt, carry_out, create
from service.matches.container import Annals, open_annals
from service.runtime.errors import NotFound, StoreUnavailable
from service.runtime.settings import read_settings
from service.store.event_store import Appended, Stale
from tests.engine.toy import GAME as TOY
from tests.match.table import NOON, pictured, plan
from tests.support.loss import losing

GAMES = {"toy": TOY}
Processes = tuple[Annals, Annals]


@pytest.fixture
def processes(redis_client: Redis, redis_url: str) -> Processes:
    """Two that know a match, of which the first will know more."""
    settings = read_settings({"REDIS_URL": redis_url})
    clock = count(NOON).__next__  # what is lost was never recorded in the same millisecond again
    one, other = (replace(open_annals(settings, GAMES), now=clock) for _ in range(2))
    create(one, plan("ann ann"), TOY, Metadata("ann"))
    act(one)
    other.matches.latest("m")
    return one, other


def move(match: Match, now: int) -> Draft:
    return playing.move(match, legal_moves(TOY, match.state, match.awaited[0])[0], now)


def other_move(match: Match, now: int) -> Draft:
    return playing.move(match, legal_moves(TOY, match.state, match.awaited[0])[-1], now)


def act(annals: Annals, key: str | None = None, what: Decision = move) -> Receipt:
    return carry_out(annals, "m", Metadata("ann", key=key, fingerprint="f"), what)


def is_sound(annals: Annals) -> bool:
    """Whether each entry follows from those before it."""
    return not any(check_entries(GAMES, "m", annals.store.read("m")))


@pytest.mark.parametrize("since", [0, 1, 2, 3])
def test_what_is_recorded_follows_what_the_store_has(
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
    assert pictured(other.matches.latest("m")) == pictured(receipt.match)


@pytest.mark.parametrize("since", [0, 1, 2])
def test_what_is_shown_is_what_the_store_has(
    redis_client: Redis, processes: Processes, since: int
) -> None:
    one, other = processes
    with losing(redis_client):
        act(one)
    for _ in range(since):
        act(other)
    latest = one.matches.latest("m")
    assert latest.version == 2 + since
    assert pictured(latest) == pictured(other.matches.latest("m"))


@pytest.mark.parametrize("known", [2, 3, 4])
def test_whoever_follows_step_by_step_follows_what_the_store_has(
    redis_client: Redis, processes: Processes, known: int
) -> None:
    one, other = processes
    with losing(redis_client):
        act(one)
        act(one)
        act(one)
        for version in range(1, known + 1):
            one.steps.at("m", version)
    for _ in range(4):
        act(other)
    for version in range(3, 7):
        match, entry = one.steps.at("m", version)
        assert [entry] == other.store.read("m", version - 1, version)
        assert pictured(match) == pictured(other.matches.at("m", version))


def test_a_step_that_was_lost_is_none(redis_client: Redis, processes: Processes) -> None:
    one, _ = processes
    with losing(redis_client):
        act(one)
        one.steps.at("m", 3)
    with pytest.raises(NotFound):
        one.steps.at("m", 3)
    assert one.steps.at("m", 2)[1].version == 2


def test_a_past_version_is_what_the_store_has(
    redis_client: Redis, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_cache, "CHECKPOINT_EVERY", 3)
    one, other = processes
    with losing(redis_client):
        for _ in range(3):
            act(one, what=other_move)
        one.matches.at("m", 4)  # lays a checkpoint
    for _ in range(5):
        act(other)
    for version in (6, 4, 7):
        assert pictured(one.matches.at("m", version)) == pictured(
            fold_match(GAMES, other.store.read("m", to=version))
        )


def test_a_checkpoint_of_what_others_recorded_and_lost_is_none(
    redis_client: Redis, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_cache, "CHECKPOINT_EVERY", 3)
    monkeypatch.setattr(history_reader, "AT_ONCE", 1)
    one, other = processes
    with losing(redis_client):
        for _ in range(2):
            act(other, what=other_move)
        one.matches.at("m", 4)  # what it knows of the match itself is not lost
    for _ in range(4):
        act(other)
    one.matches.latest("m")
    third = fold_match(GAMES, other.store.read("m", to=3))
    assert pictured(one.matches.at("m", 3)) == pictured(third)
    assert [one.steps.at("m", 4)[1]] == other.store.read("m", 3, 4)


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
    assert (receipt.match.version, receipt.repeated) == (2 + since + 1, False)
    again = act(other, "k")
    assert (again.match.version, again.repeated) == (receipt.match.version, True)
    assert is_sound(one)


class ChangesHands:
    """Where a replica takes over that does not have all, just before one is asked to confirm."""

    def __init__(self, redis: Redis, lose: Callable[[], None]) -> None:
        execute: Any = redis.execute_command
        self.written = lambda _key, *command: execute(*command)
        self._lose = lose

    def confirm(self, key: str) -> None:
        self._lose()


def test_what_was_confirmed_by_another_server_is_not_taken_for_there(
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
    assert (receipt.match.version, receipt.repeated) == (3, False)


def test_what_was_appended_before_is_there_once_it_is_confirmed(
    redis_client: Redis, processes: Processes
) -> None:
    one, _ = processes
    with ExitStack() as loss:
        loss.enter_context(losing(redis_client))
        third = act(one).match
        [record] = one.store.read("m", after=2)
        one.store.replicas = ChangesHands(redis_client, loss.close)  # type: ignore[assignment]
        assert one.store.append("m", record, {}) == Appended(3)
    assert one.store.later("m", 3, third.head) == []


def test_an_entry_follows_no_other_than_the_one_it_was_made_for(processes: Processes) -> None:
    one, _ = processes
    known = one.matches.latest("m")
    third = act(one).match
    [record] = one.store.read("m", after=2)
    assert one.store.append("m", record, {}, b"x" * 32) == Stale([])
    assert one.store.later("m", 3, third.head) == []
    assert one.store.later("m", 3, known.head) is None
    assert one.store.later("m", 4, third.head) is None
