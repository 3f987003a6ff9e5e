"""Starts `annals` commands by forking a process that has imported everything already.

Imports take most of the processor time of a short command, and half of that of a service that
starts.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import chdir, suppress
from importlib import import_module
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Self

from service.runtime.metrics_folder import metrics_folder, share_metrics
from service.runtime.settings import BadSetting, read_settings
from tests.support.patience import PATIENCE_S
from workers.cli import main

ROOT = Path(__file__).resolve().parents[2]
STDOUT, STDERR = 1, 2
COVERAGE = "COVERAGE_PROCESS_CONFIG"
"""With this variable in the environment, coverage also measures programs; it would miss forks."""


class WarmProcess:
    """A running `annals` command, used like `subprocess.Popen`; or another function in its place.

    Without files for its output, both standard output and error are in `stdout`.
    """

    stdout: IO[bytes] | None = None

    def __init__(
        self,
        words: Sequence[str],
        environ: Mapping[str, str],
        stdout: int = subprocess.PIPE,
        stderr: int = subprocess.STDOUT,
        main: Callable[[Sequence[str]], None] = main,
    ) -> None:
        reading = None
        if stdout == subprocess.PIPE:
            reading, stdout = os.pipe()
            self.stdout = os.fdopen(reading, "rb")
        if stderr == subprocess.STDOUT:
            stderr = stdout
        with _connection(stdout) as out, _connection(stderr) as err:
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(["tests.support.imported"])
            with chdir(ROOT):  # where it finds them
                forkserver.ensure_running()
            self._process = context.Process(
                target=_run, args=(main, words, dict(environ), out, err)
            )
            self._process.start()
        if reading is not None:
            os.close(stdout)
        assert self._process.pid
        self.pid = self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.stdout:
            self.stdout.close()
        self.wait()

    @property
    def returncode(self) -> int | None:
        """The exit code, or minus the signal that ended it; None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """The exit code; None while it runs."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once it has ended."""
        self._process.join(timeout)
        if self.returncode is None:
            raise TimeoutError(f"process {self.pid} still runs")
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


Process = WarmProcess | subprocess.Popen[bytes]


def start_command(
    words: Sequence[str],
    environ: Mapping[str, str],
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.STDOUT,
) -> Process:
    """Start an `annals` command; in a program of its own if coverage is measured."""
    start = start_program if COVERAGE in os.environ else WarmProcess
    return start(words, environ, stdout, stderr)


def start_program(
    words: Sequence[str],
    environ: Mapping[str, str],
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.STDOUT,
) -> subprocess.Popen[bytes]:
    """Start an `annals` command as an operator does."""
    return subprocess.Popen(
        [sys.executable, "-m", "workers.cli", *words],
        cwd=ROOT, env=environ, stdout=stdout, stderr=stderr,
    )  # fmt: skip


def start_module(name: str, environ: Mapping[str, str]) -> Process:
    """Start a module that has a function `main`, likewise."""
    if COVERAGE not in os.environ:
        return WarmProcess((), environ, main=import_module(name).main)
    return subprocess.Popen(
        [sys.executable, "-m", name],
        cwd=ROOT, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def run_command(
    words: Sequence[str], environ: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """What an `annals` command prints, once it has ended."""
    with TemporaryFile() as stdout, TemporaryFile() as stderr:
        process = start_command(words, environ, stdout.fileno(), stderr.fileno())
        try:
            code = process.wait(PATIENCE_S)
        finally:
            process.kill()
        return subprocess.CompletedProcess(list(words), code, _text_of(stdout), _text_of(stderr))


def _connection(file: int) -> Connection:
    """The file in a form that can be sent to another process."""
    copy = os.open(os.devnull, os.O_WRONLY) if file == subprocess.DEVNULL else os.dup(file)
    return Connection(copy, readable=False)


def _text_of(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


def _run(
    main: Callable[[Sequence[str]], None],
    words: Sequence[str],
    environ: Mapping[str, str],
    stdout: Connection,
    stderr: Connection,
) -> None:
    """Run the command in this process, as `python -m workers.cli` would."""
    for connection, number in ((stdout, STDOUT), (stderr, STDERR)):
        os.dup2(connection.fileno(), number)
        connection.close()
    os.environ.clear()
    os.environ.update(environ)
    sys.orig_argv = [sys.executable, "-m", "workers.cli", *words]
    os.chdir(ROOT)
    with suppress(BadSetting, OSError):
        share_metrics(metrics_folder(read_settings(os.environ).data))
    try:
        main(words)
    except Exception:
        sys.excepthook(*sys.exc_info())
        sys.exit(1)
