"""The commit-msg hook refuses what CONTRIBUTING.md forbids, and nothing else."""

from __future__ import annotations

import runpy
import subprocess
import sys

import pytest
import yaml

from tests.architecture.layout import ROOT

SCRIPT = ROOT / ".ci/commit_message.py"
PROBLEMS = runpy.run_path(str(SCRIPT))["problems"]


@pytest.mark.parametrize(
    "message",
    [
        "Refuse a tile that unites three kingdoms",
        "Retry 502 and 504 on the match page\n\nA proxy that restarts answers with these.\n",
        "Pass the seed to the dice",
        "Embed the board in the message",
        "Focus the first move",
        "Test " + "x" * 67,
        "Merge branch 'main' of a very long name into another branch of an even longer name again",
        'Revert "Refuse a tile that unites three kingdoms and is much too long for a subject"',
        "fixup! refuse a tile",
        "Read the log\n# Please enter the commit message for your changes.\n# On branch main\n",
        "Read the log\n\n# ------------------------ >8 ------------------------\ndiff --git a b\n",
    ],
)
def test_a_good_message_passes(message: str) -> None:
    assert list(PROBLEMS(message)) == []


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("", "missing"),
        ("# only comments\n", "missing"),
        ("Test " + "x" * 68, "73 letters"),
        ("Refuse a tile.", "full stop"),
        ("refuse a tile", "capital"),
        ("Refused a tile", "imperative"),
        ("Refusing a tile", "imperative"),
        ("Refuses a tile", "imperative"),
        ("Refuse a tile\nthat unites", "blank"),
    ],
)
def test_a_bad_message_is_refused_with_its_reason(message: str, problem: str) -> None:
    [found] = PROBLEMS(message)
    assert problem in found


def test_several_messages_are_checked_as_git_log_prints_them() -> None:
    log = "Read the log\n\0Refuses a tile\n\0"
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--null"], input=log, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "'Refuses a tile'" in done.stderr


def test_pre_commit_runs_the_script_on_commit_messages() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    hooks = {hook["id"]: hook for hook in config["repos"][0]["hooks"]}
    assert hooks["commit-message"]["stages"] == ["commit-msg"]
    assert str(SCRIPT.relative_to(ROOT)) in hooks["commit-message"]["entry"]
    assert "commit-msg" in config["default_install_hook_types"]
