"""Scripts run even if the server lost them or the connection broke."""

from __future__ import annotations

import pytest
from redis import Redis
from redis.exceptions import ResponseError

from projections.core.scripts import Script, with_single_connection

ECHO = Script("return {KEYS[1], ARGV[1]}")


@pytest.fixture(params=["shared", "alone"])
def redis(request: pytest.FixtureRequest, redis_client: Redis) -> Redis:
    return with_single_connection(redis_client) if request.param == "alone" else redis_client


def test_a_script_is_sent_to_a_server_without_it(redis: Redis) -> None:
    for _ in range(2):
        redis.script_flush()
        assert [ECHO.run(redis, ["a"], n) for n in range(2)] == [[b"a", b"0"], [b"a", b"1"]]


def test_a_broken_connection_is_reopened(redis: Redis, redis_client: Redis) -> None:
    assert ECHO.run(redis, ["a"], b"\xff") == [b"a", b"\xff"]
    redis_client.client_kill_filter(_type="normal", skipme=True)
    assert ECHO.run(redis, ["a"], b"\xff") == [b"a", b"\xff"]


def test_a_redis_error_is_raised_and_the_connection_stays_usable(redis: Redis) -> None:
    with pytest.raises(ResponseError):
        Script("return redis.call('NONSENSE')").run(redis, [])
    assert ECHO.run(redis, ["a"], 1) == [b"a", b"1"]
