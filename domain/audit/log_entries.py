"""The leaves of a service's log: the opening of a match, and its head at some versions.

Each is a text of a few lines. It contains nothing of a match but its id and commitments.
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
"""The state of a match: it has ended, it goes on, or it was cancelled."""
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
    """The opening of a match, with hashes (in hexadecimal) of its seed and of the nonce
    commitments. It is written before any other entry.
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
    """The head of a match at a version, in hexadecimal, and the state of the match."""

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
    """The hash of the nonce commitments (in hexadecimal) of all seats; 32 zero bytes for a seat
    without one.
    """
    hashes = (bytes.fromhex(one) if one else bytes(HASH_BYTES) for one in commitments)
    return sha256(b"".join(hashes)).hexdigest()


def read_leaf(entry: bytes) -> Leaf:
    """Parse a leaf. Raises Unproven if it is not one of this log."""
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
