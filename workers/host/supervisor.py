"""Keeps programs running with supervisord, which restarts what ends and stops all in order."""

import logging
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from types import FrameType

from service.runtime.logs import file_logger
from service.runtime.settings import Settings
from workers.host.die_with_parent import LEADER, dying_with_parent
from workers.host.disk_guard import guard_disk
from workers.host.errors import CannotRun, say, writable
from workers.host.high_water_mark import keep_mark
from workers.host.redis_server import last_line
from workers.host.stale_processes import RUN_VARIABLE
from workers.host.truncated_tail import TruncatedTail

ROOT = Path(__file__).resolve().parents[2]
LOG_LINE = re.compile(r"[-\d]+ [:,\d]+ (?P<level>[A-Z]+) (?P<what>.*)")
EXIT_MESSAGE = re.compile(r"exited: (?P<name>\S+) \((?P<how>.*); (not )?expected\)")
LEVELS = {"CRIT": logging.CRITICAL, "ERRO": logging.ERROR, "WARN": logging.WARNING}
MAX_EXITS = 3  # number of exits before the service is up that stop it
READY_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Program:
    """A program to keep running; programs of a higher rank start later and stop earlier."""

    name: str
    command: Sequence[str]
    rank: int
    count: int = 1


@dataclass(slots=True)
class RunState:
    """The state of a run."""

    supervisord: subprocess.Popen[str]
    logs: Path
    truncated_tail: TruncatedTail
    reason: str = ""
    up: threading.Event = field(default_factory=threading.Event)
    stopping: threading.Event = field(default_factory=threading.Event)
    exits: Counter[str] = field(default_factory=Counter)
    other_messages: set[str] = field(default_factory=set)

    def stop(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        """Stop everything in order."""
        self.stopping.set()
        self.supervisord.terminate()

    def give_up(self, reason: str) -> None:
        """Stop everything, for a reason that is shown at the end."""
        self.reason = self.reason or reason
        self.stop()


def supervise(settings: Settings, programs: Sequence[Program], environ: Mapping[str, str]) -> None:
    """Keep these programs running until a signal."""
    config = settings.data / "supervisor.conf"
    with writable(settings.data):
        config.write_text("\n".join(configuration(settings.data, programs)))
        log = file_logger(settings.data / "log" / "supervisor.log", settings.log_level)
    truncated_tail = TruncatedTail(settings.data / "redis", settings.data / "log" / "redis.log")
    supervisord = subprocess.Popen(  # noqa: S603 - our own command
        dying_with_parent(
            os.getpid(), sys.executable, "-m", "supervisor.supervisord", "-n", "-c", str(config)
        ),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**environ, "ANNALS_DATA": str(settings.data), RUN_VARIABLE: str(settings.data)},
        start_new_session=True,  # Ctrl-C reaches only us, so all stops in order
    )
    state = RunState(supervisord, settings.data / "log", truncated_tail)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, state.stop)
    threading.Thread(target=announce_address, args=(settings, state), daemon=True).start()
    if settings.owns_redis:
        threading.Thread(target=guard_disk, args=(settings, state.stopping), daemon=True).start()
    threading.Thread(
        target=keep_mark, args=(settings, state.stopping, state.give_up), daemon=True
    ).start()
    follow_output(state, log)
    report_stop(state)


def configuration(data: Path, programs: Sequence[Program]) -> Iterator[str]:
    """Yield the lines of the configuration of supervisord."""
    yield "[supervisord]"
    yield from options(
        user=os.getuid(),
        minfds=256,
        logfile="/dev/null",  # we log its output
        logfile_maxbytes=0,
        pidfile=data / "supervisor.pid",
    )
    for program in programs:
        yield from section(data, program)
    for rank, peers in groupby(programs, key=lambda program: program.rank):
        yield f"[group:rank{rank}]"
        yield from options(programs=",".join(peer.name for peer in peers), priority=rank)


def section(data: Path, program: Program) -> Iterator[str]:
    """Yield the section of a program: it is restarted for ever, a little later after
    each failure.
    """
    number = "-%(process_num)s" if program.count > 1 else ""
    yield f"[program:{program.name}]"
    yield from options(
        command=shlex.join(dying_with_parent(LEADER, *program.command)),
        directory=ROOT,
        numprocs=program.count,
        autorestart="true",
        startretries=1_000_000_000,  # there is no value for "unlimited"
        stopwaitsecs=3,
        killasgroup="true",
        redirect_stderr="true",
        stdout_logfile_maxbytes="10MB",
        stdout_logfile_backups=2,
    )
    yield f"process_name={program.name}{number}"
    yield f"stdout_logfile={escape(data / 'log' / program.name)}{number}.log"


def options(**values: object) -> Iterator[str]:
    """Yield the lines of a section."""
    for name, value in values.items():
        yield f"{name}={escape(value)}"


def escape(value: object) -> str:
    """Return a value in which supervisord expands nothing."""
    return str(value).replace("%", "%%")


def follow_output(state: RunState, log: logging.Logger) -> None:
    """Log and print what happens, until supervisord has stopped."""
    assert state.supervisord.stdout
    for line in state.supervisord.stdout:
        if not (entry := LOG_LINE.match(line)):
            report_other(state, line)
            continue
        log.log(LEVELS.get(entry["level"], logging.INFO), entry["what"])
        if ended := EXIT_MESSAGE.match(entry["what"]):
            report_exit(state, ended["name"], ended["how"])
        elif entry["level"] == "CRIT":
            say(line.rstrip())


def report_other(state: RunState, line: str) -> None:
    """Print each message once that supervisord writes outside its log, such as why it cannot write
    a log file; tracebacks are left out.
    """
    if not line.startswith((" ", "Traceback")) and line not in state.other_messages:
        state.other_messages.add(line)
        say(line.rstrip())


def report_exit(state: RunState, name: str, how: str) -> None:
    """Print that a program has ended; stop all if it keeps ending before the service is up."""
    if state.stopping.is_set():
        return
    say(f"{name} ended ({how}) and is restarted")
    state.exits[name] += 1
    if state.exits[name] == MAX_EXITS and not state.up.is_set():
        log = state.logs / f"{name}.log"
        state.give_up(f"{name} does not start: {last_line(log)} (more in {log})")


def announce_address(settings: Settings, state: RunState) -> None:
    """Print the address of the service once it answers."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 - no bind
    url = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
    deadline = time.monotonic() + READY_SECONDS
    while not is_ready(f"{url}/readyz"):
        if state.stopping.wait(0.1):
            return
        if time.monotonic() > deadline:
            say(f"Not ready yet; see the logs in {settings.data / 'log'}")
            deadline = float("inf")
    state.up.set()
    for sentence in state.truncated_tail.describe():
        say(f"Note: {sentence}")
    say(f"Annals runs at {url} - docs at {url}/docs - Ctrl-C stops it")


def is_ready(url: str) -> bool:
    """Return whether the service is ready."""
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310 - our own http URL
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def report_stop(state: RunState) -> None:
    """Print that the service has stopped. Raises CannotRun if it was not asked to."""
    code = state.supervisord.wait()
    assert state.supervisord.stdout
    state.supervisord.stdout.close()
    if state.reason:
        raise CannotRun(state.reason)
    if not state.stopping.is_set():
        raise CannotRun(f"supervisord ended unexpectedly (code {code}); everything is stopped.")
    say("Annals has stopped.")
