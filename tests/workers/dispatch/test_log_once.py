"""A repeated failure is logged once, and so is its end."""

from __future__ import annotations

import pytest
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue
from structlog.testing import capture_logs

from workers.dispatch.log_once import FailureLog
from workers.processes.worker import Worker, run_jobs


def collect_logs(*tries: Exception | None) -> list[str]:
    """The log entries of a step that fails with these errors, or succeeds, at each attempt."""
    trouble = FailureLog()
    with capture_logs() as lines:
        for error in tries:
            if error:
                trouble.log_failure("fold", error)
            else:
                trouble.log_recovery("fold")
    return [f"{line['log_level']} {line['event']}" for line in lines]


def test_each_new_reason_is_logged_once() -> None:
    full, gone = RedisError("full"), RedisError("gone")
    assert collect_logs(full, full, gone, gone) == ["warning fold_failed"] * 2
    assert collect_logs(KeyError(1), KeyError(1)) == ["error fold_failed"]


def test_only_a_recovery_is_logged() -> None:
    assert collect_logs(None, RedisError("full"), None, None) == [
        "warning fold_failed",
        "info fold_recovered",
    ]
    assert collect_logs(RedisError("full"), None, RedisError("full"))[-1] == "warning fold_failed"


def test_a_worker_logs_an_outage_of_redis_and_its_end_once(
    redis_client: Redis,
) -> None:
    trouble = FailureLog()
    with Redis(host="127.0.0.1", port=1, retry=None) as nowhere, capture_logs() as lines:
        assert not run_jobs(nowhere, trouble)
        assert not run_jobs(nowhere, trouble)
        Worker(redis_client, trouble).register_birth()
    assert [line["event"] for line in lines] == ["work_failed", "work_recovered"]


def test_another_error_ends_a_worker_for_its_supervisor_to_show(
    redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(Worker, "perform_job", fail)
    Queue("bots", connection=redis_client).enqueue_call("builtins.print")
    with pytest.raises(KeyError, match="a bug"):
        run_jobs(redis_client, FailureLog(), ["bots"])
