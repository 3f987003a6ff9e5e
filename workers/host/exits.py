"""Ends a process at an error that the operator can fix, with one sentence."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from service.runtime.settings import BadSetting, read_settings
from workers.host.errors import CannotRun

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def exit_on_error() -> Iterator[None]:
    """Exit with 1 and one sentence at an error that the operator can fix."""
    try:
        yield
    except (BadSetting, CannotRun) as error:
        exit_with(str(error))
    except Exception as error:
        if not (sentence := describe_full_disk(error) or describe_store_error(error)):
            raise
        exit_with(sentence)


def exit_with(sentence: str) -> NoReturn:
    """Exit with a sentence: in the log if it is configured, otherwise on the terminal."""
    from structlog import get_logger, is_configured  # importing it delays short commands

    if not is_configured():
        sys.exit(sentence)
    get_logger().critical(sentence)
    sys.exit(1)


def describe_full_disk(error: Exception) -> str:
    """Return the sentence for an error of the system about a full disk, or empty for others."""
    if not isinstance(error, OSError) or error.errno not in NO_ROOM:
        return ""
    what = error.filename or "a file"
    return f"Cannot write {what} ({error.strerror}): make room on its disk, and try again."


def describe_store_error(error: Exception) -> str:
    """Return the sentence for an error of Redis, of the event store or of the archive, or empty for
    other errors.
    """
    from service.runtime.errors import REDIS_ERRORS, StoreUnavailable
    from workers.host.redis.checks import describe_redis_error
    from workers.host.redis.disk_guard import READ_ONLY, choose_state

    cause = error.__cause__ or error
    if not isinstance(cause, REDIS_ERRORS):
        return error.reason if isinstance(error, StoreUnavailable) else ""
    settings = read_settings(os.environ)
    if settings.owns_redis and choose_state(settings.data, settings.disk_reserve_mb) == READ_ONLY:
        return (
            f"Less than {settings.disk_reserve_mb} MB (ANNALS_DISK_RESERVE_MB) are free in"
            f" {settings.data}, so its Redis refuses writes: make room, and try again."
        )
    url = settings.events_url
    return describe_redis_error(settings.setting_of(url), cause, url)
