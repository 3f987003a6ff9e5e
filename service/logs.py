"""The log: one JSON object on each line of the standard output."""

from __future__ import annotations

import logging

import msgspec
import structlog


def write_logs(level: str) -> None:
    """Log what is at least of this level from now on."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper("iso"),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(serializer=_line),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=structlog.BytesLoggerFactory(),
        cache_logger_on_first_use=True,
    )


def _line(record: object, **_: object) -> bytes:
    return msgspec.json.encode(record, enc_hook=str)
