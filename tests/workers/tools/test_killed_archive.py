"""After a kill of the archive at any moment nothing is lost, and the next run continues."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from service.matches.container import Annals, open_annals
from service.runtime.settings import Settings
from service.store.archive.targets import FolderTarget
from service.store.match_rows import MatchRows
from tests.support.archived import OVER, annals, entries_of, in_archive, settings
from tests.support.killing import killing, run_in_child
from workers.tools.store import archive as tool
from workers.tools.store.archive import archive_matches

__all__ = ["annals", "settings"]


def steps() -> Iterator[tuple[str, Callable[[pytest.MonkeyPatch], None]]]:
    """Where to kill: before and after each step."""
    for owner, name in (
        (FolderTarget, "write"), (FolderTarget, "read"), (MatchRows, "replace_by_stub"),
        (Path, "replace"), (os, "fsync"),
    ):  # fmt: skip
        for after in (False, True):
            for time in (1, 2):
                prepare = partial(killing, owner=owner, name=name, after=after, time=time)
                yield f"{name}-{after}-{time}", prepare


@pytest.mark.parametrize(
    ("where", "prepare"), list(steps()), ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_kill_at_any_step_loses_nothing(
    where: str,
    prepare: Callable[[pytest.MonkeyPatch], None],
    annals: Annals,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tool, "PACK_BYTES", 1)  # three packs, so that each step occurs twice
    before = entries_of(annals.store)

    def work() -> None:
        prepare(monkeypatch)
        archive_matches(open_annals(settings), 1)

    assert run_in_child(work) == signal.SIGKILL, where
    again = open_annals(settings).store
    assert entries_of(again) == before
    annals.store.redis.delete("annals:archiving")  # it would expire after two minutes
    archive_matches(open_annals(settings), 1)
    assert in_archive(again) == OVER
    assert entries_of(open_annals(settings).store) == before
