"""Two requests about names at once: one runs whole between any two commands of the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import pytest
from redis import Redis

from service.accounts.names.given_names import DELETED_NAME
from service.accounts.names.name_index import look_keys
from service.accounts.players import Player, Players
from service.runtime.errors import NameTaken, TooManyRenames, UnknownToken
from workers.tools.check.check_accounts import find_account_faults

NOW = 1_700_000_000_000
ALIKE = "Ste\u03bde"
"""It has two looks, of which one is that of `Steve`."""


def _leave_and_register(players: Players, steve: Player, _zed: Player) -> None:
    players.delete(steve, NOW)
    players.register("Steve", NOW)


Request = Callable[[Players, Player, Player], object]
REQUESTS: Mapping[str, Request] = {
    "one registers": lambda players, steve, zed: players.register("Steve", NOW),
    "one registers a name with two looks": lambda players, steve, zed: players.register(ALIKE, NOW),
    "steve takes another": lambda players, steve, zed: players.rename(steve, "Max"),
    "steve takes one that looks like it": lambda players, steve, zed: players.rename(steve, ALIKE),
    "zed takes one with two looks": lambda players, steve, zed: players.rename(zed, ALIKE),
    "steve leaves": lambda players, steve, zed: players.delete(steve, NOW),
    "steve leaves, and one registers": _leave_and_register,
}


class InterruptedRedis(Redis):
    """A connection that calls a function once, after a number of commands."""

    commands_left = 0
    interrupt: Callable[[], object] | None = None

    def execute_command(self, *words: Any, **options: Any) -> Any:
        if not self.commands_left and self.interrupt:
            interrupt, self.interrupt = self.interrupt, None
            interrupt()
        self.commands_left -= 1
        return super().execute_command(*words, **options)


@pytest.mark.parametrize("first", REQUESTS)
@pytest.mark.parametrize("second", REQUESTS)
@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.long)])
def test_each_player_has_their_name_and_its_looks_and_no_other(
    redis_client: Redis, redis_url: str, first: str, second: str, every: int
) -> None:
    """Pairs of requests take turns: each meets every third place between two commands."""
    with InterruptedRedis.from_url(redis_url) as connection:
        commands = ([*REQUESTS].index(first) + [*REQUESTS].index(second)) % every
        while _run_both(redis_client, connection, commands, REQUESTS[first], REQUESTS[second]):
            assert not list(find_account_faults(redis_client)), commands
            assert not _find_wrong_names(redis_client), commands
            commands += every
    assert commands > 5


def _run_both(
    redis: Redis, connection: InterruptedRedis, commands: int, first: Request, second: Request
) -> bool:
    """Run the second request after some commands of the first; return whether it has run."""
    redis.flushdb()
    here = Players(redis, rename_days=0)
    steve, _ = here.register("Steve", NOW)
    zed, _ = here.register("Zed", NOW)
    has_run = []

    def run(players: Players, request: Request) -> None:
        with suppress(NameTaken, TooManyRenames, UnknownToken):
            request(players, steve, zed)

    def interrupt() -> None:
        has_run.append(True)
        run(here, second)

    connection.commands_left, connection.interrupt = commands, interrupt
    run(Players(connection, rename_days=0), first)
    return bool(has_run)


def _find_wrong_names(redis: Redis) -> list[str]:
    players = Players(redis)
    found = players.search("", "", 100)
    active = [Player(one.id, one.name) for one in found if one.deleted_at is None]
    return [
        *(one.name for one in active if players.by_name(one.name) != one),
        *(
            key
            for one in active
            for key in look_keys(one.name)
            if redis.get(key) != one.id.encode()
        ),
        *(one.name for one in found if (one.deleted_at is None) == (one.name == DELETED_NAME)),
        *(["listed twice"] if len({one.id for one in found}) < len(found) else []),
    ]
