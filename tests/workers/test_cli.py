"""The `annals` command: what it offers, and what it says when it cannot."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.patience import PATIENCE_S
from workers.cli import ELSEWHERE, commands

ROOT = Path(__file__).resolve().parents[2]


def call(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "workers.cli", *arguments],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")} | environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )


def test_help_lists_every_command_and_loads_none():
    listed = call("--help").stdout
    for name in commands.list_commands(click.Context(commands)):
        assert f"\n  {name} " in listed
    loading = (
        "import sys; from workers.cli import commands; commands(['--help'], standalone_mode=False);"
        "print({'redis', 'flask', 'rq', 'granian'} & {*sys.modules})"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", loading], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert loaded.stdout.endswith("set()\n")


@pytest.mark.parametrize("name", sorted(ELSEWHERE))
def test_every_command_from_elsewhere_is_there(name):
    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    assert command.name == name


def test_without_a_running_redis_a_command_says_so(tmp_path):
    said = call("rebuild", ANNALS_DATA=str(tmp_path))
    assert said.returncode == 1
    assert said.stderr == (
        f"There are no data in {tmp_path}: ANNALS_DATA names the folder of a service.\n"
    )


@pytest.mark.parametrize("setting", ["REDIS_URL", "EVENTS_REDIS_URL"])
@pytest.mark.parametrize("command", [("rebuild",), ("show", "some-match")], ids=" ".join)
def test_of_a_redis_that_is_not_there_the_setting_is_named_that_the_host_set(setting, command):
    said = call(*command, **{setting: "redis://127.0.0.1:1/0"})
    assert said.returncode == 1
    assert said.stderr == f"{setting}: no Redis answers at 127.0.0.1:1; is it running?\n"
