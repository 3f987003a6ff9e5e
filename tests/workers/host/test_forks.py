"""Forked processes share memory, and nothing else of their parent."""

from __future__ import annotations

import asyncio
import os
import random
import secrets
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import sleep

import msgspec
import pytest

from service.runtime.event_loop import start_turn
from service.runtime.logs import configure_logs
from service.runtime.metrics_folder import metrics_folder
from service.runtime.random_bytes import random_id
from tests.support.patience import eventually
from tests.support.warm_start import WarmProcess
from tests.support.whole_service import LEAN, Service, cold_service
from tests.workers.host.children import warmed_up
from workers.host.children.forks import STDOUT, fork
from workers.host.folder_lock import LOCK_FILE
from workers.host.redis.last_words import last_message

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists open files")


def answer_of(child: Callable[[], object], **options: object) -> object:
    """What a function returns in a forked child."""
    reading, writing = os.pipe()

    def main() -> None:
        os.write(writing, msgspec.json.encode(child()))

    pid = fork("child", main, **options)  # type: ignore[arg-type]
    os.close(writing)
    with open(reading, "rb") as pipe:
        found = pipe.read()
    os.waitpid(pid, 0)
    return msgspec.json.decode(found)


def name_folder() -> str:
    with TemporaryDirectory() as name:
        return name


@pytest.mark.parametrize(
    "draw",
    [
        lambda: random_id().hex(),
        lambda: random.random(),  # noqa: TID251 - libraries draw from it
        lambda: secrets.token_hex(8),
        name_folder,
    ],
    ids=["ids", "random", "secrets", "temporary folders"],
)
def test_no_two_processes_draw_the_same(draw: Callable[[], object]) -> None:
    draw()  # so that there is a pool
    drawn = [answer_of(draw), answer_of(draw), draw()]
    assert len(set(map(str, drawn))) == 3


def test_a_child_leads_a_group_in_the_session_of_its_parent() -> None:
    """Nice values mean something only within a session."""
    session = os.getsid(0)
    assert answer_of(lambda: [os.getsid(0) == session, os.getpgrp() == os.getpid()]) == [True, True]


def test_a_child_waits_for_no_signal_of_its_parent() -> None:
    def handlers() -> list[bool]:
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [])
        ignored = signal.getsignal(signal.SIGTTOU) == signal.SIG_IGN  # it may write to a terminal
        return [signal.getsignal(signal.SIGHUP) == signal.SIG_DFL, not blocked, ignored]

    previous = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    try:
        assert answer_of(handlers) == [True, True, True]
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


def test_a_child_closes_what_only_its_parent_may_hold(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as lock:
        assert answer_of(lambda: lock.closed, not_inherited=[lock]) is True
        assert answer_of(lambda: lock.closed) is False
        assert not lock.closed


@pytest.mark.parametrize(("end", "code"), [(SystemExit("no"), 1), (SystemExit(3), 3)])
def test_the_parent_learns_how_a_child_ended(tmp_path: Path, end: SystemExit, code: int) -> None:
    def main() -> None:
        os.write(STDOUT, b"last words")
        raise end

    _, status = os.waitpid(fork("child", main, tmp_path / "log"), 0)
    assert os.waitstatus_to_exitcode(status) == code
    assert (tmp_path / "log").read_text() == "last words"


def test_a_child_that_has_no_handler_yet_ends_in_order() -> None:
    for _ in range(20):  # at several moments of its start
        pid = fork("child", partial(sleep, TOO_LONG_S))
        os.kill(pid, signal.SIGTERM)
        _, status = os.waitpid(pid, 0)
        assert os.waitstatus_to_exitcode(status) == 0


TOO_LONG_S = 20
"""How long a process goes on whose thread has ended."""


def crash() -> None:
    raise OSError("no room")


def crash_in_thread() -> None:
    Thread(target=crash).start()
    sleep(TOO_LONG_S)


def crash_in_turn() -> None:
    async def wait() -> None:
        start_turn(crash)
        await asyncio.sleep(TOO_LONG_S)

    asyncio.run(wait())


@pytest.mark.parametrize("work", [crash_in_thread, crash_in_turn])
def test_a_thread_that_ends_by_an_error_ends_its_process(
    tmp_path: Path, work: Callable[[], None]
) -> None:
    def main() -> None:
        configure_logs("info")
        work()

    _, status = os.waitpid(fork("child", main, tmp_path / "log"), 0)
    assert os.waitstatus_to_exitcode(status) == 1
    assert last_message(tmp_path / "log") == "thread_crashed: OSError: no room"


@pytest.mark.slow
def test_what_is_prepared_before_the_fork_leaves_no_greenlet_loop_or_connection(
    tmp_path: Path,
) -> None:
    environ = {**os.environ, "ANNALS_DATA": str(tmp_path), "ANNALS_SIZE": "medium"}
    with WarmProcess((), environ, main=warmed_up.main) as process:
        assert process.stdout
        assert process.stdout.read().decode().splitlines() == ["1"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("forks")
    settings = {**LEAN, "ANNALS_WEB_PROCESSES": "2", "ANNALS_WEBHOOKS": "1"}
    with cold_service(folder, **settings) as service:
        service.sign_up("Ada")
        service.call("POST", "/v1/matches", {"game": "qin", "seats": [{"bot": "li_mu"}] * 2})
        yield service


def forked(service: Service) -> dict[int, str]:
    """The forked children, with their titles."""
    kinds = {kind: pids for kind, pids in service.processes().items() if "redis" not in kind}
    return {pid: kind for kind, pids in kinds.items() for pid in pids if kind != "queue"}


def open_files(pid: int) -> Iterator[str]:
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # it has just been closed
            yield os.readlink(link)


def test_only_web_processes_share_a_socket_and_only_the_one_that_listens(service: Service) -> None:
    sockets = Counter(
        file
        for pid in (service.process.pid, *forked(service))
        for file in {*open_files(pid)}
        if file.startswith("socket:")
    )
    [shared] = [file for file, holders in sockets.items() if holders > 1]
    holders = {kind for pid, kind in forked(service).items() if shared in open_files(pid)}
    assert holders == {"web"}
    assert sockets[shared] == 3  # the parent and two web processes


def test_the_parent_has_no_thread_no_event_loop_and_no_connection(service: Service) -> None:
    parent = service.process.pid
    files = Counter(file.partition(":")[0] for file in open_files(parent))
    assert (files["socket"], files["anon_inode"]) == (1, 0), "it only listens"
    assert len(os.listdir(f"/proc/{parent}/task")) == 1


def test_each_web_process_has_a_painter_that_draws_and_is_followed_by_another(
    service: Service,
) -> None:
    eventually(lambda: service.call("GET", "/v1/matches")[1]["matches"])  # once they are listed
    match = service.call("GET", "/v1/matches")[1]["matches"][0]
    first = service.processes()["painter"]
    assert len(first) == len(service.processes()["web"])
    assert service.picture(f"/v1/matches/{match['id']}/board.png?width=300")
    assert service.processes()["painter"] == first
    for pid in first:
        os.kill(pid, signal.SIGKILL)
    assert service.picture(f"/v1/matches/{match['id']}/board.png?width=301")


def test_no_child_holds_the_lock_of_the_data(service: Service) -> None:
    lock = str(service.data / LOCK_FILE)
    assert lock in open_files(service.process.pid)
    assert [kind for pid, kind in forked(service).items() if lock in open_files(pid)] == []


def test_each_process_writes_to_metrics_of_its_own(service: Service) -> None:
    folder = metrics_folder(service.data)
    writers = {
        pid: [file for file in open_files(pid) if file.endswith(".db")] for pid in forked(service)
    }
    files = [(pid, file) for pid, of_one in writers.items() for file in of_one]
    assert files
    for pid, file in files:
        assert Path(file).parent == folder
        assert file.endswith(f"_{pid}.db")


def test_a_child_has_the_modules_of_its_parent(service: Service) -> None:
    """Whatever a child imports alone takes memory in each of them."""
    shared = {Path(file).name for file in mapped(service.process.pid)}
    for pid, kind in forked(service).items():
        assert {Path(file).name for file in mapped(pid)} - shared == set(), kind


def mapped(pid: int) -> Iterator[str]:
    """The compiled modules that a process has loaded."""
    with closing(Path(f"/proc/{pid}/maps").open()) as maps:
        yield from (line.split()[-1] for line in maps if line.rstrip().endswith(".so"))


def test_a_child_whose_log_cannot_be_opened_writes_nothing_to_the_console(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "none" / "log"
    _, status = os.waitpid(fork("child", lambda: os.write(STDOUT, b"a line"), log), 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert capfd.readouterr() == ("", "")
