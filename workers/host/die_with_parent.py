"""Starts a program that cannot outlive whoever started it, not even after a `kill -9`.

Linux sends the signal; elsewhere this only starts the program. The parent is told by number, since
one that ends before we ask has been replaced as our parent already.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
LEADER = 0
"""Stands for the parent that leads our session, for whoever cannot know its number yet."""


def die_with_parent(parent: int) -> None:
    """End this process as soon as this process, its parent, ends; at once if it has ended."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != (parent or os.getsid(0)):
        sys.exit(1)


def dying_with_parent(parent: int, *command: str) -> list[str]:
    """The command line that runs this command so that it ends with this process, its parent."""
    return [sys.executable, "-I", __file__, str(parent), *command]


if __name__ == "__main__":
    die_with_parent(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 - the caller names the program
