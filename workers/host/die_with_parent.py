"""Starts a program that cannot outlive whoever started it, not even after a `kill -9`.

Linux sends the signal; elsewhere this only starts the program.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """End this process as soon as its parent ends."""
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended while we asked
        sys.exit(1)


def dying_with_parent(*command: str) -> list[str]:
    """The command line that runs this command so that it ends with whoever starts it."""
    return [sys.executable, "-I", __file__, *command]


if __name__ == "__main__":
    die_with_parent()
    os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606 - the caller names the program
