"""The parent of all processes: forks them, forks again what ends, and stops all in order.

It has no thread, no event loop and no connection, so that every child starts clean.
"""

from __future__ import annotations

import dataclasses
import logging
import mmap
import os
import signal
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from service.runtime.logs import rotate_logs
from service.runtime.process_memory import memory_above_mb
from workers.host.children.exits import (
    describe_exit,
    describe_restart,
    ended_children,
    has_failed,
    kill_group,
)
from workers.host.children.forks import Closable, fork
from workers.host.errors import CannotRun, say
from workers.host.redis.last_words import last_message, log_end
from workers.host.signals import SignalQueue

STOP_S = 4.0
"""How long the processes of one rank have to end at shutdown, before they are killed."""
TICK_S = 2.0
"""How often the supervisor looks at heartbeats and the sizes of logs."""
FIRST_PAUSE_S, MAX_PAUSE_S = 0.1, 30.0
"""Pauses before a process that has ended is forked again; each is twice the one before."""
STEADY_S, REASON_S = 60.0, 3600.0
"""A process that ran this long has no failures to its name when it ends. If it ends by the same
error as the last time, it takes the longer time.
"""
HANG_S = START_S = 60.0
"""A process with a heartbeat that falls silent, or has not begun to beat, for this long is killed
and forked again.
"""
BEAT_S = 0.1
"""How often a process with a heartbeat beats."""
MAX_EXITS = 3
"""How often a process may end before the service is up; then the service gives up."""
MAX_ENDING_S = 300.0
"""How long a process may go on that was asked to end because of its memory: longer than work."""
MEMORY_INTERVAL_S = 20.0
"""How often the supervisor looks at the memory of processes."""
KEEPER_RANK, REDIS_RANK, PROGRAM_RANK, WEB_RANK = range(4)
"""The ranks of processes. The keeper is asked to end first and ends last."""
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
    def is_silent(self) -> bool:
        """Whether the process has not beaten for too long."""
        return self.age_s > (HANG_S if self.has_begun else START_S)

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
    reason: str = ""  # why it ended with an error the last time; empty if it did not
    due: float = 0.0  # when it may be forked again (monotonic clock)
    log_start: int = 0  # how long its log was when it started (bytes)
    kill_reason: str = ""  # why the supervisor ends it, if it does
    outgrown_at: float = 0.0
    """When it was asked to end because of the memory that it takes (monotonic clock); 0 if not."""


@dataclass(slots=True)
class Supervisor:
    """Keeps programs running until a signal."""

    programs: Sequence[Program]
    signals: SignalQueue
    log: logging.Logger
    logs: Path | None = None
    """The folder of the logs of all children; without it they write where the parent does."""
    log_mb: int = 30
    """How much of each log is kept."""
    sockets: Sequence[Closable] = ()
    private: Sequence[Closable] = ()
    """What no child may hold."""
    max_mb: int = 0
    """How much memory of its own a process may take, besides Redis and the keeper; 0: no limit."""
    messages: int | None = None
    """A pipe on which the keeper says that the service is up, or why it has to stop."""
    on_reload: Callable[[], None] | None = None
    on_restart: Callable[[str, str], None] = lambda name, reason: None
    """Records that a process has ended and is started again, and why."""
    children: dict[str, Child] = field(default_factory=dict)
    leaving: Sequence[Child] = ()
    """Those that are asked to end."""
    retiring: dict[str, Child] = field(default_factory=dict)
    """After a reload, the processes of before."""
    has_terminal: bool = False
    """Whether SIGHUP means that a terminal has been closed."""
    memory_due: float = 0.0
    """When to look at the memory of all processes again (monotonic clock)."""
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
        """Take over running processes, by process id: those of these programs stay, and all others
        retire.
        """
        now, staying = time.monotonic(), {program.name: program for program in programs}
        for name, pid in children.items():
            if name in staying:
                self.children[name] = Child(staying[name], pid, now)
            else:
                self.retiring[name] = Child(Program(name, print, rank=1), pid, now)

    def replace_retiring(self) -> None:
        """Replace the processes of before by those of all programs, one after another.

        A new web process serves before its predecessor ends. If it does not start, the predecessor
        stays.
        """
        for program in self.programs:
            if not self.stopping and program.name not in self.children:
                self.replace(program, self.retiring.get(program.name))
                self.look()
        if not self.stopping:
            self.end(list(self.retiring.values()))

    def replace(self, program: Program, old: Child | None) -> None:
        """Start a program, and end its process of before."""
        if old and not program.heartbeat:  # two of them would be in each other's way
            self.end([old], at_once=program.rank == KEEPER_RANK)
        self.start([program])
        child = self.children[program.name]
        if not old or not program.heartbeat:
            return
        if self.comes_up(child):
            self.end([old])
        elif not self.stopping:
            say(f"{program.name} does not start: {self.last_words(child)}")
            self.end([child], at_once=True)
            unwatched = dataclasses.replace(program, heartbeat=None)
            # The old process beats into memory of the old code, so no one can watch it.
            self.children[program.name] = Child(unwatched, old.pid)
            del self.retiring[program.name]

    def comes_up(self, child: Child) -> bool:
        """Wait until a process beats; return whether it does."""
        beat = child.program.heartbeat
        assert beat
        while child.pid and not (beat.has_begun or beat.is_silent or self.stopping):
            self.handle(self.signals.next(BEAT_S))
            self.reap()
        return bool(child.pid) and beat.has_begun

    def fork(self, child: Child) -> None:
        """Fork the process of a program, or try again later if the system has no room for it."""
        program = child.program
        if program.heartbeat:
            program.heartbeat.reset()
        held = [*self.private, self.signals, *(() if program.serves else self.sockets)]
        log = self.logs / f"{program.name}.log" if self.logs and not program.on_console else None
        child.started, child.outgrown_at, child.kill_reason = time.monotonic(), 0.0, ""
        child.log_start = log_end(log) if log else 0
        try:
            child.pid = fork(program.name, program.main, log, held)
        except OSError as error:
            self.report_exit(child, f"cannot be forked: {error.strerror}")
        else:
            self.log.info("started %s (process %d)", program.name, child.pid)

    def run(self) -> None:
        """Keep what has started running until a signal, then stop it. Raises CannotRun."""
        while not self.stopping:
            self.handle(self.signals.next(self.pause_s()))
            if not self.stopping:
                self.look()
        if self.reason:
            self.stop()
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
        elif number == signal.SIGHUP and self.has_terminal:
            self.stopping = True  # the terminal has been closed
        elif number in (signal.SIGHUP, signal.SIGUSR2) and self.on_reload:
            self.on_reload()
        elif number == signal.SIGUSR1:
            self.read_messages()

    def look(self) -> None:
        """Find what has ended or hangs, fork what is due, and rotate logs."""
        self.reap()
        now = time.monotonic()
        if self.messages is None:  # without a keeper, the first web process says so
            beats = (child.program.heartbeat for child in self.children.values())
            self.up = self.up or any(beat and beat.has_begun for beat in beats)
        for child in self.children.values():
            beat = child.program.heartbeat
            if child.pid and beat and beat.is_silent:
                child.kill_reason = f"has not answered for {beat.age_s:.0f} s"
                say(f"{child.program.name} {child.kill_reason} and is killed.")
                kill_group(child.pid)
                beat.reset()
            elif not child.pid and child.due <= now:
                self.fork(child)
        if self.max_mb and now >= self.memory_due:
            self.memory_due = now + MEMORY_INTERVAL_S
            self.end_outgrown(now)
        if self.logs:
            rotate_logs(self.logs, self.log_mb * 1_000_000)

    def end_outgrown(self, now: float) -> None:
        """Ask a process that takes too much memory to end after its current work, one at a time; it
        is forked again. One that does not end is killed. One that has just started stays, because
        its successor would be as large.
        """
        ending = [one for one in self.children.values() if one.pid and one.outgrown_at]
        for child in ending:
            if now - child.outgrown_at > MAX_ENDING_S:
                say(f"{child.program.name} does not end and is killed.")
                kill_group(child.pid)
        for child in () if ending else self.children.values():
            is_steady = child.pid and now - child.started > STEADY_S
            if child.program.rank < PROGRAM_RANK or not is_steady:
                continue
            if used := memory_above_mb(child.pid, self.max_mb):
                child.kill_reason = f"takes {used:.0f} MB (ANNALS_PROCESS_MB)"
                say(f"{child.program.name} {child.kill_reason}: it has to end.")
                child.outgrown_at = now
                self.signal([child])
                return

    def reap(self) -> None:
        """Report every child that has ended."""
        for pid, status in ended_children():
            for child in [*self.children.values(), *self.retiring.values(), *self.leaving]:
                if child.pid == pid:
                    child.pid = 0
                    self.report_exit(child, describe_exit(status), failed=has_failed(status))

    def report_exit(self, child: Child, how: str, *, failed: bool = False) -> None:
        """Plan the next start of a child that has ended; stop all if it keeps ending at first."""
        name, now = child.program.name, time.monotonic()
        self.log.info("exited: %s (%s)", name, how)
        if self.stopping or child in self.leaving or child in self.retiring.values():
            return
        before, child.reason = child.reason, self.reason_of(child) if failed else ""
        repeated = child.reason and child.reason == before
        steady = now - child.started > (REASON_S if repeated else STEADY_S)
        child.failures = 1 if steady else child.failures + 1
        pause = min(MAX_PAUSE_S, FIRST_PAUSE_S * 2 ** (child.failures - 1))
        child.due = now + pause
        self.on_restart(name, child.kill_reason or ": ".join(filter(None, (how, child.reason))))
        if child.failures.bit_count() == 1:  # after 1, 2, 4, 8 ... failures
            say(describe_restart(name, how, child.failures, pause, child.reason))
        if child.failures == MAX_EXITS and not self.up:
            self.give_up(f"{name} does not start: {self.last_words(child)}")

    def last_words(self, child: Child) -> str:
        """Return the last message of a child that has ended, and where it is."""
        reason = self.reason_of(child)
        return f"{reason} (more in {self.logs}/{child.program.name}.log)" if reason else "see above"

    def reason_of(self, child: Child) -> str:
        """Return the last message of a child; empty if it is on the console, or there is none."""
        if not self.logs or child.program.on_console:
            return ""
        return last_message(self.logs / f"{child.program.name}.log", child.log_start)

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
        children = [*self.retiring.values(), *self.children.values()]
        running = sorted(children, key=lambda child: -child.program.rank)
        self.signal([child for child in running if child.program.rank == KEEPER_RANK])
        for rank, peers in groupby(running, key=lambda child: child.program.rank):
            self.end(list(peers), signalled=rank == KEEPER_RANK)

    def signal(self, children: Sequence[Child]) -> None:
        """Ask children to end."""
        for child in children:
            if child.pid:
                with suppress(ProcessLookupError):
                    os.kill(child.pid, signal.SIGTERM)

    def end(
        self, children: Sequence[Child], *, signalled: bool = False, at_once: bool = False
    ) -> None:
        """End children, within STOP_S and if necessary by force."""
        self.leaving = children
        if not signalled:
            self.signal(children)
        deadline = time.monotonic() + (0 if at_once else STOP_S)
        while any(child.pid for child in children) and time.monotonic() < deadline:
            self.wait_for_exit(deadline - time.monotonic())
        while left := [child.pid for child in children if child.pid]:
            for pid in left:
                kill_group(pid)
            self.wait_for_exit(BEAT_S)

    def wait_for_exit(self, seconds: float) -> None:
        """Wait until a child ends, and report it."""
        self.signals.await_child(seconds)
        self.reap()
