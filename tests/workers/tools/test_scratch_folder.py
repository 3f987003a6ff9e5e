"""Scratch folders go when their command ends, or else when the next one begins."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import pytest

from tests.architecture.layout import CODE, ROOT
from tests.support.killing import run_in_child
from workers.tools.scratch_folder import PREFIX, scratch_folder

MAKES_FOLDER = re.compile(r"\b(?:mkdtemp|TemporaryDirectory)\b")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The temporary folder of the system."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_goes_with_its_files_at_the_end(place: Path) -> None:
    with scratch_folder() as folder:
        (folder / "file").touch()
        assert list(place.iterdir()) == [folder]
    assert not list(place.iterdir())


def test_commands_at_the_same_time_keep_their_folders(place: Path) -> None:
    with scratch_folder() as one, scratch_folder() as other:
        assert {one, other} == set(place.iterdir())


def test_what_an_ended_process_left_goes_at_the_next_start(place: Path) -> None:
    def leave() -> None:
        with scratch_folder():
            os._exit(0)

    run_in_child(leave)
    [left] = place.iterdir()
    with scratch_folder() as folder:
        assert left != folder
        assert list(place.iterdir()) == [folder]


def test_links_and_other_files_stay(place: Path) -> None:
    (other := place / "other").mkdir()
    (link := place / f"{PREFIX}link").symlink_to(other)
    (file := place / f"{PREFIX}file").touch()
    with scratch_folder() as folder:
        assert {other, link, file, folder} == set(place.iterdir())


def test_no_command_makes_another_kind_of_temporary_folder() -> None:
    files = [path for name in CODE for path in (ROOT / name).rglob("*.py")]
    makers = [path.name for path in files if MAKES_FOLDER.search(path.read_text())]
    assert makers == ["scratch_folder.py"]
