"""What is left to be done once Discord has its first answer: jobs of the queue `discord`.

The token of an interaction is in the job alone, for as long as that waits: no log has it.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct
from redis import Redis
from rq import Queue, Retry

QUEUE = "discord"
JOB_S = 60
KEEP_S = 60
TRIES = 3
"""How often an errand is begun: one may fail, and one be cut off by the end of its process."""
Shown = Literal["card", "own"]
"""A match as a channel sees it, or as whoever asks sees it."""


class Errand(Struct, frozen=True, omit_defaults=True):
    """To show a match in Discord: as the first answer to something (`original`), or below it."""

    match: str
    token: str
    shown: Shown = "card"
    original: bool = True
    channel: str | None = None
    user: str = ""  # in Discord, who asked
    player: str = ""  # whom it is shown as, unless it is shown to a channel
    note: str = ""  # to be told first
    limit: int = 0  # bytes that a picture may have


_ERRAND = msgspec.json.Decoder(Errand)


def read_errand(text: bytes) -> Errand:
    """The errand that a job is given."""
    return _ERRAND.decode(text)


class Errands:
    """Where errands wait for somebody to do them."""

    def __init__(self, queue_redis: Redis) -> None:
        self._queue = Queue(QUEUE, connection=queue_redis)

    def put(self, errand: Errand) -> None:
        """Leave an errand; RedisError."""
        self._queue.enqueue_call(
            "workers.jobs.discord.show",
            args=(msgspec.json.encode(errand),),
            description=f"show {errand.match}",  # rq logs it, and would name all that is in it
            timeout=JOB_S,
            result_ttl=0,
            failure_ttl=KEEP_S,
            retry=Retry(max=TRIES - 1),
        )
