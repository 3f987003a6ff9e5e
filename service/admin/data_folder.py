"""Whether the folder of the data can be written: what is wrong with its disk, and the cure."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from tempfile import TemporaryFile

DATA = "ANNALS_DATA"
MB = 1_000_000


def lacks_room(folder: Path, reserve_mb: int) -> bool:
    """Return whether less than this is free on the disk of a folder."""
    return shutil.disk_usage(folder).free < reserve_mb * MB


def count_free_inodes(folder: Path) -> int | None:
    """Return how many more files the disk of a folder can have for this user; None if its file
    system has no limit.
    """
    found = os.statvfs(folder)
    return found.f_favail if found.f_files else None


def find_write_error(folder: Path) -> OSError | None:
    """Return the error of writing in a folder; None if it works. The written file has no name, or
    has it only for a moment.
    """
    try:
        with TemporaryFile(dir=folder, buffering=0) as file:
            file.write(b"\n")
    except OSError as error:
        return error
    return None


def describe_unwritable(folder: Path, error: OSError) -> str:
    """Return that nothing can be written in a folder, and why."""
    if _lacks_inodes(folder, error):
        return f"Cannot create a file in {folder} (all inodes of its disk are used)"
    return f"Cannot write in {folder} ({error.strerror})"


def cure_unwritable(folder: Path, error: OSError, setting: str = DATA) -> str:
    """Return what the operator can do about an error of writing in the folder of a setting."""
    choose = f"choose another folder with {setting}."
    if error.errno == errno.EROFS and setting != DATA:
        choose = f"name it in the systemd unit (ReadWritePaths={folder}), or {choose}"
    if _lacks_inodes(folder, error):
        return f"delete files on its disk (`df -i {folder}` counts them), or {choose}"
    cures = {
        errno.EACCES: f"give it to this user (chown -R {os.getuid()} {folder})",
        errno.EDQUOT: "make room for this user",
        errno.EIO: "replace its disk, whose errors `dmesg` names",
        errno.ENOSPC: "make room there",
        errno.EROFS: "mount its disk for writing (a system mounts a disk read-only after errors,"
        " which `dmesg` names)",
    }
    here = cures.get(error.errno or 0)
    return f"{here}, or {choose}" if here else choose


def describe_fault(folder: Path, reserve_mb: int) -> str:
    """Return a sentence about a data folder in which nothing can be written any more, or no file
    created. Empty if all can be, or the disk is full: what looks after `reserve_mb` says that.
    """
    error = find_write_error(folder)
    if error is None or (error.errno == errno.ENOSPC and lacks_room(folder, reserve_mb)):
        return ""
    effect = "no move is recorded"
    if _lacks_inodes(folder, error):
        effect = (
            "moves are recorded, but no backups, packs, logs and leaves of the transparency log"
        )
    return f"{describe_unwritable(folder, error)}, so {effect}: {cure_unwritable(folder, error)}"


def _lacks_inodes(folder: Path, error: OSError) -> bool:
    """Return whether an error of writing in a folder is about the number of files."""
    return error.errno == errno.ENOSPC and count_free_inodes(folder) == 0
