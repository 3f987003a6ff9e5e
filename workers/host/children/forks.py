"""Forks processes from a warm one, which has imported everything and filled the caches.

A child shares the memory of all that. It inherits no connection, thread or event loop, because the
parent has none. What only the parent may hold, such as its lock, the child closes.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from setproctitle import setproctitle

from workers.host.die_with_parent import die_with_parent
from workers.host.signals import block_signals, reset_signals, unblock_signals

STDOUT, STDERR = 1, 2


class Closable(Protocol):
    """Something open that belongs to the parent."""

    def close(self) -> None:
        """Close it in this process."""
        ...


def fork(
    name: str,
    main: Callable[[], None],
    log: Path | None = None,
    not_inherited: Iterable[Closable] = (),
) -> int:
    """Run `main` in a child process and return its id. The child writes to the log, if given.

    Call this only in a process without threads: a lock that another thread holds would stay locked
    in the child for ever.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    block_signals()  # the child would take them for the parent's
    try:
        pid = os.fork()
    except OSError:
        unblock_signals()
        raise
    if pid:
        unblock_signals()
        return pid
    code = 1
    try:
        _prepare_child(name, log, parent, not_inherited)
        main()
        code = 0
    except SystemExit as end:
        code = _exit_code(end)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)  # the parent's clean-up is not for the child
    raise AssertionError("the child has ended")


def _prepare_child(
    name: str, log: Path | None, parent: int, not_inherited: Iterable[Closable]
) -> None:
    die_with_parent(parent)
    # Ctrl-C reaches only the parent, which stops its children in order. No session of its own:
    # between sessions the kernel shares processors evenly, whatever the nice values are.
    os.setpgid(0, 0)
    if log:
        _write_to(log)
    for one in not_inherited:
        one.close()
    reset_signals()
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # it may write to the terminal all the same
    setproctitle(f"annals {name}")
    gc.enable()


def _write_to(log: Path) -> None:
    """Connect the standard output and error to this file, which is appended to. On a disk that
    can't be written, the process runs without a log: the console is for the operator.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    try:
        file = os.open(log, flags, 0o600)
    except OSError:
        file = os.open(os.devnull, os.O_WRONLY)
    os.dup2(file, STDOUT)
    os.dup2(file, STDERR)
    os.close(file)


def _exit_code(end: SystemExit) -> int:
    if isinstance(end.code, str):
        sys.stderr.write(f"{end.code}\n")
    return end.code if isinstance(end.code, int) else int(end.code is not None)
