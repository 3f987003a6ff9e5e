"""Offline proofs (C2SP tlog-proof) that an entry is in a log, with a signed checkpoint.

If you have the entry, the file and the key of the log, you can check it without the service.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection

from msgspec import Struct

from domain.audit.errors import Unproven
from domain.audit.notes import (
    Checkpoint,
    Key,
    Note,
    find_signers,
    read_base64,
    read_checkpoint,
    read_note,
    read_number,
)
from domain.audit.tree import check_inclusion, leaf_hash

SUFFIX = ".tlog-proof"
_FIRST_LINE = "c2sp.org/tlog-proof@v1"
_MAX_HASHES = 63


class Proof(Struct, frozen=True):
    """The index of a leaf, the hashes from there to the root, and a checkpoint.

    `extra` is additional data that the proof does not cover.
    """

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: Note
    extra: bytes = b""

    def __str__(self) -> str:
        """The content of the file."""
        lines = [_FIRST_LINE]
        lines += [f"extra {b64encode(self.extra).decode()}"] if self.extra else []
        lines += [f"index {self.index}", *(b64encode(one).decode() for one in self.hashes)]
        return "\n".join([*lines, "", str(self.checkpoint)])


def read_proof(raw: str) -> Proof:
    """Parse a proof. Raises Unproven if it is not one."""
    head, empty, note = raw.partition("\n\n")
    first, *lines = head.split("\n")
    if first != _FIRST_LINE or not empty or not lines:
        raise Unproven("This is not a proof of a transparency log.")
    extra = lines.pop(0).removeprefix("extra ") if lines[0].startswith("extra ") else ""
    if not lines or not lines[0].startswith("index ") or len(lines) > _MAX_HASHES + 1:
        raise Unproven("A proof has an index, and at most 63 hashes.")
    index = read_number(lines[0].removeprefix("index "))
    return Proof(index, tuple(map(read_base64, lines[1:])), read_note(note), read_base64(extra))


def check_proof(proof: Proof, entry: bytes, keys: Collection[Key]) -> Checkpoint:
    """The checkpoint, if a log with one of these keys signed it and it contains the entry.

    Raises Unproven otherwise.
    """
    checkpoint = read_checkpoint(proof.checkpoint.text)
    ours = [key for key in keys if key.name == checkpoint.origin]
    if not find_signers(proof.checkpoint, ours):
        raise Unproven(f"The checkpoint of {checkpoint.origin} has no signature by a known key.")
    leaf = leaf_hash(entry)
    check_inclusion(proof.index, checkpoint.size, leaf, proof.hashes, checkpoint.root)
    return checkpoint
