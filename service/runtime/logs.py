"""Logs of every process: one JSON object per line on the standard output."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import structlog
from structlog.typing import EventDict, ExcInfo

from service.runtime.errors import StoreUnavailable

STDOUT = 1
BACKUPS = 2
"""How many older files of each log are kept."""
LEVEL_NUMBERS = logging.getLevelNamesMapping()
SAFE_ERRORS = (AttributeError, ImportError, NameError, OSError, TypeError)
"""Errors whose messages contain no values of a match, such as a seed, a hand or a move."""


def configure_logs(level: str) -> None:
    """Configure structlog and `logging` to write lines of at least this level.

    Errors that end the process are logged too, and those that end a thread end the process.
    """
    structlog.configure(
        processors=[*_processors(), _to_json],
        wrapper_class=structlog.make_filtering_bound_logger(LEVEL_NUMBERS[level.upper()]),
        logger_factory=LineSink,
        cache_logger_on_first_use=True,
    )
    configure_library_logs(level)
    logging.captureWarnings(True)
    log = structlog.get_logger()
    sys.excepthook = lambda *info: log.critical("process_crashed", exc_info=info)
    end_with_threads(lambda info: log.critical("thread_crashed", exc_info=info))


def end_with_threads(report: Callable[..., object]) -> None:
    """End this process with status 1 once an error has ended one of its threads, after `report` of
    the error: without that thread it would go on without its work. Its parent starts another.
    """

    def end(crash: threading.ExceptHookArgs) -> None:
        report(crash[:3])
        os._exit(1)

    threading.excepthook = end


def lasting_thread(
    stop: threading.Event, work: Callable[..., object], *args: object, name: str | None = None
) -> threading.Thread:
    """Return a thread that has to work until `stop` is set; it ends with an error if `work` returns
    before that, so that its process does not go on without it.
    """

    def run() -> None:
        work(*args)
        if not stop.is_set():
            raise RuntimeError(f"The thread {name or work.__name__} has ended before its process.")

    return threading.Thread(target=run, daemon=True, name=name)


def file_logger(file: Path, level: str) -> logging.Logger:
    """Return a logger that writes lines of the same form to a file."""
    handler = FileHandler(file)
    handler.setFormatter(_formatter())
    log = logging.getLogger(f"annals.{file.stem}")
    log.handlers, log.propagate = [handler], False
    log.setLevel(level.upper())
    return log


def configure_library_logs(level: str) -> None:
    """Make libraries that use `logging` write to the same log.

    `logging.config` would do the same, and copy a megabyte of the parent's memory in each process.
    """
    handler = LineHandler()
    handler.setFormatter(_formatter())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for name in ("rq.worker", "rq.job"):
        logging.getLogger(name).setLevel(_library_level(level))


class LineSink:
    """The sink of structlog."""

    def __init__(self, *_: object) -> None:
        pass

    def msg(self, line: bytes) -> None:
        """Write a line, or drop it if the write fails: a full disk or a closed pipe must not stop
        the service.
        """
        with suppress(OSError):
            os.write(STDOUT, line + b"\n")

    debug = info = warning = error = critical = exception = msg


class LineHandler(logging.Handler):
    """The sink of libraries that use `logging`."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record as a line."""
        LineSink().msg(self.format(record).encode())


def _library_level(level: str) -> str:
    """Return the level for a library that logs every step at info."""
    return "WARNING" if level == "info" else level.upper()


class FileHandler(logging.FileHandler):
    """The sink of a logger in a file."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Drop a line that cannot be written."""


def _formatter() -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[structlog.stdlib.add_logger_name],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *_processors(),
            _to_text,
        ],
    )


def _processors() -> list[Any]:
    return [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper("iso"),
        _condense_redis_error,
        structlog.processors.ExceptionRenderer(format_traceback),
    ]


def _condense_redis_error(_logger: object, _name: str, record: EventDict) -> EventDict:
    """Replace the traceback of an error of Redis by its message."""
    info = record.get("exc_info")
    error = sys.exc_info()[1] if info is True else info[1] if isinstance(info, tuple) else info
    if is_redis_error(error):
        del record["exc_info"]
        record["reason"] = str(error)
    return record


def format_traceback(exc_info: ExcInfo) -> str:
    """Return a traceback without values of variables, and with only those messages that are safe to
    log.
    """
    return "\n".join(_chain(exc_info[1])).rstrip()


def _chain(error: BaseException) -> Iterator[str]:
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if earlier is not None:
        yield from _chain(earlier)
    yield "".join(traceback.format_tb(error.__traceback__)).rstrip("\n")
    yield describe_error(error)


def describe_error(error: BaseException) -> str:
    """Return the kind of an error, with its message if that is safe to log."""
    is_safe = (
        isinstance(error, SAFE_ERRORS)
        or is_redis_error(error)
        or getattr(error, "is_safe_to_log", False)
    )
    return f"{type(error).__qualname__}: {error if is_safe else '(message withheld)'}"


def is_redis_error(error: object) -> bool:
    """Return whether an error comes from Redis; does not import redis-py."""
    return isinstance(error, StoreUnavailable) or type(error).__module__ == "redis.exceptions"


def _json(record: object, **_: object) -> bytes:
    return msgspec.json.encode(record, enc_hook=str)


_to_json = structlog.processors.JSONRenderer(serializer=_json)
_to_text = structlog.processors.JSONRenderer(serializer=lambda *args, **_: _json(*args).decode())


def rotate_logs(folder: Path, kept_bytes: int) -> None:
    """Move the contents of large logs to older files, so that at most about so many bytes of each
    log are kept.

    Processes keep their files open, so the contents move and the files stay.
    """
    for log in folder.glob("*.log"):
        with suppress(OSError):
            if log.stat().st_size >= kept_bytes // (BACKUPS + 1):
                rotate(log)


def rotate(log: Path) -> None:
    """Move the contents of a log to a new file. Raises OSError, and changes nothing, if the
    disk is full.
    """
    copy = log.with_name(f"{log.name}.new")
    try:
        shutil.copyfile(log, copy)
        shift_backups(log)
        copy.replace(log.with_name(f"{log.name}.1"))
        os.truncate(log, 0)
    finally:
        copy.unlink(missing_ok=True)


def shift_backups(log: Path) -> None:
    """Rename older logs: what was `.1` is `.2`, and what was the oldest is gone."""
    for number in range(BACKUPS, 1, -1):
        with suppress(FileNotFoundError):
            log.with_name(f"{log.name}.{number - 1}").replace(log.with_name(f"{log.name}.{number}"))
