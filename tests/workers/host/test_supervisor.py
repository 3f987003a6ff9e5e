"""The supervisor keeps everything running, and stops everything."""

import errno
import http.client
import logging
import os
import re
import signal
import socket
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from service.runtime.settings import BadSetting, read_settings
from tests.support.patience import PATIENCE_S, eventually
from tests.support.ports import free_port
from tests.support.warm_start import Process, run_command, start_module
from tests.workers.host.children import small_service
from workers.host import supervisor as supervising
from workers.host.errors import CannotRun
from workers.host.keeper import is_ready
from workers.host.reload import ask_to_reload, fixed_values, refuse_changes
from workers.host.supervisor import Child, Program, Supervisor
from workers.host.web import listen

ROOT = Path(__file__).resolve().parents[3]
NAMES = ("redis", "keeper", "worker-0", "worker-1", "web")


class Running:
    """A small service under the real supervisor."""

    def __init__(self, data: Path, **settings: str) -> None:
        self.data = data
        self.port = free_port()
        self.process = launch(data, self.port, **settings)
        self.said = []
        for line in self.lines():
            self.said.append(line)
            if line.startswith("Annals runs at"):
                break

    def lines(self) -> Iterator[str]:
        """What it prints from now on."""
        return map(bytes.decode, self.process.stdout)

    def get(self, path: str) -> str:
        with urllib.request.urlopen(
            f"http://127.0.0.1:{self.port}{path}", timeout=PATIENCE_S
        ) as answer:
            return answer.read().decode()

    def pid(self, name: str) -> int:
        log = (self.data / "log" / "supervisor.log").read_text()
        return int(re.findall(rf"started {name} \(process (\d+)\)", log)[-1])

    def pids(self) -> list[int]:
        return [self.pid(name) for name in NAMES]

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        self.said += self.lines()
        return self.process.wait(PATIENCE_S)


def launch(data: Path, port: int, **settings: str) -> Process:
    return start_module(small_service.NAME, environ_of(data, port) | settings)


def output_of(process: Process) -> str:
    """All that a process prints until it ends."""
    with process:
        return process.stdout.read().decode()


def environ_of(data: Path, port: int) -> dict[str, str]:
    own = {"PYTHONPATH": str(ROOT), "ANNALS_DATA": str(data), "ANNALS_PORT": str(port)}
    return {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ} | own


@contextmanager
def running(data: Path, **settings: str):
    service = Running(data, **settings)
    try:
        yield service
    finally:
        if service.process.poll() is None:
            service.stop()
        service.process.stdout.close()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()


def test_killed_programs_restart_with_the_same_data(tmp_path):
    with running(tmp_path) as service:
        assert service.get("/count") == "1"
        assert not is_ready(f"127.0.0.1:{service.port}")  # for another run than this one
        for already, name in enumerate(["redis", "worker-0", "web", "redis"], start=1):
            old = service.pid(name)
            os.kill(old, signal.SIGKILL)
            eventually(lambda old=old, name=name: service.pid(name) != old)
            eventually(lambda already=already: service.get("/count") == str(already + 1))
        assert service.stop() == 0
    assert "redis ended (terminated by SIGKILL) and is restarted\n" in service.said


def test_ctrl_c_stops_everything_and_the_next_run_continues(tmp_path):
    with running(tmp_path) as service:
        assert service.get("/count") == "1"
        streams = [open_stream(service.port) for _ in range(5)]
        pids = service.pids()
        assert service.stop() == 0
        for stream in streams:
            stream.close()
    assert not [pid for pid in pids if is_alive(pid)]
    assert service.said[-1] == "Annals has stopped.\n"
    with running(tmp_path) as service:
        assert service.get("/count") == "2"
    notes = [line for line in service.said if line.startswith("Note: ")]  # of ports of other tests
    assert len(service.said) - len(notes) == 2


def test_the_start_names_a_folder_that_cannot_be_written_and_serves(tmp_path):
    with running(tmp_path, ANNALS_TLOG=str(Path(__file__) / "log")) as service:
        assert service.get("/count") == "1"
        assert service.stop() == 0
    cure = "move that file away, or choose another folder with ANNALS_TLOG."
    assert f"Note: ANNALS_TLOG: {__file__} is no folder: {cure}\n" in service.said


def open_stream(port: int) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    connection.request("GET", "/stream")
    stream = connection.getresponse()
    assert stream.readline() == b": still here\n"
    connection.close()
    return stream


def test_code_that_does_not_start_is_not_reloaded(tmp_path):
    with running(tmp_path, NEW_CODE="broken") as service:
        before = service.pids()
        ask_to_reload(read_settings({"ANNALS_DATA": str(tmp_path)}))
        said = next(line for line in service.lines() if not line.startswith("Note: "))
        assert said == "Nothing is reloaded: the new code does not start: it has a mistake\n"
        assert service.pids() == before
        assert service.get("/count") == "1"


def test_a_web_process_stays_if_the_new_one_does_not_start(tmp_path):
    with running(tmp_path, NEW_WEB="broken", HANG_S="1") as service:
        before = service.pids()
        ask_to_reload(read_settings({"ANNALS_DATA": str(tmp_path)}))
        said = next(line for line in service.lines() if line.startswith("web does"))
        assert said.startswith("web does not start: the web server has no idea what to do")
        for count in range(1, 30):  # longer than a process may be silent
            assert service.get("/count") == str(count)
            time.sleep(0.1)
        assert is_alive(before[NAMES.index("web")])
        assert service.stop() == 0


def test_a_service_that_is_asked_to_stop_during_a_reload_stops_in_order(tmp_path):
    with running(tmp_path) as service:
        pids = service.pids()
        ask_to_reload(read_settings({"ANNALS_DATA": str(tmp_path)}))
        assert service.stop() == 0
        assert service.said[-1] == "Annals has stopped.\n"
        assert not [pid for pid in pids if is_alive(pid)]


def test_a_closed_terminal_stops_the_service():
    supervisor = supervisor_of("worker")
    supervisor.handle(signal.SIGHUP)
    assert not supervisor.stopping
    supervisor.has_terminal = True
    supervisor.handle(signal.SIGHUP)
    assert supervisor.stopping


def test_a_process_that_cannot_be_forked_is_tried_again(monkeypatch):
    def fork(*_):
        raise BlockingIOError(errno.EAGAIN, "no room")

    monkeypatch.setattr(supervising, "fork", fork)
    supervisor, before = supervisor_of("worker"), time.monotonic()
    supervisor.start(supervisor.programs)
    child = supervisor.children["worker"]
    assert (child.pid, child.failures) == (0, 1)
    assert child.due >= before + supervising.FIRST_PAUSE_S


def test_a_reload_refuses_settings_that_cannot_change_while_a_service_runs():
    before = read_settings({"ANNALS_PORT": "8123"})
    for changed in ({"ANNALS_PORT": "8124"}, {"ANNALS_PORT": "8123", "REDIS_URL": "redis://a"}):
        with pytest.raises(BadSetting, match=r"can't change while the service runs: start it ag"):
            refuse_changes(read_settings(changed), msgspec.json.encode(fixed_values(before)))
    same = read_settings({"ANNALS_PORT": "8123", "ANNALS_RATE": "1"})
    refuse_changes(same, msgspec.json.encode(fixed_values(before)))


def test_no_service_to_reload_is_one_sentence(tmp_path):
    with pytest.raises(CannotRun, match=f"No service runs with the data in {tmp_path}"):
        ask_to_reload(read_settings({"ANNALS_DATA": str(tmp_path)}))


def supervisor_of(*names):
    programs = [Program(name, print, rank=2) for name in names]
    return Supervisor(programs, None, logging.getLogger("nothing"))


def test_pauses_grow_until_a_process_is_steady(monkeypatch):
    now, supervisor = [0.0], supervisor_of()
    monkeypatch.setattr(supervising.time, "monotonic", lambda: now[0])
    child, pauses, recorded = Child(Program("worker", print, rank=2)), [], []
    supervisor.up, supervisor.on_restart = True, lambda *restart: recorded.append(restart)
    for _ in range(11):
        supervisor.report_exit(child, "killed")
        pauses.append(round(child.due - now[0], 1))
    assert pauses == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30]
    assert recorded == [("worker", "killed")] * 11
    now[0] += supervising.STEADY_S + 1
    supervisor.report_exit(child, "killed")
    assert round(child.due - now[0], 1) == 0.1


def test_an_error_that_comes_again_and_again_is_named_and_pauses_grow(
    monkeypatch, tmp_path, capsys
):
    now, supervisor = [0.0], supervisor_of()
    monkeypatch.setattr(supervising.time, "monotonic", lambda: now[0])
    supervisor.up, supervisor.logs = True, tmp_path
    child, pauses = Child(Program("export", print, rank=2)), []
    (tmp_path / "export.log").write_text(
        '{"level":"critical","event":"process_crashed","exception":"at\\nOSError: no room"}\n'
    )
    for _ in range(5):
        now[0] = child.started = child.due
        now[0] += supervising.STEADY_S + 1
        supervisor.report_exit(child, "exit status 1", failed=True)
        pauses.append(round(child.due - now[0], 1))
    assert pauses == [0.1, 0.2, 0.4, 0.8, 1.6]
    assert capsys.readouterr().out.splitlines() == [
        "export ended (exit status 1) and is restarted: process_crashed: OSError: no room",
        "export ended 2 times in a row (exit status 1) and is restarted: process_crashed: OSError:"
        " no room",
        "export ended 4 times in a row (exit status 1) and is restarted: process_crashed: OSError:"
        " no room",
    ]
    (tmp_path / "export.log").write_text("another reason\n")
    child.started = now[0] = child.due
    now[0] += supervising.STEADY_S + 1
    supervisor.report_exit(child, "exit status 1", failed=True)
    assert child.failures == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children with their parent")
def test_nothing_outlives_a_killed_supervisor(tmp_path):
    with running(tmp_path) as service:
        pids = service.pids()
        os.kill(service.process.pid, signal.SIGKILL)
        eventually(lambda: not any(map(is_alive, pids)))
        assert service.process.wait(PATIENCE_S) != 0


def test_a_second_run_on_the_same_data_is_refused(tmp_path):
    with running(tmp_path) as service:
        second = launch(tmp_path, free_port())
        assert "Annals is already running" in output_of(second)
        assert second.returncode == 1
        assert service.get("/count") == "1"


def test_a_program_that_cannot_start_stops_the_rest_and_says_why(tmp_path):
    service = launch(tmp_path, free_port(), WEB="broken")
    said = output_of(service).splitlines()
    assert service.returncode == 1
    assert said[-1].startswith("web does not start: the web server has no idea what to do")


def refusal(data: Path, port: int = 8000, **settings: str) -> str:
    """The single line that `annals run` prints before it exits."""
    command = run_command(["run"], environ_of(data, port) | settings)
    said = command.stdout + command.stderr
    assert command.returncode == 1
    assert len(said.splitlines()) == 1
    return said


def test_a_port_in_use_is_one_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"Cannot listen on 127.0.0.1:{port}" in refusal(tmp_path, port)


def test_one_service_listens_on_a_port_before_it_starts_its_processes():
    """A second one that starts at the same time does not take its port."""
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(CannotRun, match=f"Cannot listen on 127.0.0.1:{port}"):
            listen("127.0.0.1", port)
        socket.create_connection(("127.0.0.1", port), PATIENCE_S).close()


@pytest.mark.parametrize("host", ["192.0.2.1", "no host"])
def test_an_address_of_another_machine_is_one_sentence(tmp_path, host):
    said = refusal(tmp_path, free_port(), ANNALS_HOST=host)
    assert said.startswith(f"Cannot listen on {host}:")
    assert said.endswith("set ANNALS_HOST to an address of this machine.\n")


def test_an_invalid_witness_is_one_sentence(tmp_path):
    said = refusal(tmp_path, free_port(), ANNALS_TLOG_WITNESSES="key url")
    assert said.startswith("ANNALS_TLOG_WITNESSES: 'key url' is not a witness.")


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    assert "choose another folder with ANNALS_DATA" in refusal(tmp_path / "file" / "var")
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "redis").touch()
    said = refusal(tmp_path / "var", free_port())
    assert said.startswith(f"Cannot write in {tmp_path}/var/redis (")
    assert said.count("\n") == 1


@pytest.mark.parametrize("url", ["localhost", "http://localhost", "redis://x:99999", "unix://"])
def test_an_invalid_redis_url_is_one_sentence(tmp_path, url):
    assert "REDIS_URL is not the URL of a Redis" in refusal(tmp_path, REDIS_URL=url)


def test_a_redis_url_with_an_unknown_option_is_one_sentence(tmp_path):
    said = refusal(tmp_path, free_port(), REDIS_URL="redis://127.0.0.1:1/0?foo=1")
    assert said == "The URL of a Redis has unknown options: foo.\n"


def test_a_missing_redis_is_one_sentence(tmp_path):
    said = refusal(tmp_path, free_port(), REDIS_URL="redis://:secret@127.0.0.1:1/0")
    assert said == "REDIS_URL: no Redis answers at 127.0.0.1:1; is it running?\n"


def test_a_wrong_password_is_one_sentence(tmp_path, redis_url):
    wrong = redis_url.replace("unix://", "unix://nobody:secret@")
    said = refusal(tmp_path, free_port(), REDIS_URL=wrong)
    assert "rejects the user name or password" in said
    assert "secret" not in said


def test_a_bad_setting_is_one_sentence(tmp_path):
    assert refusal(tmp_path, ANNALS_RATE="many") == (
        "ANNALS_RATE must be a whole number, not 'many'.\n"
    )
