"""Whom this service has forgotten: a list of ids beside the data, so that a backup of an earlier
time brings nobody back.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import structlog

from service.runtime.atomic_write import sync_folder

FILE = "forgotten"
log = structlog.get_logger()


def note_forgotten(data: Path, player: str) -> None:
    """Note an id for good, before anything else is done; the log tells if it cannot be."""
    if player in forgotten(data):
        return
    try:
        with (data / FILE).open("a") as file:
            file.write(f"{player}\n")
            file.flush()
            os.fsync(file.fileno())
        sync_folder(data)
    except OSError:
        log.warning("forgotten_not_noted", player=player)


def forgotten(data: Path) -> Sequence[str]:
    """The ids of all who were forgotten, in order."""
    file = data / FILE
    return file.read_text().split() if file.is_file() else []
