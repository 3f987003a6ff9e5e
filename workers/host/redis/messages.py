"""The messages in the log of a Redis server, in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

LINE = re.compile(r"\d+:[A-Z] (\d\d? \w{3} \d{4} [\d:.]+ (?P<level>[.*#-]) (?P<text>.*)|.*)")
"""Without a level it was cut off, as on a full disk."""
WARNING = "#"
ADVICE = "WARNING"
"""How advice about the system begins, which ends no server."""
FULL = "its disk is full: make room there"
DAMAGED = (
    "the file with the matches is damaged: see docs/how-to/restore-after-loss.md, and don't repair"
    " it with the tools of Redis, which cut it off"
)
CAUSES: Mapping[str, str] = {
    "No space left on device": FULL,
    "Short write": FULL,
    "Disk quota exceeded": "this user has used up their quota of the disk: make room there",
    "Read-only file system": "its disk is read-only: mount it for writing",
    "Input/output error": "its disk has errors: `dmesg` names them",
    "Permission denied": "this user can't use its files: `annals doctor` names them",
    "Cannot allocate memory": "there is too little memory",
    "Out Of Memory": "there is too little memory",
    "Bad file format": DAMAGED,
    "Unexpected end of file reading": DAMAGED,
    "Invalid AOF manifest": DAMAGED,
    "AOF loading aborted": DAMAGED,
}
"""By a part of a warning, why a server ends, and the cure; what comes first counts more."""


def read_warning(line: str) -> str | None:
    """Return the warning in a line of the log of a server, empty if it is only information; None if
    the line has another form.
    """
    found = LINE.fullmatch(line.strip())
    if found is None:
        return None
    level, text = found["level"], found["text"] or ""
    return text if level == WARNING and not text.startswith(ADVICE) else ""


def explain(lines: Iterable[str]) -> str:
    """Return why the server with this log ended, in plain words; empty if its warnings name no
    known cause.
    """
    warnings = " ".join(filter(None, map(read_warning, lines)))
    return next((words for part, words in CAUSES.items() if part in warnings), "")
