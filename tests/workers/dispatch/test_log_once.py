"""Trouble is told once, and that it is over."""

from __future__ import annotations

from redis import Redis
from redis.exceptions import RedisError
from structlog.testing import capture_logs

from workers.dispatch.log_once import Trouble
from workers.processes.worker import Worker, work


def told(*tries: Exception | None) -> list[str]:
    """What is logged of a step that fails in this way, or does not, each time it is tried."""
    trouble = Trouble()
    with capture_logs() as lines:
        for error in tries:
            if error:
                trouble.met("fold", error)
            else:
                trouble.over("fold")
    return [f"{line['log_level']} {line['event']}" for line in lines]


def test_trouble_is_told_once_and_again_when_it_is_another() -> None:
    full, gone = RedisError("full"), RedisError("gone")
    assert told(full, full, gone, gone) == ["warning cannot_fold"] * 2
    assert told(KeyError(1), KeyError(1)) == ["error cannot_fold"]


def test_it_is_told_when_it_is_over_and_only_then() -> None:
    assert told(None, RedisError("full"), None, None) == [
        "warning cannot_fold",
        "info can_fold_again",
    ]
    assert told(RedisError("full"), None, RedisError("full"))[-1] == "warning cannot_fold"


def test_a_worker_says_once_that_its_redis_is_away_and_when_it_is_back(
    redis_client: Redis,
) -> None:
    trouble = Trouble()
    with Redis(host="127.0.0.1", port=1, retry=None) as nowhere, capture_logs() as lines:
        assert not work(nowhere, trouble)
        assert not work(nowhere, trouble)
        Worker(redis_client, trouble).register_birth()
    assert [line["event"] for line in lines] == ["cannot_work", "can_work_again"]
