"""Where packs and tables are stored: a folder, or a URL that fsspec can reach."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from domain.match.log import CorruptEntry
from service.runtime.atomic_write import PRIVATE_MODE, copy_durably, temporary_name, write_durably
from service.runtime.config.texts import absolute_path
from service.runtime.errors import StoreUnavailable
from service.runtime.settings import BadSetting, Settings

ARCHIVE_FOLDER = "archive"
LOCAL_SCHEMES = ("", "file", "local")


class Target(Protocol):
    """A store of files that are written once."""

    def read(self, file: str, offset: int = 0, length: int | None = None) -> bytes:
        """Return `length` bytes of a file from `offset`, or the rest. Raises CorruptEntry if it
        does not exist.
        """
        ...

    def write(self, file: str, data: bytes) -> None:
        """Write a file durably."""
        ...

    def copy_in(self, file: str, source: Path) -> None:
        """Copy a local file there durably."""
        ...

    def has(self, file: str) -> bool:
        """Return whether a file exists."""
        ...

    def names(self) -> list[str]:
        """Return the names of all files that are in no subfolder."""
        ...

    def remove(self, file: str) -> None:
        """Delete a file if it exists."""
        ...

    def remove_everywhere(self, name: str) -> None:
        """Delete all files of this name, in all subfolders."""
        ...


class FolderTarget:
    """A local or mounted folder."""

    def __init__(self, path: Path, mode: int = PRIVATE_MODE) -> None:
        self.path, self._mode = path, mode

    def read(self, file: str, offset: int = 0, length: int | None = None) -> bytes:
        """Return `length` bytes of a file from `offset`, or the rest. Raises CorruptEntry if it
        does not exist.
        """
        with _target_errors(file), (self.path / file).open("rb") as opened:
            opened.seek(offset)
            return opened.read(-1 if length is None else length)

    def write(self, file: str, data: bytes) -> None:
        """Write a file durably; it gets its name once it is on the disk."""
        self.path.mkdir(0o700 if self._mode == PRIVATE_MODE else 0o777, parents=True, exist_ok=True)
        write_durably(self.path / file, data, self._mode)

    def copy_in(self, file: str, source: Path) -> None:
        """Copy a file there durably; the copy gets its name once it is on the disk."""
        copy_durably(source, self.path / file, self._mode)

    def has(self, file: str) -> bool:
        """Return whether a file exists."""
        return (self.path / file).is_file()

    def names(self) -> list[str]:
        """Return the names of all files that are in no subfolder."""
        return [path.name for path in self.path.iterdir() if path.is_file()]

    def remove(self, file: str) -> None:
        """Delete a file if it exists."""
        (self.path / file).unlink(missing_ok=True)

    def remove_everywhere(self, name: str) -> None:
        """Delete all files of this name, and unfinished ones."""
        for path in (*self.path.rglob(name), *self.path.rglob(temporary_name(name))):
            path.unlink()


class FsspecTarget:
    """A location that fsspec reaches by a URL, such as a bucket."""

    def __init__(self, url: str) -> None:
        from fsspec.core import url_to_fs  # type: ignore[import-untyped]  # it has no annotations

        found: Any = url_to_fs(url)
        self._files, self._path = found

    def read(self, file: str, offset: int = 0, length: int | None = None) -> bytes:
        """Return `length` bytes of a file from `offset`, or the rest. Raises CorruptEntry if it
        does not exist.
        """
        end = None if length is None else offset + length
        with _target_errors(file):
            data: bytes = self._files.cat_file(f"{self._path}/{file}", offset, end)
        return data

    def write(self, file: str, data: bytes) -> None:
        """Write a file."""
        path = f"{self._path}/{file}"
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        self._files.pipe_file(path, data)

    def copy_in(self, file: str, source: Path) -> None:
        """Copy a local file there. The copy gets its name once all of it is there: many file
        systems show a file while it is written, and keep what a killed process has written.
        """
        folder, _, name = f"{self._path}/{file}".rpartition("/")
        fresh = f"{folder}/{temporary_name(name)}"
        with _target_errors(file):
            self._files.makedirs(folder, exist_ok=True)
            self._files.put_file(str(source), fresh)
            self.remove(file)  # some file systems rename to no name that exists
            self._files.mv(fresh, f"{folder}/{name}")

    def has(self, file: str) -> bool:
        """Return whether a file exists."""
        with _target_errors(file):
            return bool(self._files.exists(f"{self._path}/{file}"))

    def names(self) -> list[str]:
        """Return the names of all files that are in no subfolder."""
        with _target_errors(self._path):
            if not self._files.exists(self._path):  # a bucket has no empty folders
                return []
            found = self._files.ls(self._path, detail=True, refresh=True)
        return [one["name"].rpartition("/")[2] for one in found if one["type"] == "file"]

    def remove(self, file: str) -> None:
        """Delete a file if it exists."""
        with _target_errors(file), suppress(FileNotFoundError):
            self._files.rm_file(f"{self._path}/{file}")

    def remove_everywhere(self, name: str) -> None:
        """Delete all files of this name."""
        with _target_errors(name):
            for path in self._files.glob(f"{self._path}/**/{name}"):
                self._files.rm_file(path)


@contextmanager
def _target_errors(file: str) -> Iterator[None]:
    """Raise CorruptEntry if a file does not exist, StoreUnavailable after any other error."""
    try:
        yield
    except FileNotFoundError:
        raise CorruptEntry(f"the pack {file} is not in the archive.") from None
    except Exception as error:  # each file system of fsspec has other errors
        raise StoreUnavailable(f"The storage of {file} does not answer.") from error


def is_url(location: str) -> bool:
    """Return whether this is a URL for fsspec rather than a folder."""
    return "://" in location


def archive_target(settings: Settings) -> Target:
    """Return the target of packs. Raises BadSetting if it cannot be reached."""
    location = settings.archive
    return (
        open_target(location, "ANNALS_ARCHIVE")
        if location
        else FolderTarget(settings.data / ARCHIVE_FOLDER)
    )


def open_target(location: str, setting: str, mode: int = PRIVATE_MODE) -> Target:
    """Return a folder, or the location of a URL. Raises BadSetting if it cannot be reached.

    `mode` is the permission of files in a folder.
    """
    scheme, _, folder = location.rpartition("://")
    if scheme in LOCAL_SCHEMES:  # a URL of a folder is a folder, with all that is checked there
        if not folder:
            raise BadSetting(f"{setting} names no folder.")
        return FolderTarget(absolute_path(folder), mode)
    if find_spec("fsspec") is None:
        raise BadSetting(
            f"{setting} is a URL, which needs fsspec: add it (docs/operations.md, Install)."
        )
    try:
        return FsspecTarget(location)
    except (ImportError, ValueError) as error:
        raise BadSetting(f"{setting} cannot be reached: {error}.") from None
