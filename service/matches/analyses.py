"""Analyses of matches: stored ones, and the queue from which `annals analyst` computes new ones."""

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
from projections.analyses import read_analysis
from service.runtime.errors import AnalysisFailed, AnalystBusy
from service.store.event_store import EventStore

QUEUE_NAME = "analysis"
JOB_TIMEOUT_S = 900
"""Time limit of an analysis in seconds; most take a few."""
FAILURE_TTL_S = 60
"""How long a failed analysis stays failed before a client can request it again."""
PROGRESS_TTL_S = 30
"""An analyst that reports no progress for this long has died."""
MAX_QUEUED = 200


class AnalysisProgress(msgspec.Struct, frozen=True):
    """The progress of an analysis: decisions done, of how many, and analyses ahead in the queue."""

    status: Literal["waiting", "running"]
    done: int = 0
    total: int = 0
    ahead: int = 0


class Analyses:
    """Stored analyses, and the queue of requested ones."""

    def __init__(self, store: EventStore, queue_redis: Callable[[], Redis]) -> None:
        self._store, self._redis = store, queue_redis

    def find(self, game: Game[Any], match: str) -> Analysis | None:
        """Return the analysis of a match, if it is stored."""
        return read_analysis(self._store.redis, self._store.partition_of(match), game, match)

    def progress(self, game: Game[Any], match: str) -> AnalysisProgress | None:
        """Return the progress of the analysis of a match; None if it is not requested. Raises
        AnalysisFailed.
        """
        redis = self._redis()
        if progress := read_progress(redis, match):
            return progress
        try:
            job = Job.fetch(_job_id(game, match), connection=redis)
        except NoSuchJobError:
            return None
        position = Queue(QUEUE_NAME, connection=redis).get_job_position(job.id)
        if position is not None:
            return AnalysisProgress("waiting", ahead=position)
        if job.get_status(refresh=False) == JobStatus.FAILED:
            raise AnalysisFailed(
                "The analysis of this match failed. The log of the service has the reason."
            )
        job.delete()  # the analyst died during the job
        return None

    def request(self, game: Game[Any], match: str) -> AnalysisProgress:
        """Request the analysis of a match; return its progress. Raises AnalystBusy if the queue is
        full.
        """
        queue = Queue(QUEUE_NAME, connection=self._redis())
        ahead = queue.count
        if ahead >= MAX_QUEUED:
            raise AnalystBusy("The queue of analyses is full. Try again later.")
        with suppress(DuplicateJobError):
            queue.enqueue_call(
                "workers.processes.analyst.analyse",
                args=(match,),
                job_id=_job_id(game, match),
                unique=True,
                timeout=JOB_TIMEOUT_S,
                result_ttl=0,
                failure_ttl=FAILURE_TTL_S,
            )
        return AnalysisProgress("waiting", ahead=ahead)


def store_progress(queue_redis: Redis, match: str, done: int, total: int) -> None:
    """Store the progress of an analysis."""
    queue_redis.set(_progress_key(match), f"{done}/{total}", ex=PROGRESS_TTL_S)


def read_progress(queue_redis: Redis, match: str) -> AnalysisProgress | None:
    """Return the progress of a running analysis."""
    progress = queue_redis.get(_progress_key(match))
    if not isinstance(progress, bytes):
        return None
    done, _, total = progress.decode().partition("/")
    return AnalysisProgress("running", int(done), int(total))


def delete_progress(queue_redis: Redis, match: str) -> None:
    """Delete the progress of an analysis that has ended or failed."""
    queue_redis.delete(_progress_key(match))


def _job_id(game: Game[Any], match: str) -> str:
    return f"analysis-{match}-{method_of(game)}"


def _progress_key(match: str) -> str:
    return f"annals:analysis_progress:{match}"
