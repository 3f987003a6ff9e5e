"""Players: names, tokens, and a registration that is cut short."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Unconnected

from service.errors import NameTaken, Unauthorized
from service.players import Players


class Failing(Redis):
    """A connection to a real Redis that breaks after so many commands."""

    commands_left = 0

    def execute_command(self, *words: Any, **options: Any) -> Any:
        if not self.commands_left:
            raise Unconnected
        self.commands_left -= 1
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


def test_who_asks_for_a_name_that_is_taken_leaves_nothing_behind(redis_client: Redis) -> None:
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
    assert len(redis_client.keys("token:*")) == 1


def test_a_token_is_stored_as_its_hash_alone(redis_client: Redis) -> None:
    _, token = Players(redis_client).register("Ada", 0)
    keys = redis_client.keys()
    stored = [*keys, *(redis_client.dump(key) for key in keys)]
    assert len(keys) == 3
    assert not any(token.encode() in one for one in stored)
