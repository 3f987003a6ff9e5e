"""A painter: a process that draws pictures, since drawing blocks its interpreter.

It receives drawings through a pipe and ends when the other end closes, so that it never outlives
its parent, not even after `kill -9`.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
import traceback
import weakref
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

from setproctitle import setproctitle

import domain.games  # noqa: F401 - what is drawn: no picture waits until it is loaded
from service.drawing.pictures.inputs import Drawing, draw_picture
from service.runtime.errors import PaintersBusy

PACKAGE_FOLDER = str(Path(__file__).resolve().parents[3])
"""The folder that a painter imports our packages from."""
MAX_DRAWING_S = 30.0
"""A picture takes half a second; a painter that takes this long hangs or is stopped."""
MAX_START_S = 120.0
"""Loading takes a second of a processor, which many processes may share."""
STOP_WAIT_S = 0.5
NICENESS = 10  # moves take priority over pictures
READY, DONE, FAILED = b"", b"+", b"-"


class DrawingFailed(Exception):
    """The code that draws raised an error: its traceback and type, without values."""

    is_safe_to_log = True


class Process(Protocol):
    """The process of a painter, a child of this one."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended. Raises TimeoutExpired after so many seconds."""
        ...

    def kill(self) -> None:
        """End it at once."""
        ...


class Painter:
    """A process that draws one picture at a time. It starts with the first drawing, unless it runs
    already, and again if it has ended.
    """

    def __init__(self) -> None:
        self._pipe: Connection | None = None
        self._loading_until = 0.0
        """Until when the process may load what it needs; 0 once it has."""
        self._finalize: Callable[[], object] = lambda: None

    @classmethod
    def running(cls, process: Process, pipe: Connection) -> Painter:
        """Return the painter of a process that draws what arrives through a pipe."""
        painter = cls()
        painter._use(process, pipe)
        return painter

    def draw(self, drawing: Drawing) -> bytes:
        """Return the picture. Raises DrawingFailed, or PaintersBusy if the process ends
        or hangs.
        """
        job = pickle.dumps(drawing)
        for _ in range(2):  # if the process was killed, a new one can draw it
            with suppress(EOFError, OSError):
                return _picture_in(self._request(job))
            self.stop()
        raise PaintersBusy("The process that draws pictures ended too early.")

    def stop(self) -> None:
        """End the process; the next drawing starts another."""
        self._finalize()
        self._pipe, self._loading_until = None, 0.0

    def _request(self, job: bytes) -> bytes:
        pipe = self._pipe or self._start()
        if self._loading_until:
            self._await_start(pipe)
        pipe.send_bytes(job)
        if not pipe.poll(MAX_DRAWING_S):
            self.stop()
            raise PaintersBusy("This picture took too long.")
        return pipe.recv_bytes()

    def _await_start(self, pipe: Connection) -> None:
        """Wait until the process has loaded everything. It goes on with that if this takes longer
        than a caller waits: on a machine with too much work, one killed meanwhile would be followed
        by another that has to begin again.
        """
        if not pipe.poll(MAX_DRAWING_S):
            if time.monotonic() > self._loading_until:
                self.stop()
            raise PaintersBusy("The process that draws pictures is still starting.")
        pipe.recv_bytes()
        self._loading_until = 0.0

    def _start(self) -> Connection:
        ours, theirs = Pipe()
        with theirs:
            process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-m", __name__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": PACKAGE_FOLDER},
            )
        self._use(process, ours)
        self._loading_until = time.monotonic() + MAX_START_S
        return ours

    def _use(self, process: Process, pipe: Connection) -> None:
        self._pipe = pipe
        self._finalize = weakref.finalize(self, _stop, process, pipe)


def _stop(process: Process, pipe: Connection) -> None:
    pipe.close()  # then it ends, unless it is drawing or stopped
    try:
        process.wait(STOP_WAIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _picture_in(answer: bytes) -> bytes:
    if answer.startswith(FAILED):
        raise DrawingFailed(answer[1:].decode())
    return answer[1:]


def serve(pipe: Connection) -> None:
    """Draw what arrives until the other end closes, at a low priority."""
    os.nice(NICENESS)
    with suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(_run_job(pipe.recv_bytes()))


def _run_job(job: bytes) -> bytes:
    try:
        return DONE + draw_picture(pickle.loads(job))  # noqa: S301 - from the process that started us
    except Exception as error:
        where = "".join(traceback.format_tb(error.__traceback__))
        return FAILED + f"{where}{type(error).__qualname__}".encode()


def main() -> None:
    """Run a painter on the pipe that the command line names. Until it is ready it has the priority
    of its parent.
    """
    setproctitle("annals painter")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    pipe = Connection(int(sys.argv[1]))
    with suppress(OSError):
        pipe.send_bytes(READY)
    serve(pipe)


if __name__ == "__main__":
    main()
