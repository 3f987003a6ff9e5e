"""A painter: a process that draws pictures, since drawing one holds its interpreter.

It is given drawings through a pipe and ends when the other end is closed, so that it outlives
nobody who started it, not even after a `kill -9`.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import traceback
import weakref
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection

import domain.games  # noqa: F401 - what is drawn: no picture waits until it is loaded
from service.drawing.pictures.inputs import Drawing, drawn
from service.runtime.errors import PaintersBusy

DRAWING_S = 30.0
"""A picture takes half a second; whoever takes so long has been stopped, or never ends."""
PATIENCE_S = 0.5
NICE = 10  # pictures wait for moves, and not the other way round
DONE, FAILED = b"+", b"-"


class DrawingFailed(Exception):
    """The code that draws raised an error: where, and of which kind, but with no values."""

    telling = True


class Painter:
    """A process that draws one picture at a time: started when there is something to draw, unless
    it was before, and again if it has ended.
    """

    def __init__(self) -> None:
        self._pipe: Connection | None = None
        self._end: Callable[[], object] = lambda: None

    def get_ready(self) -> None:
        """Start the process now, so that the first picture need not wait for it."""
        self._pipe = self._pipe or self._start()

    def draw(self, drawing: Drawing) -> bytes:
        """The picture. Raises DrawingFailed, or PaintersBusy if the process ends or hangs."""
        job = pickle.dumps(drawing)
        for _ in range(2):  # somebody may have ended the process: then another one can do it
            with suppress(EOFError, OSError):
                return _picture(self._answer(job))
            self.dismiss()
        raise PaintersBusy("The process that draws pictures ended before it was done.")

    def dismiss(self) -> None:
        """End the process; the next drawing starts another."""
        self._end()
        self._pipe = None

    def _answer(self, job: bytes) -> bytes:
        pipe = self._pipe or self._start()
        pipe.send_bytes(job)
        if not pipe.poll(DRAWING_S):
            self.dismiss()
            raise PaintersBusy("This picture took too long.")
        return pipe.recv_bytes()

    def _start(self) -> Connection:
        ours, theirs = Pipe()
        with theirs:
            process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-m", __name__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        self._pipe = ours
        self._end = weakref.finalize(self, _dismiss, process, ours)
        return ours


def _dismiss(process: subprocess.Popen[bytes], pipe: Connection) -> None:
    pipe.close()  # then it ends by itself, unless it is drawing, or has been stopped
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _picture(answer: bytes) -> bytes:
    if answer.startswith(FAILED):
        raise DrawingFailed(answer[1:].decode())
    return answer[1:]


def serve(pipe: Connection) -> None:
    """Draw what comes until nobody is at the other end."""
    with suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(_attempt(pipe.recv_bytes()))


def _attempt(job: bytes) -> bytes:
    try:
        return DONE + drawn(pickle.loads(job))  # noqa: S301 - from the process that started us
    except Exception as error:
        where = "".join(traceback.format_tb(error.__traceback__))
        return FAILED + f"{where}{type(error).__qualname__}".encode()


def main() -> None:
    """Be a painter, with the pipe that the command line names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started us
    os.nice(NICE)
    serve(Connection(int(sys.argv[1])))


if __name__ == "__main__":
    main()
