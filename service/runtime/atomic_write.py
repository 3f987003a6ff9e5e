"""Atomic and durable file writes: a file is complete or absent, even after a power cut."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO

PUBLIC_MODE = 0o644
PRIVATE_MODE = 0o600


def write_durably(path: Path, content: bytes, mode: int) -> None:
    """Write a file and its missing folders. The file gets its name once its content is on the
    disk. Raises OSError with its name, and leaves nothing then.
    """
    _copy(BytesIO(content), path, mode)


def copy_durably(source: Path, path: Path, mode: int) -> None:
    """Copy a file as `write_durably` writes one."""
    with source.open("rb") as file:
        _copy(file, path, mode)


def _copy(source: IO[bytes], path: Path, mode: int) -> None:
    make_folder(path.parent)
    fresh = path.with_name(temporary_name(path.name))
    try:
        with open(fresh, "wb", opener=partial(_open_private, mode=mode)) as file:
            os.fchmod(file.fileno(), mode)
            shutil.copyfileobj(source, file)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:  # such as on a full disk, which the part would keep full
        with suppress(OSError):
            fresh.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error
    sync_folder(path.parent)


def _open_private(path: str, flags: int, mode: int) -> int:
    """Open a file that others can read at no moment unless `mode` lets them, and that is no link
    which another user has put there.
    """
    return os.open(path, flags | os.O_NOFOLLOW, mode)


def temporary_name(name: str) -> str:
    """Return the temporary name of a file that is being written."""
    return f".{name}.new"


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents, durably."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that the names of its files are on the disk too."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
