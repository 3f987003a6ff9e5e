"""What follows a request that is recorded: a failing Redis is logged and fails no answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from service.runtime.errors import REDIS_ERRORS, StoreUnavailable

log = structlog.get_logger()


@contextmanager
def log_redis_failures(event: str, **about: str) -> Iterator[None]:
    """Log as `event`, and about what, that Redis fails in this block, and go on. A 503 would say
    that nothing is recorded, and refuse the caller who sends the request again.
    """
    try:
        yield
    except (*REDIS_ERRORS, StoreUnavailable) as error:
        log.error(event, **about, exc_info=error)
