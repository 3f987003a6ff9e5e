"""Where packs and tables are: a folder, or whatever fsspec knows how to reach."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from domain.match.log import Damaged
from service.runtime.atomic_write import FOR_US, unfinished, write_durably
from service.runtime.errors import StoreUnavailable
from service.runtime.settings import BadSetting, Settings

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

    def remove(self, name: str) -> None:
        """Remove all files of this name, in whatever folders below they are."""
        ...


class Folder:
    """A folder of this machine, or one that is mounted here."""

    def __init__(self, path: Path, mode: int = FOR_US) -> None:
        self.path, self._mode = path, mode

    def read(self, file: str, offset: int = 0, length: int | None = None) -> bytes:
        """So many bytes of a file from there on, or all; Damaged if there is no such file."""
        with _reaching(file), (self.path / file).open("rb") as opened:
            opened.seek(offset)
            return opened.read(-1 if length is None else length)

    def write(self, file: str, data: bytes) -> None:
        """Write a file, which has its name only once it is on the disk."""
        self.path.mkdir(0o700 if self._mode == FOR_US else 0o777, parents=True, exist_ok=True)
        write_durably(self.path / file, data, self._mode)

    def has(self, file: str) -> bool:
        """Whether there is such a file."""
        return (self.path / file).is_file()

    def remove(self, name: str) -> None:
        """Remove all files of this name, and what was to become one."""
        for path in (*self.path.rglob(name), *self.path.rglob(unfinished(name))):
            path.unlink()


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
        path = f"{self._path}/{file}"
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        self._files.pipe_file(path, data)

    def has(self, file: str) -> bool:
        """Whether there is such a file."""
        with _reaching(file):
            return bool(self._files.exists(f"{self._path}/{file}"))

    def remove(self, name: str) -> None:
        """Remove all files of this name."""
        with _reaching(name):
            for path in self._files.glob(f"{self._path}/**/{name}"):
                self._files.rm_file(path)


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
    return target_at(place, "ANNALS_ARCHIVE") if place else Folder(settings.data / FOLDER)


def target_at(place: str, named_by: str, mode: int = FOR_US) -> Target:
    """A folder, or the place of a URL; BadSetting if it cannot be reached from here. Files in a
    folder are for those whom the mode says.
    """
    if not is_url(place):
        return Folder(Path(place).expanduser().absolute(), mode)
    if find_spec("fsspec") is None:
        raise BadSetting(
            f"{named_by} names a place that fsspec has to reach: pip install 'annals[archive]'."
        )
    try:
        return Elsewhere(place)
    except (ImportError, ValueError) as error:
        raise BadSetting(f"{named_by} cannot be reached from here: {error}.") from None
