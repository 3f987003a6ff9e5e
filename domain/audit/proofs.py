"""Proofs that stand alone (C2SP tlog-proof): that an entry is in a log, with a signed checkpoint.

Whoever has the entry, the file and the key of the log needs nobody to check it.
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
    read_base64,
    read_checkpoint,
    read_note,
    read_number,
    signed_by,
)
from domain.audit.tree import check_inclusion, leaf_hash

SUFFIX = ".tlog-proof"
_FIRST = "c2sp.org/tlog-proof@v1"
_MOST_HASHES = 63


class Proof(Struct, frozen=True):
    """Which leaf of a log it is, what leads from there to the root, and a checkpoint.

    `extra` is for whoever reads it; nothing vouches for it.
    """

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: Note
    extra: bytes = b""

    def __str__(self) -> str:
        """The file."""
        lines = [_FIRST]
        lines += [f"extra {b64encode(self.extra).decode()}"] if self.extra else []
        lines += [f"index {self.index}", *(b64encode(one).decode() for one in self.hashes)]
        return "\n".join([*lines, "", str(self.checkpoint)])


def read_proof(raw: str) -> Proof:
    """A proof as it was written; Unproven if it is none."""
    head, empty, note = raw.partition("\n\n")
    first, *lines = head.split("\n")
    if first != _FIRST or not empty or not lines:
        raise Unproven("This is not a proof of a transparency log.")
    extra = lines.pop(0).removeprefix("extra ") if lines[0].startswith("extra ") else ""
    if not lines or not lines[0].startswith("index ") or len(lines) > _MOST_HASHES + 1:
        raise Unproven("A proof has an index, and at most 63 hashes.")
    index = read_number(lines[0].removeprefix("index "))
    return Proof(index, tuple(map(read_base64, lines[1:])), read_note(note), read_base64(extra))


def check_proof(proof: Proof, entry: bytes, keys: Collection[Key]) -> Checkpoint:
    """What the checkpoint says, if the log with one of these keys signed it and the entry is in it;
    Unproven.
    """
    checkpoint = read_checkpoint(proof.checkpoint.text)
    ours = [key for key in keys if key.name == checkpoint.origin]
    if not signed_by(proof.checkpoint, ours):
        raise Unproven(f"The checkpoint of {checkpoint.origin} has no signature by a known key.")
    leaf = leaf_hash(entry)
    check_inclusion(proof.index, checkpoint.size, leaf, proof.hashes, checkpoint.root)
    return checkpoint
