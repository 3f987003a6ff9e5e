"""Whenever an export is killed, the next one goes on, and nothing is missing or twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.matches.container import Annals, open_annals
from service.runtime.settings import Settings
from service.store.archive.targets import Folder as LocalFolder
from tests.support.exported import (
    annals,
    contents,
    export,
    files,
    manifest,
    over,
    paths,
    refused,
    select,
    settings,
)
from tests.support.killing import ended, killing
from workers.tools.tables.export import Export, Wanted
from workers.tools.tables.parts import rows_of_matches
from workers.tools.tables.parts.staging import Stage

__all__ = ["annals", "settings"]
STEPS: tuple[tuple[Any, str], ...] = (
    (LocalFolder, "write"), (LocalFolder, "remove"), (Path, "replace"), (Path, "unlink"),
    (Stage, "add"), (os, "fsync"),
)  # fmt: skip
TIMES = (1, 3, 6)


def test_nothing_is_lost_or_doubled_by_kills_at_any_step(
    annals: Annals, settings: Settings, tmp_path: Path
) -> None:
    target = LocalFolder(tmp_path / "killed")
    ends = []
    for number, where in enumerate(everywhere()):
        over(annals.store, "qin", f"m{number}", moves=2)  # so that there is always something to do
        ends.append(killed(settings, target, *where))
    assert ends.count(signal.SIGKILL) > 2 * len(STEPS)
    export(target.path, "--format", "ndjson")
    assert files(target.path) == {"manifest.json", *paths(manifest(target.path).files)}
    export(tmp_path / "whole", "--format", "ndjson")
    assert contents(target.path) == contents(tmp_path / "whole")


def ends(*_: object) -> None:
    """What happens in a helper that is out of memory."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_who_loses_a_helper_is_told_that_the_same_command_goes_on(
    annals: Annals, tmp_path: Path
) -> None:
    over(annals.store, "qin", "m")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_of_matches, "_elsewhere", ends)
        assert "the same command goes on" in refused("export", tmp_path, "--processes", 2)
    export(tmp_path)
    assert select(tmp_path, "select match from matches") == [{"match": "m"}]


def everywhere() -> Iterator[tuple[Any, str, bool, int]]:
    """Where to be killed, one after the other: each goes on where the one before was."""
    for time in TIMES:
        for owner, name in STEPS:
            for after in (False, True):
                yield owner, name, after, time


def killed(settings: Settings, target: LocalFolder, *where: Any) -> int:
    """Begin an export that is killed there; by which signal it ended."""

    def work() -> None:
        with pytest.MonkeyPatch.context() as patch:
            killing(patch, *where)
            Export(open_annals(settings), target, Wanted("ndjson")).run()

    return ended(work)
