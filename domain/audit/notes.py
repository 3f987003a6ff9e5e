"""Signed notes (C2SP signed-note 1.0.0), checkpoints in them, and cosignatures of witnesses."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Iterable
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from domain.audit.errors import Unproven
from domain.audit.tree import HASH_BYTES, MAX_LEAVES

ED25519 = 1
COSIGNATURE = 4
"""Signature type of witnesses: Ed25519, with the time of signing (cosignature/v1)."""
KEY_BYTES = 32
_ID_BYTES = 4
_TIME_BYTES = 8
MAX_SIGNATURES = 64
MAX_NOTE_CHARS = 100_000
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_LINE = re.compile(r"— (?P<name>[^\s+]+) (?P<value>[A-Za-z0-9+/=]+)")
_DECIMAL = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


class Signature(Struct, frozen=True):
    """A signature line of a note: name of the owner, id of their key, and the signature."""

    name: str
    key_id: bytes
    value: bytes

    @property
    def line(self) -> str:
        """The line as it stands in a note."""
        return f"— {self.name} {b64encode(self.key_id + self.value).decode()}\n"


class Note(Struct, frozen=True):
    """A text that ends with a newline, and its signatures."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        """The whole note."""
        return f"{self.text}\n{''.join(one.line for one in self.signatures)}"


class Key(Struct, frozen=True):
    """A public key with the name of its owner and the type of its signatures."""

    name: str
    type: int
    public: bytes

    @property
    def id(self) -> bytes:
        """The key id that its signatures carry."""
        named = f"{self.name}\n".encode() + bytes([self.type]) + self.public
        return sha256(named).digest()[:_ID_BYTES]

    @property
    def vkey(self) -> str:
        """The key in text form, for publication."""
        coded = b64encode(bytes([self.type]) + self.public).decode()
        return f"{self.name}+{self.id.hex()}+{coded}"

    def claims(self, signature: Signature) -> bool:
        """Whether a signature claims to be by this key."""
        return signature.name == self.name and signature.key_id == self.id


class Signer:
    """Signs notes with an Ed25519 key; `secret` has 32 bytes."""

    def __init__(self, name: str, secret: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        self.key = Key(_check_name(name), ED25519, self._private.public_key().public_bytes_raw())

    def sign(self, text: str) -> Signature:
        """The signature of a text."""
        return Signature(self.key.name, self.key.id, self._private.sign(text.encode()))


class Witness:
    """Cosigns checkpoints: states when it saw a checkpoint, and that it saw no conflicting one."""

    def __init__(self, name: str, secret: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        public = self._private.public_key().public_bytes_raw()
        self.key = Key(_check_name(name), COSIGNATURE, public)

    def cosign(self, text: str, at_s: int) -> Signature:
        """The cosignature of a text at a time (seconds since the epoch)."""
        value = at_s.to_bytes(_TIME_BYTES, "big") + self._private.sign(
            _cosignature_message(text, at_s)
        )
        return Signature(self.key.name, self.key.id, value)


class Checkpoint(Struct, frozen=True):
    """The state of a log: its origin, its number of leaves, and their root hash."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The text that the log signs."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"


def read_note(raw: str) -> Note:
    """Parse a note. Raises Unproven if it is not one."""
    if len(raw) > MAX_NOTE_CHARS or _CONTROL.search(raw):
        raise Unproven("A note is shorter, and has no control characters.")
    text, empty, below = raw.rpartition("\n\n")
    if not empty or not below.endswith("\n"):
        raise Unproven("A note is a text, an empty line, and lines with signatures.")
    return Note(f"{text}\n", read_signatures(below))


def read_signatures(lines: str) -> tuple[Signature, ...]:
    """Parse signature lines, each with a newline at its end. Raises Unproven."""
    if not lines.endswith("\n") or lines.count("\n") > MAX_SIGNATURES:
        raise Unproven(f"A note has one to {MAX_SIGNATURES} lines with signatures.")
    return tuple(map(_read_signature, lines[:-1].split("\n")))


def read_key(vkey: str) -> Key:
    """Parse a key in text form. Raises Unproven if it is not one, or of an unknown type."""
    name, _, rest = vkey.partition("+")
    key_id, _, coded = rest.partition("+")
    raw = read_base64(coded)
    if len(raw) != 1 + KEY_BYTES or raw[0] not in (ED25519, COSIGNATURE):
        raise Unproven("This is not an Ed25519 key of a log or a witness.")
    key = Key(_check_name(name), raw[0], raw[1:])
    if key.id.hex() != key_id:
        raise Unproven("The id in a key is not that of the key.")
    return key


def read_checkpoint(text: str) -> Checkpoint:
    """Parse the text of a note as a checkpoint. Raises Unproven if it is not one.

    Lines after the third are signed as well, and ignored here.
    """
    lines = text.split("\n")
    if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
        raise Unproven("A checkpoint has three lines or more, and none is empty.")
    top = read_base64(lines[2])
    if len(top) != HASH_BYTES:
        raise Unproven("The root in a checkpoint is not a hash.")
    return Checkpoint(lines[0], read_number(lines[1]), top)


def find_signers(note: Note, keys: Iterable[Key]) -> list[Key]:
    """Those of these keys that signed a note; other signatures are ignored. Raises Unproven if a
    signature claims to be by one of these keys and is invalid.
    """
    found = []
    for key in keys:
        theirs = [one for one in note.signatures if key.claims(one)]
        if not all(_is_valid(key, note.text, one.value) for one in theirs):
            raise Unproven(f"A signature of {key.name} does not fit.")
        found += [key] if theirs else []
    return found


def time_of(cosignature: Signature) -> int:
    """When a witness signed (seconds since the epoch), from a valid cosignature."""
    return int.from_bytes(cosignature.value[:_TIME_BYTES], "big")


def read_base64(coded: str) -> bytes:
    """Decode canonical base64. Raises Unproven."""
    try:
        raw = b64decode(coded, validate=True)
    except (Error, ValueError):
        raise Unproven("This is not base64.") from None
    if b64encode(raw).decode() != coded:
        raise Unproven("This is not how base64 is written.")
    return raw


def read_number(digits: str) -> int:
    """Parse a number of leaves, or the index of one. Raises Unproven."""
    if not _DECIMAL.fullmatch(digits) or int(digits) > MAX_LEAVES:
        raise Unproven("A number has decimal digits, no zero before them, and is not that large.")
    return int(digits)


def _is_valid(key: Key, text: str, value: bytes) -> bool:
    signed = text.encode()
    if key.type == COSIGNATURE:
        at_s = int.from_bytes(value[:_TIME_BYTES], "big")
        signed, value = _cosignature_message(text, at_s), value[_TIME_BYTES:]
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(value, signed)
    except (InvalidSignature, ValueError):
        return False
    return True


def _cosignature_message(text: str, at_s: int) -> bytes:
    return f"cosignature/v1\ntime {at_s}\n{text}".encode()


def _read_signature(line: str) -> Signature:
    found = _LINE.fullmatch(line)
    if not found:
        raise Unproven("A line below a note is not a signature.")
    raw = read_base64(found["value"])
    if len(raw) <= _ID_BYTES:
        raise Unproven("A signature below a note is too short.")
    return Signature(found["name"], raw[:_ID_BYTES], raw[_ID_BYTES:])


def _check_name(name: str) -> str:
    if not name or "+" in name or name.split() != [name] or _CONTROL.search(name):
        raise Unproven("The name of a key has neither spaces nor `+`, and is not empty.")
    return name
