"""Players: names, tokens, and a registration that is cut short."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Unconnected

from service.errors import NameTaken, Unauthorized
from service.players import Players
from tests.patience import PATIENCE_S


class Failing(Redis):
    """A connection to a real Redis that breaks after so many commands."""

    commands_left = 0

    def execute_command(self, *words: Any, **options: Any) -> Any:
        if not self.commands_left:
            raise Unconnected
        self.commands_left -= 1
        return super().execute_command(*words, **options)


class Meeting(Redis):
    """A connection whose first command waits until as many others have sent theirs."""

    barrier: Barrier | None = None

    def execute_command(self, *words: Any, **options: Any) -> Any:
        answer = super().execute_command(*words, **options)
        if self.barrier is not None:
            barrier, self.barrier = self.barrier, None
            barrier.wait(PATIENCE_S)
        return answer


class Stuttering(Redis):
    """A connection that sends everything twice, as after an answer that was lost."""

    def execute_command(self, *words: Any, **options: Any) -> Any:
        super().execute_command(*words, **options)
        return super().execute_command(*words, **options)


@pytest.mark.parametrize("commands", [0, 1, 2])
def test_a_registration_that_is_cut_short_leaves_the_name_free(
    redis_client: Redis, redis_url: str, commands: int
) -> None:
    with Failing.from_url(redis_url) as failing:
        failing.commands_left = commands
        with pytest.raises(Unconnected):
            Players(failing).register("Ada", 0)
    players = Players(redis_client)
    player, token = players.register("Ada", 0)
    assert players.by_token(token) == players.by_name("ADA") == player


def test_whoever_asks_for_a_name_that_is_taken_leaves_nothing_behind(redis_client: Redis) -> None:
    players = Players(redis_client)
    players.register("Ada", 0)
    before = sorted(redis_client.keys())
    with pytest.raises(NameTaken):
        players.register("ada", 0)
    assert sorted(redis_client.keys()) == before


def test_a_process_that_still_knows_an_old_token_replaces_nothing_with_it(
    redis_client: Redis,
) -> None:
    here, there = Players(redis_client), Players(redis_client)
    player, old = here.register("Ada", 0)
    assert there.by_token(old) == player
    new = here.renew(player, old)
    assert here.by_token(old) is None
    assert there.by_token(old) == player, "for some seconds"
    with pytest.raises(Unauthorized):
        there.renew(player, old)
    assert there.by_token(new) == player
    assert with_a_token(redis_client) == 1


def test_of_many_who_replace_a_token_at_once_one_has_a_token_afterwards(
    redis_client: Redis, redis_url: str
) -> None:
    player, old = Players(redis_client).register("Ada", 0)
    both_know = Barrier(8)

    def replace(_: int) -> str | None:
        with Meeting.from_url(redis_url) as meeting:
            meeting.barrier = both_know
            with suppress(Unauthorized):
                return Players(meeting).renew(player, old)
        return None

    with ThreadPoolExecutor(8) as pool:
        found = [token for token in pool.map(replace, range(8)) if token is not None]
    [new] = found
    assert Players(redis_client).by_token(new) == player
    assert Players(redis_client).by_token(old) is None
    assert with_a_token(redis_client) == 1


def test_a_step_of_the_replacement_that_is_sent_twice_does_not_lose_the_player(
    redis_client: Redis, redis_url: str
) -> None:
    player, old = Players(redis_client).register("Ada", 0)
    with Stuttering.from_url(redis_url) as stuttering:
        new = Players(stuttering).renew(player, old)
    assert Players(redis_client).by_token(new) == player
    assert Players(redis_client).by_token(old) is None


def test_names_are_those_of_now_apart_from_some_seconds(redis_client: Redis) -> None:
    ada, _ = Players(redis_client).register("Ada", 0)
    forgetful, lazy = Players(redis_client, remember_s=0), Players(redis_client, remember_s=60)
    assert forgetful.names([ada.id, "nobody"]) == lazy.names([ada.id]) == {ada.id: "Ada"}
    redis_client.hset(f"player:{ada.id}", "name", "Augusta")
    assert forgetful.names([ada.id]) == {ada.id: "Augusta"}
    assert lazy.names([ada.id]) == {ada.id: "Ada"}


def with_a_token(redis: Redis) -> int:
    """How many tokens somebody could come with."""
    holders = [redis.get(key) for key in redis.keys("token:*")]
    return sum(holder is not None and holder.startswith(b"u") for holder in holders)


def test_a_token_is_stored_as_its_hash_alone(redis_client: Redis) -> None:
    _, token = Players(redis_client).register("Ada", 0)
    keys = redis_client.keys()
    stored = [*keys, *(redis_client.dump(key) for key in keys)]
    assert len(keys) == 3
    assert not any(token.encode() in one for one in stored)
