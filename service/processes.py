"""Processes of this machine."""

from __future__ import annotations

import os


def lives(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except OSError as error:
        return isinstance(error, PermissionError)  # it lives, and is somebody else's
    return True
