"""Processes that are killed at a step of their work."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

import pytest

CHANGES = {
    "chmod", "chown", "close", "copy_file_range", "fchmod", "flock", "flush", "fork", "fork_exec",
    "fsync", "ftruncate", "link", "mkdir", "mkfifo", "open", "posix_fallocate", "posix_spawn",
    "pwrite", "pwritev", "remove", "rename", "replace", "rmdir", "send", "sendall", "sendfile",
    "sendmsg", "sendto", "symlink", "truncate", "unlink", "utime", "write", "writelines", "writev",
}  # fmt: skip
"""The functions by which Python changes files, sends something or starts a process."""


def killing(patch: pytest.MonkeyPatch, owner: Any, name: str, after: bool, time: int) -> None:
    """Kill the process at a step, before or after it."""
    real, calls = getattr(owner, name), list[int]()

    def step(*args: Any, **more: Any) -> Any:
        calls.append(1)
        if len(calls) == time and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        outcome = real(*args, **more)
        if len(calls) == time and after:
            os.kill(os.getpid(), signal.SIGKILL)
        return outcome

    patch.setattr(owner, name, step)


def run_in_child(work: Callable[[], object]) -> int:
    """Run `work` in a child process; returns the signal that ended it, 0 if it completed.

    The child always exits here: it must not continue with the tests of its parent.
    """
    if not (child := os.fork()):
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0, "it failed, see above"
    return os.WTERMSIG(status)


def count_changes(work: Callable[[], object]) -> int:
    """How often `work`, in a child, changes a file, sends something or starts a process."""
    reading, writing = os.pipe()

    def counting() -> None:
        changes = list[int]()
        _watch_changes(work, lambda: changes.append(1))
        os.write(writing, str(len(changes)).encode())

    try:
        assert run_in_child(counting) == 0
        return int(os.read(reading, 20))
    finally:
        os.close(reading)
        os.close(writing)


def kill_before_change(work: Callable[[], object], number: int) -> bool:
    """Run `work` in a child and kill it right before its change with this number, from 1; returns
    whether it came so far.
    """
    changes = count(1)

    def kill_in_time() -> None:
        if next(changes) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return run_in_child(lambda: _watch_changes(work, kill_in_time)) == signal.SIGKILL


def draw_changes(work: Callable[[], object], most: int) -> Iterator[int]:
    """Draw numbers of changes before which to kill `work`: all of them if they are at most `most`,
    otherwise the first, the last and others by a fixed seed.
    """
    total = count_changes(work)
    some = Random(7).sample(range(2, total), min(most, total) - 2)
    yield from sorted({1, *some, total})


def _watch_changes(work: Callable[[], object], before: Callable[[], object]) -> None:
    """Run `work`, and call `before` ahead of each of its changes, in all its threads."""

    def look(_: object, event: str, function: Any) -> None:
        if event == "c_call" and function.__name__ in CHANGES:
            before()

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
