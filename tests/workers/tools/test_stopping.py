"""A long command that is stopped prints what it has done, and leaves no process behind."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import sleep
from typing import Any

import click
import pytest
from click.testing import CliRunner

from domain.games import GAMES
from tests.support.patience import eventually
from workers.host.errors import CannotRun
from workers.tools.bots import arena, calibrate
from workers.tools.helpers import helper_pool
from workers.tools.stopping import stoppable

TOOLS = Path(arena.__file__).parents[1]
ALL_OR_NOTHING = {
    "backup.py": "a part of a backup is no backup",
    "restore.py": "a part of a store is refused",
    "rebuild.py": "the earlier projections stay",
    "tlog.py": "it has no results before the end, but faults, which it prints as it finds them",
    "report/command.py": "a part of a page is no page",
}
"""Commands with nothing to print before they are done."""


def test_every_command_that_shows_progress_can_be_stopped() -> None:
    shows = re.compile(r"\b(show_progress|track)\(")
    long = {str(file.relative_to(TOOLS)): file.read_text() for file in TOOLS.rglob("*.py")}
    forgotten = [
        name
        for name, code in long.items()
        if shows.search(code)
        and "stoppable()" not in code
        and not name.endswith((*ALL_OR_NOTHING, "progress.py"))
    ]
    assert forgotten == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_only_the_block_ends(number: signal.Signals) -> None:
    before = signal.getsignal(signal.SIGTERM)
    with stoppable() as stop:
        os.kill(os.getpid(), number)
        sleep(60)
    assert stop.requested
    assert signal.getsignal(signal.SIGTERM) == before


def stopped_after(results: list[object]) -> Iterator[object]:
    yield from results
    os.kill(os.getpid(), signal.SIGTERM)
    sleep(60)


def call(command: click.Command, *words: str) -> tuple[str, str]:
    """The output of a command, and the sentence with which it ends."""
    said = CliRunner().invoke(command, words)
    assert isinstance(said.exception, CannotRun)
    return said.output, str(said.exception)


def test_a_stopped_arena_counts_what_it_has_played(monkeypatch: pytest.MonkeyPatch) -> None:
    contest = arena.Contest("qin", ("easy", "easy"), {}, 1)
    played = [arena.play_match(contest, number) for number in range(2)]
    monkeypatch.setattr(arena, "play_matches", lambda *_: stopped_after(played))
    output, end = call(arena.arena, "qin", "--seats", "easy,easy", "--matches", "9")
    assert " of 2 " in output
    assert end == "Stopped after 2 of 9 matches."
    monkeypatch.setattr(arena, "play_matches", lambda *_: stopped_after([]))
    assert call(arena.arena, "qin", "--seats", "easy,easy")[1] == (
        "Stopped before the end of the first match."
    )


def test_a_stopped_calibration_says_where_its_matches_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seats = min(GAMES["qin"].seats)
    sample = calibrate.play("qin", 1, calibrate.Task("", seats, 0))
    monkeypatch.setattr(calibrate, "play_all", lambda *_: stopped_after([sample]))
    words = ("qin", "--matches", "2", "--samples", str(tmp_path / "samples"))
    _, end = call(calibrate.calibrate, *words)
    assert re.fullmatch(rf"Stopped after 1 of \d+ matches: {tmp_path}/samples has them\.", end)
    assert (tmp_path / "samples").read_text().count("\n") == 1


def test_helpers_are_killed_once_the_pool_waits_for_no_cancelled_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A thread of the pool would print a traceback."""
    waiting: list[list[Any]] = []
    kill = BaseProcess.kill

    def watched(helper: BaseProcess) -> None:
        work = [*thread.pending_work_items.values()]
        waiting.append([item for item in work if item.future.cancelled()])
        kill(helper)

    monkeypatch.setattr(BaseProcess, "kill", watched)
    with stoppable(), helper_pool(1) as pool:
        results = pool.map(sleep, [0, *[600] * 9])
        thread: Any = pool._executor_manager_thread
        for _ in results:
            os.kill(os.getpid(), signal.SIGINT)
            sleep(60)
    assert waiting == [[]]


def test_helpers_end_with_what_they_helped(tmp_path: Path) -> None:
    with stoppable(), helper_pool(1) as pool:
        helper = pool.submit(os.getpid).result()
        pool.submit(sleep, 600)
        os.kill(os.getpid(), signal.SIGINT)
        sleep(60)
    eventually(lambda: not Path(f"/proc/{helper}").exists())
