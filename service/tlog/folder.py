"""The folder of the log: `public`, which anybody may have as it is, and beside it what is ours.

In `public` are the tiles and the checkpoint in the layout of C2SP tlog-tiles, and `keys`. Whatever
is written is whole and on the disk before anybody finds it.
"""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from domain.audit.errors import Unproven
from domain.audit.tiles import ENTRIES, WIDTH, Tile, unpack
from domain.audit.tree import HASH_BYTES
from service.runtime.atomic_write import FOR_ALL, make_folder, write_durably
from service.tlog.errors import Busy

PUBLIC = "public"
CHECKPOINT = "checkpoint"
WITNESSED = "witnessed"
"""The last checkpoint with signatures of witnesses; proofs are of that, where it is enough."""
KEYS = "keys"
REFUSED = "refused"
"""Why nothing is signed now; not there while all is well."""


class Folder:
    """The folder of a log, as processes find it that read and that write."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.public = path / PUBLIC

    def tile(self, tile: Tile) -> bytes:
        """What is in a tile, or in a bundle; Unproven if it is not there.

        A partial one that was dropped is the beginning of the full one.
        """
        content = _read(self.public / tile.path)
        if content is None and tile.width < WIDTH:
            content = _beginning(_read(self.public / tile.full.path), tile)
        if content is None:
            raise Unproven(f"{tile.path} is not there.")
        return content

    def write_tile(self, tile: Tile, content: bytes) -> None:
        """Put a tile, or a bundle, where anybody may have it."""
        write_durably(self.public / tile.path, content, FOR_ALL)

    def drop_partial(self, full: Tile) -> None:
        """Drop what a full tile has grown from."""
        path = self.public / full.path
        shutil.rmtree(path.with_name(f"{path.name}.p"), ignore_errors=True)

    def text(self, name: str) -> str | None:
        """One of the public texts; None if it is not there."""
        content = _read(self.public / name)
        return None if content is None else content.decode(errors="replace")

    def write_text(self, name: str, text: str) -> None:
        """Put a public text there."""
        write_durably(self.public / name, text.encode(), FOR_ALL)

    @property
    def refused(self) -> str | None:
        """Why nothing is signed now."""
        content = _read(self.path / REFUSED)
        return None if content is None else content.decode(errors="replace")

    def refuse(self, reason: str | None) -> None:
        """Say why nothing is signed from now on, or that all is well again."""
        if reason is None:
            (self.path / REFUSED).unlink(missing_ok=True)
        elif reason != self.refused:
            write_durably(self.path / REFUSED, reason.encode(), FOR_ALL)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder: one at a time continues a log. Busy if somebody else does."""
        make_folder(self.path)
        with (self.path / "lock").open("a") as lock:  # whoever ends lets go of it
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Busy(
                    f"Another process continues the log in {self.path}: one at a time can, so end"
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
    if tile.level == ENTRIES:
        size = sum(2 + len(entry) for entry in unpack(full)[: tile.width])
        return full[:size]
    return full[: tile.width * HASH_BYTES]
