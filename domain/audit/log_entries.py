"""The leaves of the log of a service: that a match was opened, and its head at some version.

Each is a text of a few lines, and says nothing of a match but its id and what commits to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Literal, get_args

from msgspec import Struct

from domain.audit.errors import Unproven
from domain.audit.tree import HASH_BYTES

State = Literal["ended", "turn", "aborted"]
"""How a match stood: it was over, it went on, it came to nothing."""
_HEX = "[0-9a-f]{64}"
_MATCH = r"(?P<match>[!-~]{1,100})"
_OPEN = re.compile(
    rf"annals/v1\nopen\nmatch {_MATCH}\nseed_hash (?P<seed_hash>{_HEX})\n"
    rf"nonces (?P<nonces>{_HEX})\n"
)
_HEAD = re.compile(
    rf"annals/v1\nhead\nmatch {_MATCH}\nversion (?P<version>[1-9][0-9]{{0,17}})\n"
    rf"head (?P<head>{_HEX})\nstate (?P<state>{'|'.join(get_args(State))})\n"
)


class OpenLeaf(Struct, frozen=True):
    """A match was opened with this seed and these commitments to nonces, before anything happened
    in it: both are hashes, in hexadecimal.
    """

    match: str
    seed_hash: str
    nonces: str

    @property
    def entry(self) -> bytes:
        """The text of the leaf."""
        return (
            f"annals/v1\nopen\nmatch {self.match}\nseed_hash {self.seed_hash}\n"
            f"nonces {self.nonces}\n"
        ).encode()


class HeadLeaf(Struct, frozen=True):
    """The head of the chain of a match at a version, in hexadecimal, and how the match stood."""

    match: str
    version: int
    head: str
    state: State

    @property
    def entry(self) -> bytes:
        """The text of the leaf."""
        return (
            f"annals/v1\nhead\nmatch {self.match}\nversion {self.version}\n"
            f"head {self.head}\nstate {self.state}\n"
        ).encode()


Leaf = OpenLeaf | HeadLeaf


def nonces_hash(commitments: Iterable[str | None]) -> str:
    """The hash over the commitments of the seats to their nonces, each in hexadecimal; 32 zero
    bytes for a seat that has none yet.
    """
    told = (bytes.fromhex(one) if one else bytes(HASH_BYTES) for one in commitments)
    return sha256(b"".join(told)).hexdigest()


def read_leaf(entry: bytes) -> Leaf:
    """What a leaf says; Unproven if no leaf of ours says that."""
    try:
        text = entry.decode("ascii")
    except UnicodeDecodeError:
        raise Unproven("A leaf of this log is plain text.") from None
    if found := _OPEN.fullmatch(text):
        return OpenLeaf(**found.groupdict())
    if found := _HEAD.fullmatch(text):
        return HeadLeaf(
            found["match"], int(found["version"]), found["head"], _state(found["state"])
        )
    raise Unproven("This is not a leaf of a log of matches.")


def _state(word: str) -> State:
    return next(state for state in get_args(State) if state == word)
