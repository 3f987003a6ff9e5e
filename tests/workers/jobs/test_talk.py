"""Old talk is erased by a job, which a dispatcher hands out; a corrupt match is in nobody's way."""

from __future__ import annotations

import pytest
from redis import Redis
from rq import Queue, SimpleWorker
from structlog.testing import capture_logs

from domain.games import GAMES
from service.matches.container import Annals, open_annals, wall_clock
from service.runtime.settings import read_settings
from service.talk.messages import Message
from service.talk.storage import RETENTION_MS, Talk
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import RecordedMatch
from tests.support.damage import damage
from workers.dispatch.talk_work import QUEUE, TalkDispatcher
from workers.jobs import talk as job


@pytest.fixture
def annals(redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Annals:
    monkeypatch.setenv("REDIS_URL", redis_url)
    monkeypatch.setitem(GAMES, "toy", TOY)
    found = open_annals(read_settings({"REDIS_URL": redis_url}))
    monkeypatch.setattr(job, "_annals", lambda: found)
    return found


def say_long_ago(annals: Annals, match: str) -> None:
    """Something that was said before the time after which talk is looked at."""
    said = Message("u0123456789abcdef", wall_clock() - RETENTION_MS, text=f"words about {match}")
    Talk(annals.store).say(match, "players", said, match.encode().ljust(8)[:8])


def run_jobs(annals: Annals, dispatcher: TalkDispatcher) -> int:
    """Hand out what is due now, and do it; return the number of jobs."""
    jobs = dispatcher.dispatch_due(wall_clock())
    queue = Queue(QUEUE, connection=annals.store.redis)
    with capture_logs():
        SimpleWorker([queue], connection=annals.store.redis).work(burst=True)
    return jobs


def test_a_job_erases_what_is_due_and_nothing_else(annals: Annals) -> None:
    RecordedMatch(annals.store, "ann ben", match="goes-on").play(3)
    everywhere = TalkDispatcher(annals.store, annals.store.redis, range(16))
    assert run_jobs(annals, everywhere) == 0
    for match in ("goes-on", "lost"):
        say_long_ago(annals, match)
    partitions = {annals.store.partition_of(match) for match in ("goes-on", "lost")}
    elsewhere = [one for one in range(16) if one not in partitions]
    assert (
        TalkDispatcher(annals.store, annals.store.redis, elsewhere).dispatch_due(wall_clock()) == 0
    )
    assert run_jobs(annals, everywhere) == len(partitions)
    talk = Talk(annals.store)
    assert talk.numbers("goes-on", "players") == [1]
    assert talk.numbers("lost", "players") == []
    assert run_jobs(annals, everywhere) == 0  # the other match is looked at later


def test_a_corrupt_match_keeps_its_talk_and_stands_in_no_way(annals: Annals) -> None:
    RecordedMatch(annals.store, "ann ben", match="m").play(3)
    damage(annals.store, "m", 2)
    ids = (f"x{number}" for number in range(1_000))
    beside = next(o for o in ids if annals.store.partition_of(o) == annals.store.partition_of("m"))
    for match in ("m", beside):
        say_long_ago(annals, match)
    fresh = open_annals(annals.settings)
    with pytest.MonkeyPatch.context() as patch, capture_logs() as logs:
        patch.setattr(job, "_annals", lambda: fresh)
        job.erase(annals.store.partition_of("m"))
    talk = Talk(annals.store)
    assert (talk.numbers("m", "players"), talk.numbers(beside, "players")) == ([1], [])
    assert [one["match"] for one in logs if one["event"] == "entry_corrupt"] == ["m"]
    assert talk.due(annals.store.partition_of("m"), wall_clock(), 10) == []
