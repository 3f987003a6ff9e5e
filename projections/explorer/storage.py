"""How the explorer stores its counts: keys within a space, and packed numbers.

How often a move was chosen and the sum of its shares of the victory are one number, so one command
counts both. Shares are whole numbers of 840ths, since up to eight seats may share a victory.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b
from typing import Any

import msgspec

from domain.engine.codecs.binary_codec import pack
from domain.engine.game import Game
from domain.engine.play import Move
from domain.match.log import read_move

VICTORY_UNITS = 840
"""A whole victory, which one seat has for itself."""
_COUNT_UNIT = 1 << 32
MAX_RECENT, MAX_BEST = 8, 4
"""Maximum number of samples of a position: latest matches, and those with the best ratings."""
MOVE_PREFIX = "="
"""The prefix of a field whose name is a move and whose value is the sum of points."""
_HASH_BYTES, _HASH_CHARS = 6, 8
_MONTH_CHARS = len("2026-11")


class Count(msgspec.Struct, frozen=True):
    """How often something was chosen, and the sum of its shares of the victory."""

    n: int = 0
    shares: float = 0.0

    def __add__(self, other: Count) -> Count:
        return Count(self.n + other.n, self.shares + other.shares)


def pack_count(n: int, shares: float) -> int:
    """Both as one number; the sum of such numbers stands for the sum of the counts."""
    return n * _COUNT_UNIT + round(shares * VICTORY_UNITS)


def unpack_count(number: int) -> Count:
    """Return the count in a packed number."""
    n, shares = divmod(number, _COUNT_UNIT)
    return Count(n, shares / VICTORY_UNITS)


def moves_key(key: str) -> str:
    """Return a hash: each move with the sum of its points, and its counts by group and month."""
    return f":p:{key}"


def recent_key(key: str) -> str:
    """Return a sorted set: the latest matches with a position, by the time of their end."""
    return f":r:{key}"


def best_key(key: str) -> str:
    """Return a sorted set: matches with a position, by the mean rating of their seats."""
    return f":b:{key}"


def kinds_key(variant: str, stage: int) -> str:
    """Return a hash: counts by kind of move and group."""
    return f":k:{variant}:{stage}"


def names_key(variant: str, stage: int) -> str:
    """Return a hash: counts by kind of move and the name of a touched thing."""
    return f":n:{variant}:{stage}"


def encode_move(move: Move) -> str:
    """Return a move as text."""
    return urlsafe_b64encode(pack(move)).decode()


def decode_move(game: Game[Any], move: str) -> Move:
    """Return the move of a game from its text."""
    return read_move(game, urlsafe_b64decode(move))


def hash_move(move: str) -> str:
    """Return a short hash of a move's text, unique among the hundreds of moves of a position."""
    return urlsafe_b64encode(blake2b(move.encode(), digest_size=_HASH_BYTES).digest()).decode()


def count_field(move: str, month: str, group: str) -> str:
    """Return the field of a position for a move, a month such as `2026-11` and a group."""
    return f"{hash_move(move)}{month}{group}"


def read_count_field(field: str) -> tuple[str, str, str]:
    """Return the short hash of the move, the month and the group of a field."""
    rest = field[_HASH_CHARS:]
    return field[:_HASH_CHARS], rest[:_MONTH_CHARS], rest[_MONTH_CHARS:]


def write_sample(match: str, version: int, move: str) -> str:
    """Return the member for a match in which a move was chosen, with the version of that move."""
    return f"{hash_move(move)}{version}:{match}"


def read_sample(member: bytes) -> tuple[str, int, str]:
    """Return the short hash of the move, the version and the match."""
    text = member.decode()
    version, _, match = text[_HASH_CHARS:].partition(":")
    return text[:_HASH_CHARS], int(version), match
