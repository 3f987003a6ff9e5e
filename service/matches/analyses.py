"""Analyses of matches: found where they are kept, or asked for; `annals analyst` makes them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

import msgspec
from redis import Redis
from rq import Queue
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus

from domain.analysis.analysis import Analysis, method_of
from domain.engine.game import Game
from projections.analyses import analysis_of
from service.runtime.errors import AnalysisFailed, AnalystBusy
from service.store.event_store import Store

QUEUE = "analysis"
JOB_S = 900
"""How long an analysis may take; most need some seconds."""
FAILED_S = 60
"""How long nobody tries again what failed."""
SILENT_S = 30
"""Whoever makes an analysis and says nothing of it for so long was ended."""
MOST_WAITING = 200


class Waiting(msgspec.Struct, frozen=True):
    """An analysis that is not there yet: how many decisions of how many are done, once it is being
    made, and how many others are made before that.
    """

    status: Literal["waiting", "running"]
    done: int = 0
    of: int = 0
    ahead: int = 0


class Analyses:
    """Analyses, and the queue of those that are wanted."""

    def __init__(self, store: Store, queue_redis: Callable[[], Redis]) -> None:
        self._store, self._redis = store, queue_redis

    def find(self, game: Game[Any], match: str) -> Analysis | None:
        """The analysis of a match, if it has been made."""
        return analysis_of(self._store.redis, self._store.partition_of(match), game, match)

    def wanted(self, game: Game[Any], match: str) -> Waiting | None:
        """How far the analysis of a match is; None if nobody asked for it. AnalysisFailed."""
        redis = self._redis()
        if progress := progress_of(redis, match):
            return progress
        try:
            job = Job.fetch(_job_id(game, match), connection=redis)
        except NoSuchJobError:
            return None
        place = Queue(QUEUE, connection=redis).get_job_position(job.id)
        if place is not None:
            return Waiting("waiting", ahead=place)
        if job.get_status(refresh=False) == JobStatus.FAILED:
            raise AnalysisFailed(
                "The analysis of this match failed; the log of the service says why."
            )
        job.delete()  # it was begun by somebody who was ended
        return None

    def want(self, game: Game[Any], match: str) -> Waiting:
        """Ask for the analysis of a match; AnalystBusy if too many are waiting."""
        queue = Queue(QUEUE, connection=self._redis())
        ahead = queue.count
        if ahead >= MOST_WAITING:
            raise AnalystBusy("So many analyses are wanted that no more can wait. Try again later.")
        with suppress(DuplicateJobError):
            queue.enqueue_call(
                "workers.processes.analyst.analyse",
                args=(match,),
                job_id=_job_id(game, match),
                unique=True,
                timeout=JOB_S,
                result_ttl=0,
                failure_ttl=FAILED_S,
            )
        return Waiting("waiting", ahead=ahead)


def tell_progress(queue_redis: Redis, match: str, done: int, of: int) -> None:
    """Let it be known how far an analysis is."""
    queue_redis.set(_progress_key(match), f"{done}/{of}", ex=SILENT_S)


def progress_of(queue_redis: Redis, match: str) -> Waiting | None:
    """How far an analysis is that is being made."""
    told = queue_redis.get(_progress_key(match))
    if not isinstance(told, bytes):
        return None
    done, _, of = told.decode().partition("/")
    return Waiting("running", int(done), int(of))


def end_progress(queue_redis: Redis, match: str) -> None:
    """It is done, or failed."""
    queue_redis.delete(_progress_key(match))


def _job_id(game: Game[Any], match: str) -> str:
    return f"analysis-{match}-{method_of(game)}"


def _progress_key(match: str) -> str:
    return f"annals:analysing:{match}"
