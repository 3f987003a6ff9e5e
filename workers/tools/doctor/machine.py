"""Checks of the machine: files, disk, memory, clock."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from errno import EACCES
from pathlib import Path

from service.admin.data_folder import (
    MB,
    count_free_inodes,
    cure_unwritable,
    describe_unwritable,
    find_write_error,
)
from service.matches.container import wall_clock
from service.runtime.config.fields import SETTINGS
from service.runtime.config.sources import FILE_SUFFIX, config_path, read_config
from service.runtime.config.texts import absolute_path
from service.store.uptime import Uptime
from workers.host.folder_lock import cure_foreign, describe_foreign, find_foreign
from workers.tools.doctor.finding import Finding, Patient

ROOMY = 4
"""How many times the reserve should be free on the disk."""
FEW_FILES = 1_000
"""If the disk can have fewer files than this more, its inodes will soon be used up."""
NEEDED_MB = {"small": 480, "medium": 950, "large": 950}
"""Memory of the machine that each size needs at least."""
MEMORY_FILES = (Path("/sys/fs/cgroup/memory.max"), Path("/proc/meminfo"))
MAX_AHEAD_MS = 5_000
OTHERS = 0o077
"""The rights of the group and of others."""


def check_files(patient: Patient) -> Iterator[Finding]:
    """Yield whether the folder of the data can be used, and others can read secrets."""
    data = patient.settings.data
    if not data.exists():
        yield Finding("data", "ok", f"{data} is created at the first start.")
    elif (error := find_write_error(data)) and error.errno != EACCES:
        cure = cure_unwritable(data, error)
        yield Finding(
            "data", "fail", f"{describe_unwritable(data, error)}.", f"{cure[0].upper()}{cure[1:]}"
        )
    elif path := find_foreign(data):
        yield Finding("data", "fail", describe_foreign(path), cure_foreign(data))
    else:
        yield Finding("data", "ok", f"{data} can be written.")
    for file in files_with_secrets(data):
        if file.is_file() and file.stat().st_mode & OTHERS:
            yield Finding("data", "warn", f"Others can read {file}.", f"chmod 600 {file}")


def files_with_secrets(data: Path) -> Iterator[Path]:
    """Yield the files in which settings have secrets, but those of their own only in the data
    folder: elsewhere, as in a container, who provides them also sets who can read them.
    """
    written = read_config(os.environ)
    for one in SETTINGS.values():
        if one.secret and one.name in written:
            yield config_path(os.environ)
        named = written.get(one.name + FILE_SUFFIX)
        if file := os.environ.get(one.name + FILE_SUFFIX) or (named and named.text):
            path = absolute_path(file)
            if path.is_relative_to(data):
                yield path


def check_disk(patient: Patient) -> Iterator[Finding]:
    """Yield how much of the disk is free."""
    settings = patient.settings
    data = next(one for one in (settings.data, *settings.data.parents) if one.exists())
    free_mb, reserve_mb = shutil.disk_usage(data).free // MB, settings.disk_reserve_mb
    text = f"{free_mb:,} MB are free in {data}."
    cure = "Make room, or move old matches to an archive elsewhere (ANNALS_ARCHIVE)."
    if free_mb < reserve_mb:
        now = "Make room there, and the service goes on by itself."
        yield Finding("disk", "fail", f"{text} Nothing is recorded below {reserve_mb} MB.", now)
    elif free_mb < ROOMY * reserve_mb:
        yield Finding("disk", "warn", f"{text} Recording stops below {reserve_mb} MB.", cure)
    else:
        yield Finding("disk", "ok", text)
    left = count_free_inodes(data)
    if left is not None and left < FEW_FILES:
        text = f"The disk of {data} can have {left} more files: its inodes are used up."
        cure = f"Delete files there (`df -i {data}` counts them)."
        yield Finding("disk", "warn" if left else "fail", text, cure)


def check_memory(patient: Patient) -> Iterator[Finding]:
    """Yield whether the machine has the memory that this size needs."""
    size, limits = patient.settings.size, [*filter(None, map(read_memory_mb, MEMORY_FILES))]
    if not limits:
        return
    text = f"{min(limits):,} MB of memory, for ANNALS_SIZE={size}."
    if min(limits) < NEEDED_MB[size]:
        cure = f"It needs {NEEDED_MB[size]} MB: add memory, or set ANNALS_SIZE=small."
        yield Finding("memory", "warn", text, cure)
    else:
        yield Finding("memory", "ok", text)


def read_memory_mb(file: Path) -> int | None:
    """Return the limit of memory in a file of the kernel, in millions of bytes, if it has one."""
    words = file.read_text().split() if file.is_file() else []
    numbers = [int(word) for word in words[:2] if word.isdigit()]
    unit = 1024 if file.name == "meminfo" else 1
    return numbers[0] * unit // MB if numbers else None


def check_clock(patient: Patient) -> Iterator[Finding]:
    """Yield whether the clock is synchronized, and not behind what is stored."""
    cure = "Synchronize the clock with NTP, such as with `timedatectl set-ntp true`."
    now = wall_clock()
    ahead_ms = Uptime(patient.redis).record(now).at - now if patient.redis else 0
    if ahead_ms > MAX_AHEAD_MS:
        text = f"The clock is {ahead_ms // 1000} s behind the last heartbeat of the service."
        yield Finding("clock", "fail", text, cure)
    elif ask_synchronized() == "no":
        yield Finding("clock", "warn", "The clock is not synchronized.", cure)
    else:
        yield Finding("clock", "ok", "The clock is not behind the store.")


def ask_synchronized() -> str:
    """Return what systemd says about the clock: `yes`, `no`, or nothing."""
    program = shutil.which("timedatectl")
    if program is None:
        return ""
    command = [program, "show", "-p", "NTPSynchronized", "--value"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)  # noqa: S603 - of the system
    except subprocess.TimeoutExpired:
        return ""
    return said.stdout.strip()
