"""Erased players: a list of their ids beside the data. A restore of an older backup reads it and
erases them again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import structlog

from service.runtime.atomic_write import sync_folder

ERASED_FILE = "erased-players"
log = structlog.get_logger()


def record_erased_player(data: Path, player: str) -> None:
    """Append an id durably, before the deletion starts. Logs a warning if that fails."""
    if player in read_erased_players(data):
        return
    try:
        with (data / ERASED_FILE).open("a") as file:
            file.write(f"{player}\n")
            file.flush()
            os.fsync(file.fileno())
        sync_folder(data)
    except OSError:
        log.warning("erased_player_not_recorded", player=player)


def read_erased_players(data: Path) -> Sequence[str]:
    """Return the ids of all erased players, in order of erasure."""
    file = data / ERASED_FILE
    return file.read_text().split() if file.is_file() else []
