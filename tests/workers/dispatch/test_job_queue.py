"""A job waits once, whichever dispatcher enqueues it."""

from __future__ import annotations

import pytest
from redis import Redis
from rq import Queue
from rq.job import Job

from workers.dispatch.job_queue import Call, UniqueJobs

CALL = Call("j", f"{__name__}.do_nothing", (), timeout_s=60, dead_after_s=60)


def do_nothing() -> None:
    """A job."""


@pytest.mark.parametrize("finished", [False, True], ids=["lost", "finished"])
def test_another_dispatcher_may_be_faster(
    redis_client: Redis, monkeypatch: pytest.MonkeyPatch, finished: bool
) -> None:
    """The job is gone once this one looks for it, and another has enqueued it since."""
    queue, jobs = Queue("bots", connection=redis_client), UniqueJobs()
    jobs.put(queue, CALL)
    queue.remove(CALL.id)
    look = jobs._delete_dead

    def look_slowly(queue: Queue, call: Call) -> bool:
        if finished:
            Job.fetch(call.id, connection=redis_client).delete()
        gone = look(queue, call)
        UniqueJobs().put(queue, call)
        return gone

    monkeypatch.setattr(jobs, "_delete_dead", look_slowly)
    jobs.put(queue, CALL)
    assert queue.job_ids == [CALL.id]
