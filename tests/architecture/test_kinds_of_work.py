"""One list defines the kinds of work; jobs, queues, metrics and docs follow it."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from prometheus_client import REGISTRY

from domain.match.scheduled_work import QUEUE_OF, QUEUES, Queue, Work
from service.live.exposition import queue_lengths
from service.runtime.settings import Settings
from service.store.event_store import DueWork
from tests.architecture.layout import ROOT
from workers.dispatch.job_queue import JobQueue, job_id
from workers.jobs import match_jobs

DOCS = ROOT / "docs/projections.md"


def test_every_kind_of_work_has_its_queue_and_every_queue_some_work():
    assert set(QUEUE_OF) == set(get_args(Work))
    assert set(QUEUES) == set(get_args(Queue))


@pytest.mark.parametrize("work", QUEUE_OF)
def test_every_kind_of_work_has_its_job_which_is_counted_under_its_name(work, monkeypatch):
    monkeypatch.setattr(match_jobs, "_match_if_due", lambda *_: None)
    before = count_done(work)
    getattr(match_jobs, work)("m", 1)
    assert count_done(work) == before + 1


def count_done(work):
    return REGISTRY.get_sample_value("annals_job_seconds_count", {"kind": work}) or 0


@pytest.mark.parametrize(("work", "queue"), QUEUE_OF.items())
def test_every_kind_of_work_waits_in_its_queue_and_is_counted_there(
    work, queue, redis_client, redis_url
):
    JobQueue(Settings(), redis_client).put(DueWork(work, "m", 1, 0))
    assert queue_lengths(redis_url) == {name: int(name == queue) for name in QUEUES}
    [job] = redis_client.lrange(f"rq:queue:{queue}", 0, -1)
    assert job.decode() == job_id(DueWork(work, "m", 1, 0))


def test_the_docs_list_the_same_work_in_the_same_order():
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|", DOCS.read_text(), re.MULTILINE)
    assert [row for row in rows if row[1] in QUEUES] == list(QUEUE_OF.items())
