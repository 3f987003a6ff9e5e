"""Files that are there as a whole or not at all, also after a power cut."""

from __future__ import annotations

import os
from pathlib import Path

FOR_ALL = 0o644
FOR_US = 0o600


def write_durably(path: Path, content: bytes, mode: int) -> None:
    """Write a file, which has its name only once it is on the disk; its folders are made."""
    make_folder(path.parent)
    fresh = path.with_name(unfinished(path.name))
    with fresh.open("wb") as file:
        os.fchmod(file.fileno(), mode)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def unfinished(name: str) -> str:
    """What a file is called until it is on the disk, which has this name then."""
    return f".{name}.new"


def make_folder(folder: Path) -> None:
    """Make a folder with those it is in, to stay."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk, too: a file without its name is none."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
