"""After a kill of an export the next one continues, and no row is missing or repeated."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.matches.container import Annals, open_annals
from service.runtime.settings import Settings
from service.store.archive.targets import FolderTarget as LocalFolder
from tests.support.exported import (
    annals,
    contents,
    export,
    files,
    manifest,
    over,
    paths,
    refusal_of,
    select,
    settings,
)
from tests.support.killing import killing, run_in_child
from workers.tools.tables.export import Export, ExportOptions
from workers.tools.tables.parts import rows_of_matches
from workers.tools.tables.parts.staging import Stage

__all__ = ["annals", "settings"]
STEPS: tuple[tuple[Any, str], ...] = (
    (LocalFolder, "write"), (LocalFolder, "remove_everywhere"), (Path, "replace"), (Path, "unlink"),
    (Stage, "add"), (os, "fsync"),
)  # fmt: skip
TIMES = (1, 3, 6)


def test_kills_at_any_step_lose_and_repeat_nothing(
    annals: Annals, settings: Settings, tmp_path: Path
) -> None:
    target = LocalFolder(tmp_path / "killed")
    ends = []
    for number, where in enumerate(everywhere()):
        over(annals.store, "qin", f"m{number}", moves=2)  # so that there is always work
        ends.append(kill_at(settings, target, *where))
    assert ends.count(signal.SIGKILL) > 2 * len(STEPS)
    export(target.path, "--format", "ndjson")
    assert files(target.path) == {"manifest.json", *paths(manifest(target.path).files)}
    export(tmp_path / "whole", "--format", "ndjson")
    assert contents(target.path) == contents(tmp_path / "whole")


def out_of_memory(*_: object) -> None:
    """What happens in a helper process that is out of memory."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_helper_is_reported_with_the_way_to_continue(
    annals: Annals, tmp_path: Path
) -> None:
    over(annals.store, "qin", "m")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_of_matches, "_make_in_process", out_of_memory)
        assert "run the same command again" in refusal_of("export", tmp_path, "--processes", 2)
    export(tmp_path)
    assert select(tmp_path, "select match from matches") == [{"match": "m"}]


def everywhere() -> Iterator[tuple[Any, str, bool, int]]:
    """Where to kill, one after the other: each run continues the last one."""
    for time in TIMES:
        for owner, name in STEPS:
            for after in (False, True):
                yield owner, name, after, time


def kill_at(settings: Settings, target: LocalFolder, *where: Any) -> int:
    """Start an export that is killed there; returns the signal that ended it."""

    def work() -> None:
        with pytest.MonkeyPatch.context() as patch:
            killing(patch, *where)
            Export(open_annals(settings), target, ExportOptions("ndjson")).run()

    return run_in_child(work)
