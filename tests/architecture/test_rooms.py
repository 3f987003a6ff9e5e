"""Folders and packages have few enough files to see all of them at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.layout import CODE, ROOT

MAX_FILES, MAX_ROOMS = 15, 16
SOURCE = {".py", ".lua", ".js", ".sql"}


def folders(top: str) -> Iterator[Path]:
    """A package and all folders in it that hold source files."""
    yield from (path for path in [ROOT / top, *(ROOT / top).rglob("*")] if path.is_dir())


def source_files(folder: Path) -> list[str]:
    """The source files that lie in a folder, without `__init__.py`."""
    return sorted(
        path.name
        for path in folder.iterdir()
        if path.suffix in SOURCE and path.name != "__init__.py"
    )


def rooms(package: Path) -> list[str]:
    """The packages that lie in a package."""
    return sorted(path.parent.name for path in package.glob("*/__init__.py"))


@pytest.mark.parametrize("top", [*CODE, "bench"])
def test_no_folder_has_more_than_15_source_files(top):
    crowded = {str(folder): source_files(folder) for folder in folders(top)}
    assert any(crowded.values())
    assert {path: names for path, names in crowded.items() if len(names) > MAX_FILES} == {}


@pytest.mark.parametrize("top", [*CODE, "bench"])
def test_no_package_has_more_than_16_rooms(top):
    assert {
        str(path): len(rooms(path)) for path in folders(top) if len(rooms(path)) > MAX_ROOMS
    } == {}


def test_a_crowded_folder_is_found(tmp_path):
    for number in range(MAX_FILES + 1):
        (tmp_path / f"part_{number}.py").touch()
    (tmp_path / "__init__.py").touch()
    assert len(source_files(tmp_path)) == MAX_FILES + 1
