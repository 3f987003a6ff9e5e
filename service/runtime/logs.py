"""The log of every process: one JSON object on each line of the standard output."""

from __future__ import annotations

import logging
import logging.config
import os
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

import msgspec
import structlog
from structlog.typing import EventDict, ExcInfo

from service.runtime.errors import StoreUnavailable

STDOUT = 1
TURNED_OVER = 10_000_000
LEVELS = logging.getLevelNamesMapping()
TELLING = (AttributeError, ImportError, NameError, OSError, TypeError)
"""Errors whose messages name no value of a match, such as a seed, a hand or a move."""


def write_logs(level: str) -> None:
    """Log what is at least of this level from now on, whichever library says it.

    What ends the process or a thread is logged, too.
    """
    structlog.configure(
        processors=[*_about(), _to_json],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level.upper()]),
        logger_factory=Lines,
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(library_logs(level))
    logging.captureWarnings(True)
    log = structlog.get_logger()
    sys.excepthook = lambda *info: log.critical("ended", exc_info=info)
    threading.excepthook = lambda end: log.critical("thread_ended", exc_info=end[:3])


def log_to(file: Path, level: str) -> logging.Logger:
    """What logs to a file in the same way, which is turned over at 10 MB."""
    handler = FileLines(file, maxBytes=TURNED_OVER, backupCount=2)
    handler.setFormatter(_formatter())
    log = logging.getLogger(f"annals.{file.stem}")
    log.handlers, log.propagate = [handler], False
    log.setLevel(level.upper())
    return log


def library_logs(level: str) -> dict[str, Any]:
    """The configuration of `logging` by which libraries write to the same log."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": _formatter}},
        "handlers": {"lines": {"()": LinesHandler, "formatter": "json"}},
        "loggers": {name: {"level": _quieter(level)} for name in ("rq.worker", "rq.job")},
        "root": {"handlers": ["lines"], "level": level.upper()},
    }


class Lines:
    """What structlog writes to."""

    def __init__(self, *_: object) -> None:
        pass

    def msg(self, line: bytes) -> None:
        """Write a line.

        One that cannot be written, for a full disk or a reader who has gone, is lost: the log must
        not spoil what it tells of.
        """
        with suppress(OSError):
            os.write(STDOUT, line + b"\n")

    debug = info = warning = error = critical = exception = msg


class LinesHandler(logging.Handler):
    """What libraries write to."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record as a line."""
        Lines().msg(self.format(record).encode())


def _quieter(level: str) -> str:
    """The level for a library that says of each thing it does that it does it."""
    return "WARNING" if level == "info" else level.upper()


class FileLines(RotatingFileHandler):
    """A file of lines."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Lose a line that cannot be written."""


def _formatter() -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[structlog.stdlib.add_logger_name],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *_about(),
            _to_text,
        ],
    )


def _about() -> list[Any]:
    return [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper("iso"),
        _in_a_line,
        structlog.processors.ExceptionRenderer(told),
    ]


def _in_a_line(_logger: object, _name: str, record: EventDict) -> EventDict:
    """Say only why, and not where, if the cause is a Redis."""
    info = record.get("exc_info")
    error = sys.exc_info()[1] if info is True else info[1] if isinstance(info, tuple) else info
    if of_redis(error):
        del record["exc_info"]
        record["reason"] = str(error)
    return record


def told(exc_info: ExcInfo) -> str:
    """Where an error came up, without what may be secret: no values, and few messages."""
    return "\n".join(_chain(exc_info[1])).rstrip()


def _chain(error: BaseException) -> Iterator[str]:
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if earlier is not None:
        yield from _chain(earlier)
    yield "".join(traceback.format_tb(error.__traceback__)).rstrip("\n")
    tells = isinstance(error, TELLING) or of_redis(error) or getattr(error, "telling", False)
    yield f"{type(error).__qualname__}: {error if tells else '(not told)'}"


def of_redis(error: object) -> bool:
    """Whether an error has its cause in a Redis; known without loading what talks to it."""
    return isinstance(error, StoreUnavailable) or type(error).__module__ == "redis.exceptions"


def _json(record: object, **_: object) -> bytes:
    return msgspec.json.encode(record, enc_hook=str)


_to_json = structlog.processors.JSONRenderer(serializer=_json)
_to_text = structlog.processors.JSONRenderer(serializer=lambda *args, **_: _json(*args).decode())
