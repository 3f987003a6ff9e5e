"""Jobs that follow the first answer to an interaction, in the queue `discord`.

Only the job holds the token of the interaction; logs never contain it.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct
from redis import Redis
from rq import Queue, Retry

QUEUE = "discord"
JOB_TIMEOUT_S = 60
FAILED_JOB_TTL_S = 60
MAX_TRIES = 3
"""How often a job is started: once more after an error, and once more if its process dies."""
CardView = Literal["card", "own"]
"""A match as its channel sees it (`card`), or as the player sees it (`own`)."""


class FollowUpJob(Struct, frozen=True, omit_defaults=True):
    """Shows a match in Discord: in place of the first answer (`original`), or below it."""

    match: str
    token: str
    view: CardView = "card"
    original: bool = True
    channel: str | None = None
    user: str = ""  # the Discord user who sent the interaction
    player: str = ""  # the viewer, unless it is for a channel
    note: str = ""  # shown first
    max_picture_bytes: int = 0  # 0: Discord's default


_JOB = msgspec.json.Decoder(FollowUpJob)


def read_job(text: bytes) -> FollowUpJob:
    """Decode the argument of a job."""
    return _JOB.decode(text)


class FollowUpQueue:
    """The queue of follow-up jobs."""

    def __init__(self, queue_redis: Redis) -> None:
        self._queue = Queue(QUEUE, connection=queue_redis)

    def enqueue(self, job: FollowUpJob) -> None:
        """Add a job. Raises RedisError."""
        self._queue.enqueue_call(
            "workers.jobs.discord.show",
            args=(msgspec.json.encode(job),),
            description=f"show {job.match}",  # rq logs it; its default would contain the token
            timeout=JOB_TIMEOUT_S,
            result_ttl=0,
            failure_ttl=FAILED_JOB_TTL_S,
            retry=Retry(max=MAX_TRIES - 1),
        )
