"""The `annals` command: its subcommands, and what it prints when it cannot run."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import click
import msgspec
import pytest
from click.testing import CliRunner

from service.admin.running_settings import record_settings
from service.runtime.config.texts import keep_texts
from service.runtime.settings import read_settings
from tests.support.warm_start import run_command
from tests.support.whole_service import LEAN, ONE_WEB_PROCESS, fresh_addresses
from workers.cli import LAZY_COMMANDS, commands
from workers.host.exits import describe_full_disk
from workers.host.folder_lock import hold_folder
from workers.tools.running_store import find_unread, read_service_settings

ROOT = Path(__file__).resolve().parents[2]


def call(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    own = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
    return run_command(arguments, own | environ)


def test_help_lists_every_command_and_loads_none():
    listed = call("--help").stdout
    for name in commands.list_commands(click.Context(commands)):
        assert f"\n  {name} " in listed
    loading = (
        "import sys; from workers.cli import commands; commands(['--help'], standalone_mode=False);"
        "print({'redis', 'flask', 'rq', 'uvicorn', 'structlog', 'rich'} & {*sys.modules})"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", loading], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert loaded.stdout.endswith("set()\n")


@pytest.mark.parametrize("name", sorted(LAZY_COMMANDS))
def test_every_lazy_command_can_be_imported(name):
    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    assert command.name == name


def test_all_settings_are_listed_with_their_sources_and_without_secrets(tmp_path):
    file, secret = tmp_path / "house.conf", tmp_path / "token"
    file.write_text("ANNALS_PORT=8123\nREDIS_URL=redis://:hush@a\n")
    secret.write_text("hush\n")
    home = {"HOME": str(tmp_path), "ANNALS_DISCORD_TOKEN_FILE": str(secret)}
    said = call("--config=~/house.conf", "config", **home)
    port = f"ANNALS_PORT=8123\n    from {file}, line 1; default: 8000\n    port of the web server\n"
    assert port in said.stdout
    token = (
        f"ANNALS_DISCORD_TOKEN=(not shown)\n    from {secret}, named by the environment; default"
    )
    assert token in said.stdout
    assert "ANNALS_WORKERS=2\n    worker processes" in said.stdout
    assert "EVENTS_REDIS_URL=\n" in said.stdout  # follows from a secret
    assert "hush" not in said.stdout
    assert "](" not in said.stdout


def test_settings_are_listed_for_programs():
    said = call("config", "--json", ANNALS_SIZE="small", REDIS_URL="redis://:hush@a")
    rows = {row["name"]: row for row in map(json.loads, said.stdout.splitlines())}
    workers = rows["ANNALS_WORKERS"]
    assert [workers[key] for key in ("value", "source", "default")] == [
        "1",
        "ANNALS_SIZE=small",
        "2",
    ]
    assert rows["REDIS_URL"]["value"] == "(not shown)"
    assert "hush" not in said.stdout


def test_passwords_in_addresses_are_not_listed():
    export, backup = "s3://me:hush@bucket/x?key=a,secret=hush", "ftp://me:pa,s/s h@host/annals"
    said = call("config", ANNALS_EXPORT=export, ANNALS_BACKUP=backup)
    assert "ANNALS_EXPORT=s3://...@bucket/x?...\n" in said.stdout
    assert "ANNALS_BACKUP=ftp://...@host/annals\n" in said.stdout


def test_an_unknown_setting_is_refused_with_the_nearest_one():
    said = call("config", ANNALS_WEBHOOK="0")
    assert said.returncode == 1
    assert "ANNALS_WEBHOOKS=10\n" in said.stdout  # what there is, with the defaults
    assert said.stderr == "ANNALS_WEBHOOK is not a setting: did you mean ANNALS_WEBHOOKS?\n"


def test_without_a_running_redis_a_command_says_so(tmp_path):
    said = call("rebuild", ANNALS_DATA=str(tmp_path))
    assert said.returncode == 1
    assert said.stderr == (
        f"There is no data in {tmp_path}: set ANNALS_DATA to the folder of a service.\n"
    )


@pytest.mark.parametrize("setting", ["REDIS_URL", "EVENTS_REDIS_URL"])
@pytest.mark.parametrize("command", [("rebuild",), ("show", "some-match")], ids=" ".join)
def test_a_missing_redis_is_reported_with_its_setting(setting, command):
    said = call(*command, **{setting: "redis://127.0.0.1:1/0"})
    assert said.returncode == 1
    assert said.stderr == f"{setting}: no Redis answers at 127.0.0.1:1; is it running?\n"


ON_A_STORE = [
    ("accept-loss",),
    ("web",), ("projector",), ("projector", "--partitions", "0-7"), ("worker",),
    ("worker", "--quick"), ("deliveries",), ("notary",),
    ("analyst",), ("analyst", "--partitions", "8"),
    ("discord-worker",), ("metrics",), ("rebuild",),
    ("archive", "--days", "1"), ("archive", "--days", "1", "--daily"),
    ("export", "FILE", "--format", "csv"), ("export", "FILE", "--format", "csv", "--daily"),
    ("report", "qin", "--out", "FILE"),
    ("admin", "players"), ("backup", "FILE"), ("upgrade", "--check"),
    ("erase", "Ann"),
    ("replay", "m"), ("show", "m"), ("verify", "--all"),
]  # fmt: skip


@pytest.mark.parametrize("name", ["projector", "analyst"])
def test_unknown_partitions_are_refused_in_one_sentence(name, tmp_path):
    said = call(name, "--partitions", "8-16", **nowhere(tmp_path))
    assert said.returncode == 1
    assert "--partitions names 16, but the store has partitions 0 to 15" in sentence_of(said)
    assert len(sentence_of(said).splitlines()) == 1


def test_every_command_with_a_store_is_listed_here():
    others = {
        "arena",
        "calibrate",
        "config",
        "demo",
        "draw",
        "new-game",
        "corpus",
        "discord",
        "doctor",
        "reload",
        "restore",
        "run",
        "sample",
        "sql",
        "tlog",
    }
    assert {words[0] for words in ON_A_STORE} | others == {
        *commands.list_commands(click.Context(commands))
    }


@pytest.mark.parametrize("words", ON_A_STORE, ids=" ".join)
def test_a_store_of_another_format_is_refused_in_one_sentence(
    words, redis_client, redis_url, tmp_path
):
    redis_client.set("annals:partitions", 16)
    named = [str(tmp_path / "b") if word == "FILE" else word for word in words]
    said = call(*named, REDIS_URL=redis_url, **nowhere(tmp_path))
    assert said.returncode == 1
    assert "This event store has format 1, written by Annals 0.2.0 or older" in sentence_of(said)
    assert len(sentence_of(said).splitlines()) == 1
    assert redis_client.keys() == [b"annals:partitions"]


@pytest.mark.parametrize("partitions", ["16", "7"])
def test_nothing_is_restored_into_a_store_of_another_format(
    redis_client, redis_url, tmp_path, partitions
):
    backed_up = call("backup", str(tmp_path / "b"), REDIS_URL=redis_url, **nowhere(tmp_path))
    assert backed_up.returncode == 0
    redis_client.flushdb()
    redis_client.set("annals:partitions", partitions)
    said = call("restore", str(tmp_path / "b"), REDIS_URL=redis_url, **nowhere(tmp_path))
    assert said.returncode == 1
    assert said.stderr.splitlines()[-1].startswith("This event store has format 1, written by")


def test_a_service_does_not_start_on_a_store_of_another_format(redis_client, redis_url, tmp_path):
    redis_client.set("annals:partitions", 16)
    said = call("run", REDIS_URL=redis_url, **{**nowhere(tmp_path), **LEAN, **ONE_WEB_PROCESS})
    assert said.returncode == 1
    assert "This event store has format 1, written by Annals 0.2.0 or older" in sentence_of(said)
    assert "Traceback" not in sentence_of(said)


@pytest.mark.parametrize(("name", "ports"), [("nginx.conf", 2), ("Caddyfile", 1)])
def test_a_sample_of_a_proxy_has_the_address_and_ports_of_the_settings(name, ports):
    own = {"ANNALS_PUBLIC_URL": "https://house.test:8443", "ANNALS_PORT": "8123"}
    said = call("sample", name, **own).stdout
    assert "house.test" in said
    assert said.count("8443") == ports
    assert "127.0.0.1:8123" in said
    assert "annals.example.org" not in said
    assert "8000" not in said
    without = call("sample", name).stdout
    assert without == (ROOT / "examples/hosting" / name).read_text()


def test_commands_use_the_settings_of_the_service_that_runs(tmp_path):
    """Which may be others than those of the shell."""
    place = {"ANNALS_DATA": str(tmp_path)}
    record_settings(read_settings({**place, "ANNALS_PORT": "8123"}))
    with hold_folder(tmp_path):
        assert "127.0.0.1:8123" in call("sample", "Caddyfile", **place).stdout
        assert read_service_settings(place).port == 8123
    assert read_service_settings(place).port == 8000


def test_settings_that_were_edited_since_the_start_are_named(tmp_path, monkeypatch):
    """Otherwise a setting that stands in the file would be called missing."""
    place = {"ANNALS_DATA": str(tmp_path)}
    monkeypatch.setenv("ANNALS_DATA", str(tmp_path))
    record_settings(read_settings(place))
    config = f"ANNALS_DISCORD_APP=900\nANNALS_DISCORD_KEY={'a' * 64}\nANNALS_BACKUP_HOURS=24\n"
    keep_texts(msgspec.json.encode({str(tmp_path / "annals.conf"): config}))
    assert find_unread(place) == []  # no service runs
    with hold_folder(tmp_path):
        assert find_unread(place) == ["ANNALS_DISCORD_APP", "ANNALS_DISCORD_KEY"]
        assert find_unread({**place, "ANNALS_DISCORD_APP": "9"}) == ["ANNALS_DISCORD_KEY"]
        for words in (("discord", "register"), ("discord", "check")):
            said = CliRunner().invoke(commands, words)
            assert (
                "than its file of settings has: ANNALS_DISCORD_APP, ANNALS_DISCORD_KEY. Run"
                in str(said.exception)
            )


OWN_SETTINGS = {"store/accept_loss.py", "store/restore.py", "running_store.py"}
"""Modules of commands that need a service which has stopped, and the one that reads the settings of
a service.
"""


def test_commands_beside_a_service_use_its_settings():
    tools = ROOT / "workers" / "tools"
    files = {str(path.relative_to(tools)): path.read_text() for path in tools.rglob("*.py")}
    reading = {file for file, text in files.items() if "read_settings(" in text}
    assert reading == OWN_SETTINGS


def nowhere(folder):
    return {"ANNALS_DATA": str(folder / "data"), **fresh_addresses()}


def sentence_of(said):
    return said.stdout + said.stderr


def test_a_full_disk_is_one_sentence(tmp_path):
    full = OSError(errno.ENOSPC, "No space left on device", str(tmp_path / "pack"))
    assert describe_full_disk(full) == (
        f"Cannot write {tmp_path / 'pack'} (No space left on device): make room on its disk, and"
        " try again."
    )
    assert describe_full_disk(OSError(errno.EACCES, "Permission denied")) == ""
