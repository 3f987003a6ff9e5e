"""`annals doctor` names what is wrong, and the cure."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from email.message import Message
from importlib.metadata import version
from itertools import count, repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from redis import Redis

from service.accounts.house import House
from service.accounts.operators import Operators
from service.matches.container import wall_clock
from service.runtime.settings import read_settings
from service.store.backup_state import BackupState, write_state
from service.store.store_format import VERSION_KEY, program_id
from service.store.uptime import UPTIME_KEY, UptimeRecord
from service.tlog.folder import CHECKPOINT, Folder
from tests.support.stub_proxy import Stub, stub
from workers.host.folder_lock import hold_folder
from workers.tools.doctor import address, machine, places, store
from workers.tools.doctor.command import doctor, show
from workers.tools.doctor.finding import Patient

UNREACHABLE = (
    "http://127.0.0.1:1", "http://nowhere.invalid", "https://a..example.org", "https://[::1",
    "https://x:abc",
)  # fmt: skip


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    """A service that does not run, with an empty data folder."""
    settings = read_settings({"ANNALS_DATA": str(tmp_path), "ANNALS_PORT": "1"})
    return Patient(settings, None, House())


def with_settings(patient: Patient, **changes: Any) -> Patient:
    return replace(patient, settings=replace(patient.settings, **changes))


def levels(findings: Iterator[Any]) -> list[str]:
    """The levels; all but `ok` come with a cure."""
    found = list(findings)
    assert all((one.level == "ok") == (one.cure == "") for one in found), found
    return [one.level for one in found]


def examine(monkeypatch: pytest.MonkeyPatch, *words: str, **environ: str) -> tuple[int, str]:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    said = CliRunner().invoke(doctor, words)
    return said.exit_code, said.stdout


def test_a_stopped_service_is_examined_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = {"ANNALS_DATA": str(tmp_path), "ANNALS_PORT": "1", "ANNALS_DISK_RESERVE_MB": "0"}
    code, said = examine(monkeypatch, "--json", **place)
    found = [json.loads(line) for line in said.splitlines()]
    assert code == 0, said
    checks = {one["check"]: one for one in found}
    assert {"version", "settings", "data", "disk", "clock", "redis", "log"} <= checks.keys()
    assert checks["service"]["cure"] == "annals run"
    assert checks["address"]["level"] == "warn"
    assert f"ok    data       {tmp_path} can be written.\n" in examine(monkeypatch)[1]


def test_settings_that_cannot_be_read_are_the_only_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    code, said = examine(monkeypatch, ANNALS_PORT="zero")
    assert code == 1
    assert said.splitlines() == [
        "fail  settings   ANNALS_PORT must be a whole number, not 'zero'.",
        f"{'':<16} Cure: See docs/settings.md.",
    ]


def test_places_that_cannot_be_used_fail(patient: Patient, tmp_path: Path) -> None:
    assert levels(places.check_places(patient)) == ["ok"]
    missing = with_settings(patient, backup=str(tmp_path / "missing"))
    [found] = places.check_places(missing)
    assert found.text == f"ANNALS_BACKUP: {tmp_path}/missing does not exist."
    assert found.cure.startswith("Create it, mount its disk, or choose another folder")


def test_servers_that_accept_no_connection_fail_without_their_secrets(patient: Patient) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/secret"
        called = with_settings(patient, alert_url=address, export_url=address)
        assert levels(places.check_places(called)) == ["ok"]
    found = list(places.check_places(called))
    assert [one.level for one in found] == ["fail", "fail"]
    for name, one in zip(("ANNALS_ALERT_URL", "ANNALS_EXPORT_URL"), found, strict=True):
        assert one.text.startswith(f"{name}: 127.0.0.1 can't be reached (")
        assert "secret" not in one.text + one.cure


def test_a_full_disk_fails(patient: Patient) -> None:
    limits = {0: "ok", 10**9: "fail"}
    for reserve_mb, level in limits.items():
        assert levels(machine.check_disk(with_settings(patient, disk_reserve_mb=reserve_mb))) == [
            level
        ]


def test_a_disk_that_will_soon_be_full_is_a_warning(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = SimpleNamespace(free=3 * 64 * machine.MB)
    monkeypatch.setattr("shutil.disk_usage", lambda _: free)
    assert levels(machine.check_disk(patient)) == ["warn"]


@pytest.mark.parametrize(
    ("inodes", "left", "expected"),
    [(0, 0, ["ok"]), (9_999, 1_000, ["ok"]), (9_999, 999, ["ok", "warn"]), (9, 0, ["ok", "fail"])],
)
def test_a_disk_without_inodes_is_named(
    patient: Patient, monkeypatch: pytest.MonkeyPatch, inodes: int, left: int, expected: list[str]
) -> None:
    """Some file systems create inodes as they need them, and say that they have none."""
    found = SimpleNamespace(f_files=inodes, f_favail=left)
    monkeypatch.setattr("os.statvfs", lambda _: found)
    free = SimpleNamespace(free=1 << 40)
    monkeypatch.setattr("shutil.disk_usage", lambda _: free)
    assert levels(machine.check_disk(patient)) == expected


def test_secrets_that_others_can_read_are_a_warning(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, token = (patient.settings.data / name for name in ("named.conf", "token"))
    monkeypatch.setenv("ANNALS_CONFIG", str(config))
    token.write_text("hush")
    config.write_text(f"REDIS_URL=redis://:hush@a\nANNALS_DISCORD_TOKEN_FILE={token}")
    for mode, found in ((0o644, ["ok", "warn", "warn"]), (0o600, ["ok"])):
        for file in (config, token):
            file.chmod(mode)
        assert levels(machine.check_files(patient)) == found


def test_secrets_of_a_container_are_no_warning(
    patient: Patient, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    token = tmp_path_factory.mktemp("secrets") / "token"
    token.write_text("hush")
    token.chmod(0o444)
    monkeypatch.setenv("ANNALS_DISCORD_TOKEN_FILE", str(token))
    assert levels(machine.check_files(patient)) == ["ok"]


def test_callers_of_a_cluster_are_counted_by_all_its_processes(patient: Patient) -> None:
    """The requests of a check go to eight processes in turn."""
    with stub() as server:
        server.requests = (number // 8 for number in count())  # type: ignore[assignment]
        assert found_outside(at_stub(patient, server))["proxy"] == "ok"


def test_a_folder_of_another_user_fails(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    assert levels(machine.check_files(patient)) == ["fail"]


def test_too_little_memory_for_the_size_is_a_warning(
    patient: Patient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    limit, whole = tmp_path / "memory.max", tmp_path / "meminfo"
    monkeypatch.setattr(machine, "MEMORY_FILES", (limit, whole))
    assert levels(machine.check_memory(patient)) == []
    limit.write_text("max\n")
    whole.write_text("MemTotal:        2000000 kB\nMemFree: 1 kB\n")
    assert levels(machine.check_memory(patient)) == ["ok"]
    limit.write_text("500000000\n")
    assert levels(machine.check_memory(patient)) == ["warn"]
    assert levels(machine.check_memory(with_settings(patient, size="small"))) == ["ok"]


def test_a_clock_behind_the_store_fails(
    patient: Patient, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "ask_synchronized", lambda: "no")
    assert levels(machine.check_clock(patient)) == ["warn"]
    monkeypatch.setattr(machine, "ask_synchronized", lambda: "")
    monkeypatch.setattr(machine, "wall_clock", lambda: 1_000)
    examined = replace(patient, redis=redis_client)
    for at, level in ((6_000, "ok"), (6_001, "fail")):
        redis_client.set(UPTIME_KEY, msgspec.json.encode(UptimeRecord(at)))
        assert levels(machine.check_clock(examined)) == [level]


def test_each_redis_is_examined(patient: Patient, redis_url: str) -> None:
    def named(url: str) -> Patient:
        return replace(patient, settings=read_settings({"REDIS_URL": url}))

    assert levels(store.check_servers(patient)) == ["warn", "warn"]
    with hold_folder(patient.settings.data):
        assert levels(store.check_servers(patient)) == ["fail", "fail"], "they should run"
    assert levels(store.check_servers(named(redis_url))) == ["warn"]  # it may lose moves
    assert levels(store.check_servers(named("redis://127.0.0.1:1"))) == ["fail"]


def test_missing_entries_fail(
    patient: Patient, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    examined = replace(patient, redis=redis_client)
    assert levels(store.check_entries(examined)) == ["ok"]
    monkeypatch.setattr(store, "find_missing", lambda *_: ["3 of 5 entries are missing."])
    assert levels(store.check_entries(examined)) == ["fail"]


def test_a_service_without_operator_is_a_warning(patient: Patient, redis_client: Redis) -> None:
    examined = replace(patient, redis=redis_client)
    assert levels(store.check_operators(examined)) == ["warn"]
    Operators(redis_client).add("u0123456789abcdef")
    assert levels(store.check_operators(examined)) == ["ok"]


def test_a_service_of_another_version_is_a_warning(patient: Patient, redis_client: Redis) -> None:
    examined = replace(patient, redis=redis_client)
    other = f"{version('annals')}+0123456789ab"
    for ran, said in (("", ""), (program_id(), ""), ("0.0.1+0123", "runs 0.0.1."), (other, other)):
        redis_client.set(VERSION_KEY, ran)
        [found] = store.check_version(examined)
        assert found.level == ("warn" if said else "ok")
        assert said in found.text


def test_a_log_that_stopped_fails(patient: Patient) -> None:
    folder = Folder(patient.settings.data / "tlog")
    assert levels(store.check_log(patient)) == ["ok"]
    folder.write_text(CHECKPOINT, "127.0.0.1:8000/v1/log\n3\n")
    assert levels(store.check_log(patient)) == ["ok"]
    assert levels(store.check_log(replace(patient, house=House("", "https://a.b")))) == ["warn"]
    folder.set_stop_reason("its state is missing.")
    assert levels(store.check_log(patient)) == ["fail"]
    assert levels(store.check_log(with_settings(patient, tlog="off"))) == ["ok"]


@pytest.mark.parametrize(
    ("backup", "state", "level"),
    [
        ("", BackupState(), "warn"),
        ("place", BackupState(), "warn"),
        ("place", BackupState(name="b", at=1), "warn"),
        ("place", BackupState(name="b", at=wall_clock()), "ok"),
        ("place", BackupState(name="b", at=wall_clock(), failure="no room."), "fail"),
        ("place", BackupState(name="deleted", at=wall_clock()), "fail"),
        ("unmounted", BackupState(name="b", at=wall_clock()), "fail"),
        ("no-such-protocol://place", BackupState(name="b", at=wall_clock()), "fail"),
    ],
)
def test_backups_are_examined(
    patient: Patient, tmp_path: Path, backup: str, state: BackupState, level: str
) -> None:
    (place := tmp_path / "place").mkdir()
    (place / "b").touch()
    backup = backup and (backup if ":" in backup else str(tmp_path / backup))
    write_state(patient.settings.data, state)
    assert levels(store.check_backups(with_settings(patient, backup=backup))) == [level]


def test_a_lost_backup_is_named_without_the_password_of_its_place(patient: Patient) -> None:
    write_state(patient.settings.data, BackupState(name="b", at=wall_clock()))
    [found] = store.check_backups(with_settings(patient, backup="memory://me:hu,s/h@doctor"))
    assert found.text == "b, the last backup, is not in memory://...@doctor any more."


def test_settings_that_cannot_be_used_fail(patient: Patient) -> None:
    assert levels(store.check_settings(patient)) == ["ok"]
    assert levels(store.check_settings(with_settings(patient, export="none://x"))) == ["fail"]


def test_an_incomplete_application_in_discord_fails(patient: Patient) -> None:
    assert levels(store.check_discord(patient)) == ["ok"]
    some = with_settings(patient, discord_app="1", discord_token="secret")
    assert levels(store.check_discord(some)) == ["fail"]


def test_a_bot_that_only_answers_is_a_warning(patient: Patient) -> None:
    some = with_settings(patient, discord_app="1", discord_key="0" * 64)
    assert levels(store.check_discord(some)) == ["warn"]


def at_stub(patient: Patient, server: Stub) -> Patient:
    port = server.server_port
    return with_settings(patient, port=port, public_url=f"http://127.0.0.1:{port}")


def found_outside(patient: Patient) -> dict[str, str]:
    return {one.check: one.level for one in address.check_address(patient)}


def test_a_public_address_is_examined_from_outside(patient: Patient) -> None:
    with stub() as server:
        examined = at_stub(patient, server)
        well = {"address": "ok", "tls": "warn", "proxy": "ok", "streams": "ok"}
        assert found_outside(examined) == well
        server.beats = False
        assert found_outside(examined) == {**well, "streams": "fail"}
        server.requests = iter([0] * address.FORGED_REQUESTS + [0] * 9)  # type: ignore[assignment]  # each caller is new
        assert found_outside(examined)["proxy"] == "fail"


def test_callers_are_counted_by_the_limit_that_there_is(patient: Patient) -> None:
    with stub() as server:
        server.limit, server.rate, server.left = "address", 12_000, 12_000
        examined = at_stub(patient, server)
        assert found_outside(examined)["proxy"] == "ok"
        server.requests = repeat(0)  # type: ignore[assignment]  # each caller is new
        assert found_outside(examined)["proxy"] == "fail"
        server.drops = ("RateLimit", "RateLimit-Policy")
        assert found_outside(examined)["proxy"] == "warn", "it cannot be known"


@pytest.mark.parametrize(
    "name", ["RateLimit", "ETag", "X-Request-Id", "Authorization", "If-None-Match"]
)
def test_a_proxy_that_drops_a_header_fails(patient: Patient, name: str) -> None:
    with stub() as server:
        server.drops = (name,)
        found = {one.check: one for one in address.check_address(at_stub(patient, server))}
    assert found["proxy"].text == f"The proxy does not pass on {name}."


def test_a_proxy_that_never_ends_a_head_ends_the_check(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "TIMEOUT_S", 0.2)
    with stub() as server:
        server.drips_heads = True
        assert found_outside(at_stub(patient, server))["address"] == "fail"


def test_a_service_that_hangs_is_no_service_that_is_not_running(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "TIMEOUT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        hanging = with_settings(patient, host="127.0.0.1", port=listener.getsockname()[1])
        assert levels(address.check_service(hanging)) == ["fail"]
    assert levels(address.check_service(hanging)) == ["warn"]


def test_an_address_that_leads_elsewhere_fails(patient: Patient) -> None:
    with stub() as here, stub() as elsewhere:
        elsewhere.run = "another"
        examined = with_settings(
            at_stub(patient, here), public_url=at_stub(patient, elsewhere).public_url
        )
        assert found_outside(examined) == {"address": "fail"}
        for nowhere in UNREACHABLE:
            assert found_outside(with_settings(examined, public_url=nowhere)) == {"address": "fail"}


def test_another_server_cannot_command_the_terminal(
    patient: Patient, capsys: pytest.CaptureFixture[str]
) -> None:
    with stub() as here, stub() as there:
        there.run, there.status, there.location = "another", 302, "http://\x1bc.example/"
        url = at_stub(patient, there).public_url
        for one in address.check_address(with_settings(at_stub(patient, here), public_url=url)):
            show(one)
    said = capsys.readouterr().out
    assert "leads to http://?c.example." in said


def test_a_stream_without_events_ends_the_check(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "TIMEOUT_S", 0.1)
    with stub() as server:
        server.drips = True
        site = address.Site(at_stub(patient, server).public_url)
        assert address._check_stream(site).level == "fail"
        site.close()


def test_a_service_that_is_not_ready_fails(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for status, level in ((200, "ok"), (503, "fail")):
        answer = address.Answer(status, Message(), b"")
        monkeypatch.setattr(address.Site, "send", lambda *_, answer=answer: answer)
        assert levels(address.check_service(patient)) == [level]
