"""Starts a program that ends with its parent, even after `kill -9`.

On Linux the kernel sends the signal; elsewhere this only starts the program. The caller names its
process id, because a parent that ends early has already been replaced as our parent.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """End this process as soon as its parent ends; at once if it has ended already."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(1)


def dying_with_parent(parent: int, *command: str) -> list[str]:
    """Return the command line that runs `command` so that it ends with `parent`."""
    return [sys.executable, "-I", __file__, str(parent), *command]


if __name__ == "__main__":
    die_with_parent(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 - the caller names the program
