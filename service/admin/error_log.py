"""The last errors in the logs of processes, with the ids of their requests."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from heapq import nlargest
from pathlib import Path

import msgspec

TAIL_BYTES = 65_536
"""How much of each log is read."""
MAX_ERRORS = 20
GRAVE = ("error", "critical")


class LoggedError(msgspec.Struct, frozen=True):
    """A line of a log. Logs have no values of matches, such as a seed or a hand."""

    at: str
    process: str
    event: str
    request: str | None
    detail: str


class _Line(msgspec.Struct):
    event: str
    level: str = ""
    timestamp: str = ""
    id: str | None = None
    exception: str = ""
    reason: str = ""
    match: str | None = None


_LINE = msgspec.json.Decoder(_Line)


def last_errors(data: Path) -> list[LoggedError]:
    """Return the latest errors, the newest first."""
    found = (one for log in sorted((data / "log").glob("*.log")) for one in _errors_in(log))
    return nlargest(MAX_ERRORS, found, key=lambda one: one.at)


def last_failure(log: Path, failures: Collection[str], done: str) -> LoggedError | None:
    """Return the last of these failures in a log, or None if the event `done` follows it."""
    failure: LoggedError | None = None
    for line in _lines_of(log):
        if line.event in failures:
            failure = _error_of(line, log)
        elif line.event == done:
            failure = None
    return failure


def _errors_in(log: Path) -> Iterator[LoggedError]:
    return (_error_of(line, log) for line in _lines_of(log) if line.level in GRAVE)


def _error_of(line: _Line, log: Path) -> LoggedError:
    detail = line.reason or line.exception.rpartition("\n")[2] or line.match or ""
    return LoggedError(line.timestamp, log.stem, line.event, line.id, detail)


def _lines_of(log: Path) -> Iterator[_Line]:
    for line in _tail(log).splitlines():
        with suppress(msgspec.MsgspecError):  # a line of a library, or the rest of one
            yield _LINE.decode(line)


def _tail(log: Path) -> bytes:
    try:
        with log.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL_BYTES))
            return file.read(TAIL_BYTES)
    except OSError:
        return b""
