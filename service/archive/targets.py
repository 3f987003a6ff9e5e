"""Where packs are: a folder, or whatever fsspec knows how to reach."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from domain.match.log import Damaged
from service.durable import sync_folder
from service.errors import StoreUnavailable
from service.settings import BadSetting, Settings

FOLDER = "archive"


class Target(Protocol):
    """A place for files that are written once."""

    def read(self, file: str, offset: int = 0, length: int | None = None) -> bytes:
        """So many bytes of a file from there on, or all; Damaged if there is no such file."""
        ...

    def write(self, file: str, data: bytes) -> None:
        """Write a file so that it outlasts a power cut."""
        ...

    def has(self, file: str) -> bool:
        """Whether there is such a file."""
        ...


class Folder:
    """A folder of this machine, or one that is mounted here."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, file: str, offset: int = 0, length: int | None = None) -> bytes:
        """So many bytes of a file from there on, or all; Damaged if there is no such file."""
        with _reaching(file), (self._path / file).open("rb") as opened:
            opened.seek(offset)
            return opened.read(-1 if length is None else length)

    def write(self, file: str, data: bytes) -> None:
        """Write a file, which has its name only once it is on the disk."""
        part = self._path / f".{file}.part"
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
        part.replace(self._path / file)
        sync_folder(self._path)

    def has(self, file: str) -> bool:
        """Whether there is such a file."""
        return (self._path / file).is_file()


class Elsewhere:
    """A place that fsspec reaches by a URL, such as a bucket."""

    def __init__(self, url: str) -> None:
        from fsspec.core import url_to_fs  # type: ignore[import-untyped]  # it has no annotations

        found: Any = url_to_fs(url)
        self._files, self._path = found

    def read(self, file: str, offset: int = 0, length: int | None = None) -> bytes:
        """So many bytes of a file from there on, or all; Damaged if there is no such file."""
        end = None if length is None else offset + length
        with _reaching(file):
            data: bytes = self._files.cat_file(f"{self._path}/{file}", offset, end)
        return data

    def write(self, file: str, data: bytes) -> None:
        """Write a file."""
        self._files.makedirs(self._path, exist_ok=True)
        self._files.pipe_file(f"{self._path}/{file}", data)

    def has(self, file: str) -> bool:
        """Whether there is such a file."""
        with _reaching(file):
            return bool(self._files.exists(f"{self._path}/{file}"))


@contextmanager
def _reaching(file: str) -> Iterator[None]:
    """Say Damaged if a file is not there, StoreUnavailable if nobody can tell."""
    try:
        yield
    except FileNotFoundError:
        raise Damaged(f"the pack {file} is not in the archive.") from None
    except Exception as error:  # each kind of place has errors of its own
        raise StoreUnavailable("The archive does not answer.") from error


def is_url(place: str) -> bool:
    """Whether this names a place for fsspec, and no folder."""
    return "://" in place


def target_of(settings: Settings) -> Target:
    """Where the settings say that packs are; BadSetting if it cannot be reached from here."""
    place = settings.archive
    if not is_url(place):
        return Folder(Path(place).expanduser().absolute() if place else settings.data / FOLDER)
    if find_spec("fsspec") is None:
        raise BadSetting(
            "ANNALS_ARCHIVE names a place that fsspec has to reach: pip install 'annals[archive]'."
        )
    try:
        return Elsewhere(place)
    except (ImportError, ValueError) as error:
        raise BadSetting(f"ANNALS_ARCHIVE cannot be reached from here: {error}.") from None
