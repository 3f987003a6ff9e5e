"""What a process last wrote into its log: why it ended."""

from __future__ import annotations

import json
from pathlib import Path

from workers.host.redis.messages import explain, read_warning


def log_end(log: Path) -> int:
    """Return the size of a log (bytes); what a process writes into it comes later."""
    return log.stat().st_size if log.is_file() else 0


def last_message(log: Path, start: int = 0) -> str:
    """Return the last message of a program that is more than information, in plain words; empty if
    there is none. Without a rotation in between, what stands before `start` (bytes) is of an
    earlier process.
    """
    written = log.read_bytes() if log.is_file() else b""
    own = written[start:] if len(written) >= start else written
    lines = own.decode(errors="replace").splitlines()
    return explain(lines) or next(filter(None, map(notable_message, reversed(lines))), "")


def notable_message(line: str) -> str:
    """Return the message of a log line, or empty if it is only information."""
    if (warning := read_warning(line)) is not None:
        return warning
    try:
        record = json.loads(line)
    except ValueError:
        return line.strip()
    if not isinstance(record, dict) or not {"level", "event"} <= record.keys():
        return line.strip()
    if record["level"] in ("debug", "info"):
        return ""
    details = str(record.get("exception") or record.get("reason") or "").splitlines()
    return ": ".join([str(record["event"]), *details[-1:]])
