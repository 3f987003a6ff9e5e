"""The keys of the log: those in the settings, or one that is created at the first start.

During a key rotation there are two keys, and both sign.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from secrets import token_bytes

from domain.audit.errors import Unproven
from domain.audit.notes import KEY_BYTES, Signer, read_base64
from service.runtime.atomic_write import PRIVATE_MODE, write_durably
from service.runtime.settings import BadSetting

FILE_NAME = "secret-keys"


class Keys:
    """The keys of a log, the newest first, from the settings or from a file in the folder."""

    def __init__(self, folder: Path, configured: Sequence[str]) -> None:
        self._file, self._configured = folder / FILE_NAME, configured

    def signers(self, origin: str) -> list[Signer]:
        """Return the signers for this origin; creates a key if there is none."""
        if not self._configured and not self._file.exists():
            self.add()
        return [Signer(origin, _secret(text)) for text in self._configured or self._lines()]

    def add(self) -> None:
        """Create a key that signs in addition to the others."""
        key = b64encode(token_bytes(KEY_BYTES)).decode()
        self._write([key, *self._lines()])

    def drop(self, origin: str, key_id: str) -> bool:
        """Remove a key; returns False if the id is unknown, or if it is the only key."""
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
            raise BadSetting(
                f"{self._file} is readable by others than its owner: run `chmod 600` on it."
            )
        return self._file.read_text().split()

    def _write(self, lines: Sequence[str]) -> None:
        write_durably(self._file, "".join(f"{line}\n" for line in lines).encode(), PRIVATE_MODE)


def _secret(text: str) -> bytes:
    """Return the 32 bytes of a key. Raises BadSetting, whose message does not contain the text."""
    try:
        raw = read_base64(text)
    except Unproven:
        raw = b""
    if len(raw) != KEY_BYTES:
        raise BadSetting("A key of the log is not 32 bytes in base64.")
    return raw
