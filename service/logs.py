"""The log of every process: one JSON object on each line of the standard output."""

from __future__ import annotations

import logging
import logging.config
import os
from contextlib import suppress
from typing import Any

import msgspec
import structlog

STDOUT = 1


def write_logs(level: str) -> None:
    """Log what is at least of this level from now on, whichever library says it.

    A traceback has no values of variables, which may be secret.
    """
    structlog.configure(
        processors=[*_about(), _to_json],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=Lines,
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(library_logs(level))


def library_logs(level: str) -> dict[str, Any]:
    """The configuration of `logging` by which libraries write to the same log."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": [structlog.stdlib.add_logger_name],
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *_about(),
                    _to_text,
                ],
            }
        },
        "handlers": {"lines": {"()": LinesHandler, "formatter": "json"}},
        "loggers": {},
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


def _about() -> list[Any]:
    return [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper("iso"),
        structlog.processors.format_exc_info,
    ]


def _json(record: object, **_: object) -> bytes:
    return msgspec.json.encode(record, enc_hook=str)


_to_json = structlog.processors.JSONRenderer(serializer=_json)
_to_text = structlog.processors.JSONRenderer(serializer=lambda *args, **_: _json(*args).decode())
