"""Programs kept running by supervisord, which restarts what ends and stops all in order."""

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

from service.runtime.logs import log_to
from service.runtime.settings import Settings
from workers.host.die_with_parent import LEADER, dying_with_parent
from workers.host.disk_guard import keep_room
from workers.host.errors import CannotRun, say, writable
from workers.host.high_water_mark import keep_notes
from workers.host.redis_server import last_line
from workers.host.stale_processes import MARK
from workers.host.truncated_tail import CutEnd

ROOT = Path(__file__).resolve().parents[2]
SAID = re.compile(r"[-\d]+ [:,\d]+ (?P<level>[A-Z]+) (?P<what>.*)")
ENDED = re.compile(r"exited: (?P<name>\S+) \((?P<how>.*); (not )?expected\)")
LEVELS = {"CRIT": logging.CRITICAL, "ERRO": logging.ERROR, "WARN": logging.WARNING}
STRIKES = 3  # a program may end this many times before the service is up
READY_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Program:
    """A program to keep running; those of a higher rank start later and stop earlier."""

    name: str
    command: Sequence[str]
    rank: int
    count: int = 1


@dataclass(slots=True)
class Watch:
    """What is known of a run while it lasts."""

    keeper: subprocess.Popen[str]
    logs: Path
    cut_end: CutEnd
    trouble: str = ""
    up: threading.Event = field(default_factory=threading.Event)
    stopping: threading.Event = field(default_factory=threading.Event)
    ended: Counter[str] = field(default_factory=Counter)
    unasked: set[str] = field(default_factory=set)

    def stop(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        """Have everything stopped, in order."""
        self.stopping.set()
        self.keeper.terminate()

    def give_up(self, trouble: str) -> None:
        """Have everything stopped, for a reason that is told at the end."""
        self.trouble = self.trouble or trouble
        self.stop()


def supervise(settings: Settings, programs: Sequence[Program], environ: Mapping[str, str]) -> None:
    """Keep these programs running until a signal comes."""
    config = settings.data / "supervisor.conf"
    with writable(settings.data):
        config.write_text("\n".join(configuration(settings.data, programs)))
        log = log_to(settings.data / "log" / "supervisor.log", settings.log_level)
    cut_end = CutEnd(settings.data / "redis", settings.data / "log" / "redis.log")
    keeper = subprocess.Popen(  # noqa: S603 - our own command
        dying_with_parent(
            os.getpid(), sys.executable, "-m", "supervisor.supervisord", "-n", "-c", str(config)
        ),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**environ, "ANNALS_DATA": str(settings.data), MARK: str(settings.data)},
        start_new_session=True,  # Ctrl-C reaches us alone, so that all is stopped in order
    )
    watch = Watch(keeper, settings.data / "log", cut_end)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, watch.stop)
    threading.Thread(target=announce, args=(settings, watch), daemon=True).start()
    if settings.owns_redis:
        threading.Thread(target=keep_room, args=(settings, watch.stopping), daemon=True).start()
    threading.Thread(
        target=keep_notes, args=(settings, watch.stopping, watch.give_up), daemon=True
    ).start()
    follow(watch, log)
    conclude(watch)


def configuration(data: Path, programs: Sequence[Program]) -> Iterator[str]:
    """The lines that tell supervisord what to keep running."""
    yield "[supervisord]"
    yield from options(
        user=os.getuid(),
        minfds=256,
        logfile="/dev/null",  # what it says on its output is logged by us
        logfile_maxbytes=0,
        pidfile=data / "supervisor.pid",
    )
    for program in programs:
        yield from section(data, program)
    for rank, peers in groupby(programs, key=lambda program: program.rank):
        yield f"[group:rank{rank}]"
        yield from options(programs=",".join(peer.name for peer in peers), priority=rank)


def section(data: Path, program: Program) -> Iterator[str]:
    """One program, started again for ever, a little later after each failure."""
    number = "-%(process_num)s" if program.count > 1 else ""
    yield f"[program:{program.name}]"
    yield from options(
        command=shlex.join(dying_with_parent(LEADER, *program.command)),
        directory=ROOT,
        numprocs=program.count,
        autorestart="true",
        startretries=1_000_000_000,  # supervisord has no word for ever
        stopwaitsecs=3,
        killasgroup="true",
        redirect_stderr="true",
        stdout_logfile_maxbytes="10MB",
        stdout_logfile_backups=2,
    )
    yield f"process_name={program.name}{number}"
    yield f"stdout_logfile={escaped(data / 'log' / program.name)}{number}.log"


def options(**values: object) -> Iterator[str]:
    """Lines of a section."""
    for name, value in values.items():
        yield f"{name}={escaped(value)}"


def escaped(value: object) -> str:
    """A value in which supervisord finds nothing to expand."""
    return str(value).replace("%", "%%")


def follow(watch: Watch, log: logging.Logger) -> None:
    """Log and tell what happens, until supervisord has stopped."""
    assert watch.keeper.stdout
    for line in watch.keeper.stdout:
        if not (said := SAID.match(line)):
            note_unasked(watch, line)
            continue
        log.log(LEVELS.get(said["level"], logging.INFO), said["what"])
        if ended := ENDED.match(said["what"]):
            note_end(watch, ended["name"], ended["how"])
        elif said["level"] == "CRIT":
            say(line.rstrip())


def note_unasked(watch: Watch, line: str) -> None:
    """Tell once what supervisord says outside its log, such as why it cannot write those of others;
    not where in its code that came up.
    """
    if not line.startswith((" ", "Traceback")) and line not in watch.unasked:
        watch.unasked.add(line)
        say(line.rstrip())


def note_end(watch: Watch, name: str, how: str) -> None:
    """Say that a program ended; stop everything if it keeps ending before the service is up."""
    if watch.stopping.is_set():
        return
    say(f"{name} ended ({how}) and is started again")
    watch.ended[name] += 1
    if watch.ended[name] == STRIKES and not watch.up.is_set():
        log = watch.logs / f"{name}.log"
        watch.give_up(f"{name} does not start: {last_line(log)} (more in {log})")


def announce(settings: Settings, watch: Watch) -> None:
    """Say where the service is, once it answers."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 - no bind
    url = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
    deadline = time.monotonic() + READY_SECONDS
    while not is_ready(f"{url}/readyz"):
        if watch.stopping.wait(0.1):
            return
        if time.monotonic() > deadline:
            say(f"Not ready yet; what goes on is in {settings.data / 'log'}")
            deadline = float("inf")
    watch.up.set()
    for sentence in watch.cut_end.sentences():
        say(f"Note: {sentence}")
    say(f"Annals runs at {url} - docs at {url}/docs - Ctrl-C stops it")


def is_ready(url: str) -> bool:
    """Whether the service says that it is ready."""
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310 - our own http URL
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def conclude(watch: Watch) -> None:
    """Say how it ended: stopped as asked, or why it could not run."""
    code = watch.keeper.wait()
    assert watch.keeper.stdout
    watch.keeper.stdout.close()
    if watch.trouble:
        raise CannotRun(watch.trouble)
    if not watch.stopping.is_set():
        raise CannotRun(f"supervisord ended by itself (code {code}); everything is stopped.")
    say("Annals has stopped.")
