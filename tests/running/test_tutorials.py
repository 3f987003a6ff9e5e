"""Each tutorial runs as written, step by step, and prints what it says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path
from typing import NamedTuple

import pytest
from click import Context

from tests.architecture.layout import CODE
from tests.discord.people import StandIn
from tests.support.patience import PATIENCE_S
from tests.support.ports import free_port
from tests.support.whole_service import ONE_WEB_PROCESS, ROOT, Service, fresh_addresses
from workers.cli import commands

pytestmark = pytest.mark.slow
TUTORIALS = ROOT / "docs/tutorials"
SHARE_THE_SERVICE = ("analytics", "bot", "client", "discord", "webhooks")
SERVICE_PORT, RECEIVER_PORT, DISCORD_PORT = "8000", "8100", "8200"
"""Ports as the tutorials name them; the tests replace them by free ones."""
BLOCK = re.compile(
    r"(?:^(?P<verb>Save|Append) this (?:as|to) `(?P<file>[^`]+)`:\n\n)?"
    r"^```(?P<kind>\w*)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
SMALLER = {
    "annals export var/tables": "annals export var/tables --processes 1",
    "--matches 10 ": "--matches 4 --processes 1 --bot-seconds 0.02 ",
    "min(100, len(moves))": "min(8, len(moves))",
}
"""What a tutorial does many times, and the tests do fewer times: numbers in outputs may differ."""
COMMAND = re.compile(r"^annals (\w[^|>&\n]+)", re.MULTILINE)
START = re.compile(r"^(?P<settings>.*)\bmake run$", re.MULTILINE)
"""How a tutorial starts the service; the tests have started it already."""
MARK = "--- step"
ID, NUMBER = re.compile(r"(?<!\.)\b[0-9a-z]{12}\b"), re.compile(r"\d+(?:\.\d+)?")
"""What differs from run to run: ids of matches, and numbers."""


class Step(NamedTuple):
    """A block of code of a tutorial; `text` is what the step before it prints."""

    verb: str | None
    file: str | None
    kind: str
    code: str

    @property
    def commands(self) -> str:
        """The step as commands for bash."""
        if self.verb:
            arrow, blank = (">", "") if self.verb == "Save" else (">>", "\n")
            return f"cat {arrow}{self.file} <<'END OF FILE'\n{blank}{self.code}END OF FILE\n"
        return START.sub("", self.code)


def steps_of(tutorial: str) -> list[Step]:
    text = (TUTORIALS / f"{tutorial}.md").read_text()
    return [Step(*found.groups()) for found in BLOCK.finditer(text)]


def run_tutorial(
    tutorial: str, folder: Path, environ: Mapping[str, str], ports: Mapping[str, str]
) -> None:
    """Run all steps in one shell, in a folder that looks like a copy of the repository."""
    (folder / ".venv").symlink_to(sys.prefix)
    for name in ("tests", *CODE):
        (folder / name).symlink_to(ROOT / name)
    steps = steps_of(tutorial)
    script = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n"
    for number, step in enumerate(steps):
        if step.kind != "text":
            script += f"echo; echo '{MARK} {number}'\n{step.commands}"
    for written, ours in {**ports, **SMALLER}.items():
        script = script.replace(written, ours)
    path = f"{Path(sys.prefix, 'bin')}:{os.environ['PATH']}"
    quiet = {"PATH": path, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    with (folder / "stdout").open("w") as stdout, (folder / "stderr").open("w") as stderr:
        ended = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=folder, env={**environ, **quiet}, stdout=stdout, stderr=stderr, timeout=PATIENCE_S,
        )  # fmt: skip
    printed = (folder / "stdout").read_text()
    assert ended.returncode == 0, printed[-2000:] + (folder / "stderr").read_text()[-4000:]
    outputs = {
        int(number): output
        for number, output in re.findall(
            rf"^{MARK} (\d+)\n(.*?)(?=^{MARK} |\Z)", printed, re.MULTILINE | re.DOTALL
        )
    }
    for number, step in enumerate(steps):
        if step.kind == "text":
            check_output(step.code, outputs[number - 1])


def check_output(expected: str, printed: str) -> None:
    """Compare, but for ids and numbers; `...` in a tutorial stands for anything."""
    want, got = (NUMBER.sub("0", ID.sub("ID", text)) for text in (expected, printed))
    flags = ELLIPSIS | NORMALIZE_WHITESPACE
    assert OutputChecker().check_output(want, got, flags), f"{printed}\nis not\n{expected}"


def starts(tutorial: str) -> Iterator[dict[str, str]]:
    """The settings with which a tutorial starts the service."""
    for step in steps_of(tutorial):
        for found in START.finditer(step.code):
            yield dict(word.split("=", 1) for word in shlex.split(found["settings"]))


@pytest.mark.parametrize("tutorial", SHARE_THE_SERVICE)
def test_a_tutorial_runs_as_written(
    service: Service, stand_in: StandIn, tutorial: str, tmp_path: Path
) -> None:
    [settings] = starts(tutorial)
    assert settings.items() <= service.environ.items()
    environ = {**os.environ, "ANNALS_DATA": str(service.data)}
    ports = {
        SERVICE_PORT: service.url.rpartition(":")[2],
        RECEIVER_PORT: str(free_port()),
        DISCORD_PORT: stand_in.url.rpartition(":")[2],
    }
    run_tutorial(tutorial, tmp_path, environ, ports)


@pytest.mark.long
def test_the_tutorial_for_operators_runs_as_written(tmp_path: Path) -> None:
    """tests/test_backup_and_restore.py follows the same way with more data."""
    assert list(starts("self-host")) == [{}]
    environ = {**os.environ, **fresh_addresses(), **ONE_WEB_PROCESS}
    run_tutorial("self-host", tmp_path, environ, {SERVICE_PORT: environ["ANNALS_PORT"]})


def test_every_tutorial_is_tested_with_what_the_tests_change_in_it() -> None:
    pages = {page.stem for page in TUTORIALS.glob("*.md")}
    assert pages == {*SHARE_THE_SERVICE, "self-host"}
    codes = "".join(step.code for page in pages for step in steps_of(page))
    assert [code for code in SMALLER if code not in codes] == []


def test_the_tutorial_for_operators_names_only_commands_and_options_that_there_are() -> None:
    shell = "".join(step.code for step in steps_of("self-host") if step.kind == "sh")
    found = [shlex.split(words) for words in COMMAND.findall(shell)]
    assert {words[0] for words in found} >= {"run", "backup", "restore", "upgrade", "verify"}
    for name, *rest in found:
        command = commands.get_command(Context(commands), name)
        assert command, name
        command.make_context(name, rest)


@pytest.mark.parametrize("page", sorted(TUTORIALS.glob("*.md")), ids=lambda page: page.stem)
def test_a_tutorial_says_what_you_will_have_and_where_to_read_on(page: Path) -> None:
    text = page.read_text()
    assert re.match(r"# .+\n\nIn ten minutes you have ", text)
    numbers = [int(number) for number in re.findall(r"^## (\d+)\. ", text, re.MULTILINE)]
    assert numbers == [*range(1, len(numbers) + 1)]
    assert "\n## Next\n" in text


@pytest.mark.parametrize(
    ("expected", "printed", "is_same"),
    [
        ("place 2, 14 points\n", "place 1, 9 points\n", True),
        ("match yytb56ape6a2\n", "match wfss3t6wex3d\n", True),
        ("moves ... more\n", "moves of all kinds, and more\n", True),
        ("All is set.\n", "", False),
        ("201\n", "refused\n", False),
    ],
)
def test_the_output_is_compared_but_for_numbers(expected: str, printed: str, is_same: bool) -> None:
    if is_same:
        check_output(expected, printed)
    else:
        with pytest.raises(AssertionError):
            check_output(expected, printed)
