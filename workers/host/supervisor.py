"""The parent of all processes: forks them, forks again what ends, and stops all in order.

It has no thread, no event loop and no connection, so that every child starts clean.
"""

from __future__ import annotations

import logging
import mmap
import os
import signal
import struct
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from service.runtime.logs import MAX_FILE_BYTES
from workers.host.errors import CannotRun, say
from workers.host.forks import Closable, fork
from workers.host.redis.server import last_line
from workers.host.signals import SignalQueue

STOP_S = 4.0
"""How long the processes of one rank have to end at shutdown, before they are killed."""
TICK_S = 2.0
"""How often the supervisor looks at heartbeats and the sizes of logs."""
FIRST_PAUSE_S, MAX_PAUSE_S = 0.1, 30.0
"""Pauses before a process that has ended is forked again; each is twice the one before."""
STEADY_S = 60.0
"""A process that ran this long has no failures to its name when it ends."""
HANG_S = 60.0
"""A process with a heartbeat that is silent for this long is killed and forked again."""
BEAT_S = 0.1
"""How often a process with a heartbeat beats."""
MAX_EXITS = 3
"""How often a process may end before the service is up; then the service gives up."""
BACKUPS = 2
"""How many older logs of each process are kept."""
UP = "up"
"""The message of the keeper that the service answers."""


class Heartbeat:
    """A time that a child writes and its parent reads, in memory that both share."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, 16)
        self.reset()

    def reset(self) -> None:
        """Start again, before the process does."""
        now = time.monotonic()
        self._shared[:] = struct.pack("dd", now, now)

    def beat(self) -> None:
        """Say that this process is alive."""
        self._shared[8:] = struct.pack("d", time.monotonic())

    @property
    def age_s(self) -> float:
        """Seconds since the last beat, or since the process started."""
        return time.monotonic() - self._times[1]

    @property
    def has_begun(self) -> bool:
        """Whether the process has beaten since it started."""
        start, beat = self._times
        return beat > start

    @property
    def _times(self) -> tuple[float, float]:
        start, beat = struct.unpack("dd", self._shared)
        return start, beat


@dataclass(frozen=True, slots=True)
class Program:
    """A process to keep running. Those of a higher rank start later and stop earlier.

    `main` runs in a child. With a heartbeat it beats at least once in HANG_S; `serves` is whether
    it keeps the sockets of the parent.
    """

    name: str
    main: Callable[[], None]
    rank: int
    heartbeat: Heartbeat | None = None
    serves: bool = False
    on_console: bool = False


@dataclass(slots=True, eq=False)
class Child:
    """The process of a program: running if it has a process id."""

    program: Program
    pid: int = 0
    started: float = 0.0
    failures: int = 0
    due: float = 0.0
    """When it may be forked again (monotonic clock)."""


@dataclass(slots=True)
class Supervisor:
    """Keeps programs running until a signal."""

    programs: Sequence[Program]
    signals: SignalQueue
    log: logging.Logger
    logs: Path | None = None
    """The folder of the logs of all children; without it they write where the parent does."""
    sockets: Sequence[Closable] = ()
    private: Sequence[Closable] = ()
    """What no child may hold."""
    messages: int | None = None
    """A pipe on which the keeper says that the service is up, or why it has to stop."""
    on_reload: Callable[[], None] | None = None
    children: dict[str, Child] = field(default_factory=dict)
    leaving: Sequence[Child] = ()
    """Those that are asked to end."""
    up: bool = False
    stopping: bool = False
    reason: str = ""

    def start(self, programs: Sequence[Program]) -> None:
        """Fork these programs, in this order."""
        for program in programs:
            child = self.children.setdefault(program.name, Child(program))
            child.program = program
            if not child.pid:
                self.fork(child)

    def adopt(self, programs: Sequence[Program], children: Mapping[str, int]) -> None:
        """Take over the running processes of these programs, by process id."""
        for program in programs:
            pid, now = children.get(program.name, 0), time.monotonic()
            self.children[program.name] = Child(program, pid, now)

    def replace(self, old: Mapping[str, int]) -> None:
        """Start all programs, and end their old processes one after another, so that others answer
        meanwhile. If a new process does not start, the old one stays.
        """
        left = {name: pid for name, pid in old.items() if name not in self.children}
        for program in self.programs:
            pid = left.pop(program.name, 0)
            self.start([program])
            child = self.children[program.name]
            if pid and not self.comes_up(child):
                say(f"{program.name} does not start: {self.last_words(child)}")
                kill_group(child.pid) if child.pid else None
                child.pid = pid
            elif pid:
                self.end([Child(program, pid)])
        self.end([Child(Program(name, print, 1), pid) for name, pid in left.items()])

    def comes_up(self, child: Child) -> bool:
        """Wait until a process beats; returns whether it does."""
        beat = child.program.heartbeat
        while beat and child.pid and not beat.has_begun and beat.age_s < HANG_S:
            self.wait_for_exit(BEAT_S)
        return bool(child.pid)

    def fork(self, child: Child) -> None:
        """Fork the process of a program."""
        program = child.program
        if program.heartbeat:
            program.heartbeat.reset()
        held = [*self.private, *(() if program.serves else self.sockets)]
        log = self.logs / f"{program.name}.log" if self.logs and not program.on_console else None
        child.pid, child.started = fork(program.name, program.main, log, held), time.monotonic()
        self.log.info("started %s (process %d)", program.name, child.pid)

    def run(self) -> None:
        """Keep what has started running until a signal, then stop it. Raises CannotRun."""
        while not self.stopping:
            self.handle(self.signals.next(self.pause_s()))
            if not self.stopping:
                self.look()
        self.stop()
        if self.reason:
            raise CannotRun(self.reason)

    def pause_s(self) -> float:
        """Return for how many seconds nothing has to be done."""
        now = time.monotonic()
        waits = [child.due - now for child in self.children.values() if not child.pid]
        return max(0.0, min([TICK_S, *waits]))

    def handle(self, number: int) -> None:
        """Do what a signal asks for."""
        if number in (signal.SIGINT, signal.SIGTERM):
            self.stopping = True
        elif number == signal.SIGHUP and os.isatty(0):
            self.stopping = True  # the terminal has been closed
        elif number in (signal.SIGHUP, signal.SIGUSR2) and self.on_reload:
            self.on_reload()
        elif number == signal.SIGUSR1:
            self.read_messages()

    def look(self) -> None:
        """Find what has ended or hangs, fork what is due, and rotate logs."""
        self.reap()
        now = time.monotonic()
        for child in self.children.values():
            beat = child.program.heartbeat
            if child.pid and beat and beat.age_s > HANG_S:
                say(f"{child.program.name} has not answered for {HANG_S:.0f} s and is killed.")
                kill_group(child.pid)
                beat.reset()
            elif not child.pid and child.due <= now:
                self.fork(child)
        if self.logs:
            rotate_logs(self.logs)

    def reap(self) -> None:
        """Report every child that has ended."""
        for pid, status in ended_children():
            for child in [*self.children.values(), *self.leaving]:
                if child.pid == pid:
                    child.pid = 0
                    self.report_exit(child, status)

    def report_exit(self, child: Child, status: int) -> None:
        """Plan the next start of a child that has ended; stop all if it keeps ending at first."""
        name, now = child.program.name, time.monotonic()
        how = describe_exit(status)
        self.log.info("exited: %s (%s)", name, how)
        if self.stopping or child in self.leaving:
            return
        steady = now - child.started > STEADY_S
        child.failures = 1 if steady else child.failures + 1
        child.due = now + min(MAX_PAUSE_S, FIRST_PAUSE_S * 2 ** (child.failures - 1))
        say(f"{name} ended ({how}) and is restarted")
        if child.failures == MAX_EXITS and not self.up:
            self.give_up(f"{name} does not start: {self.last_words(child)}")

    def last_words(self, child: Child) -> str:
        """Return the last message of a child that has ended."""
        if not self.logs or child.program.on_console:
            return "see above"
        log = self.logs / f"{child.program.name}.log"
        return f"{last_line(log)} (more in {log})"

    def read_messages(self) -> None:
        """Read what the keeper says."""
        assert self.messages is not None
        with suppress(BlockingIOError):
            for line in os.read(self.messages, 65_536).decode().splitlines():
                if line == UP:
                    self.up = True
                else:
                    self.give_up(line)

    def give_up(self, reason: str) -> None:
        """Stop everything, for a reason that is shown at the end."""
        self.reason = self.reason or reason
        self.stopping = True

    def stop(self) -> None:
        """Stop all programs, the highest rank first. Rank 0 gets its signal first and ends last."""
        self.stopping = True
        for one in self.sockets:
            one.close()
        running = sorted(self.children.values(), key=lambda child: -child.program.rank)
        self.signal([child for child in running if child.program.rank == 0])
        for rank, peers in groupby(running, key=lambda child: child.program.rank):
            self.end(list(peers), signalled=rank == 0)

    def signal(self, children: Sequence[Child]) -> None:
        """Ask children to end."""
        for child in children:
            if child.pid:
                with suppress(ProcessLookupError):
                    os.kill(child.pid, signal.SIGTERM)

    def end(self, children: Sequence[Child], *, signalled: bool = False) -> None:
        """End children, within STOP_S and if necessary by force."""
        self.leaving = children
        if not signalled:
            self.signal(children)
        deadline = time.monotonic() + STOP_S
        while any(child.pid for child in children) and time.monotonic() < deadline:
            self.wait_for_exit(deadline - time.monotonic())
        for child in children:
            if child.pid:
                kill_group(child.pid)
        while any(child.pid for child in children):
            self.wait_for_exit(TICK_S)

    def wait_for_exit(self, seconds: float) -> None:
        """Wait until a child ends, and report it."""
        self.signals.await_child(seconds)
        self.reap()


def ended_children() -> Iterator[tuple[int, int]]:
    """Yield process id and status of each child that has ended."""
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            yield found


def kill_group(pid: int) -> None:
    """Kill a child and what it has started."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def describe_exit(status: int) -> str:
    """Return how a process ended."""
    code = os.waitstatus_to_exitcode(status)
    return f"exit status {code}" if code >= 0 else f"terminated by {signal.Signals(-code).name}"


def rotate_logs(folder: Path) -> None:
    """Move the contents of logs of 10 MB to older files.

    Children keep their files open, so the contents move and the files stay.
    """
    for log in folder.glob("*.log"):
        with suppress(OSError):
            if log.stat().st_size >= MAX_FILE_BYTES:
                shift_backups(log)
                log.with_name(f"{log.name}.1").write_bytes(log.read_bytes())
                os.truncate(log, 0)


def shift_backups(log: Path) -> None:
    """Rename older logs: what was `.1` is `.2`, and what was the oldest is gone."""
    for number in range(BACKUPS, 1, -1):
        with suppress(FileNotFoundError):
            log.with_name(f"{log.name}.{number - 1}").replace(log.with_name(f"{log.name}.{number}"))
