"""The folder of the log: `public` with what anyone may download, and private files beside it.

`public` has the tiles and the checkpoint in the layout of C2SP tlog-tiles, and `keys`. Each file is
complete and on disk before it becomes visible.
"""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from domain.audit.errors import Unproven
from domain.audit.tiles import ENTRIES_LEVEL, TILE_WIDTH, Tile, unpack
from domain.audit.tree import HASH_BYTES
from service.runtime.atomic_write import PUBLIC_MODE, make_folder, write_durably
from service.tlog.errors import LogBusy

PUBLIC = "public"
CHECKPOINT = "checkpoint"
WITNESSED_CHECKPOINT = "witnessed"
"""The last checkpoint with signatures of witnesses; proofs use it if it covers their leaf."""
KEYS = "keys"
STOP_REASON = "stop-reason"
"""Why nothing is signed now; the file is missing while the log grows."""


class Folder:
    """The folder of a log, for readers and for the writer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.public = path / PUBLIC

    def tile(self, tile: Tile) -> bytes:
        """Return the content of a tile or bundle. Raises Unproven if it is missing.

        A partial tile that was deleted is the beginning of the full one.
        """
        content = _read(self.public / tile.path)
        if content is None and tile.width < TILE_WIDTH:
            content = _beginning(_read(self.public / tile.full.path), tile)
        if content is None:
            raise Unproven(f"{tile.path} is missing.")
        return content

    def write_tile(self, tile: Tile, content: bytes) -> None:
        """Publish a tile or a bundle."""
        write_durably(self.public / tile.path, content, PUBLIC_MODE)

    def drop_partial(self, full: Tile) -> None:
        """Delete the partial tiles of a full tile."""
        path = self.public / full.path
        shutil.rmtree(path.with_name(f"{path.name}.p"), ignore_errors=True)

    def text(self, name: str) -> str | None:
        """Return the content of a public text, or None if it is missing."""
        content = _read(self.public / name)
        return None if content is None else content.decode(errors="replace")

    def write_text(self, name: str, text: str) -> None:
        """Publish a text."""
        write_durably(self.public / name, text.encode(), PUBLIC_MODE)

    @property
    def stop_reason(self) -> str | None:
        """Why nothing is signed now; None while the log grows."""
        content = _read(self.path / STOP_REASON)
        return None if content is None else content.decode(errors="replace")

    def set_stop_reason(self, reason: str | None) -> None:
        """Record why nothing is signed; None if the log grows again."""
        if reason is None:
            (self.path / STOP_REASON).unlink(missing_ok=True)
        elif reason != self.stop_reason:
            write_durably(self.path / STOP_REASON, reason.encode(), PUBLIC_MODE)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the folder, since one process at a time may write. Raises LogBusy if another one has
        locked it.
        """
        make_folder(self.path)
        with (self.path / "lock").open("a") as lock:  # released when the process ends
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise LogBusy(
                    f"Another process has locked the log in {self.path}. Only one may run, so stop"
                    " one of them."
                ) from None
            yield


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _beginning(full: bytes | None, tile: Tile) -> bytes | None:
    if full is None:
        return None
    if tile.level == ENTRIES_LEVEL:
        size = sum(2 + len(entry) for entry in unpack(full)[: tile.width])
        return full[:size]
    return full[: tile.width * HASH_BYTES]
