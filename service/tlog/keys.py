"""The keys of the log: those of the settings, or one that is made at the first start.

While one key takes over from another there are two, and both sign.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from secrets import token_bytes

from domain.audit.errors import Unproven
from domain.audit.notes import KEY_BYTES, Signer, read_base64
from service.runtime.atomic_write import FOR_US, write_durably
from service.runtime.settings import BadSetting

NAME = "secret-keys"


class Keys:
    """The keys of a log, the newest first; from the settings, or else in a file of the folder."""

    def __init__(self, folder: Path, given: Sequence[str]) -> None:
        self._file, self._given = folder / NAME, given

    def signers(self, origin: str) -> list[Signer]:
        """What signs for this origin now; a key is made if there is none."""
        if not self._given and not self._file.exists():
            self.add()
        return [Signer(origin, _secret(text)) for text in self._given or self._lines()]

    def add(self) -> None:
        """Make a key that signs besides those there are."""
        fresh = b64encode(token_bytes(KEY_BYTES)).decode()
        self._write([fresh, *self._lines()])

    def drop(self, origin: str, key_id: str) -> bool:
        """Let one key sign no more; False if there is none with this id, or no other."""
        lines = self._lines()
        left = [line for line in lines if Signer(origin, _secret(line)).key.id.hex() != key_id]
        if not left or len(left) == len(lines):
            return False
        self._write(left)
        return True

    def _lines(self) -> list[str]:
        if not self._file.exists():
            return []
        if self._file.stat().st_mode & 0o077 and os.name == "posix":
            raise BadSetting(f"{self._file} is open to others than its owner: chmod 600 it.")
        return self._file.read_text().split()

    def _write(self, lines: Sequence[str]) -> None:
        write_durably(self._file, "".join(f"{line}\n" for line in lines).encode(), FOR_US)


def _secret(text: str) -> bytes:
    """The 32 bytes of a key; BadSetting never repeats it."""
    try:
        raw = read_base64(text)
    except Unproven:
        raw = b""
    if len(raw) != KEY_BYTES:
        raise BadSetting("A key of the log is not 32 bytes in base64.")
    return raw
