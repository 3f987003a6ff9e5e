"""How the explorer keeps what it counts: keys within a space, and numbers that are packed.

How often something was chosen, and how much of the victory that brought in all, is one number,
so that it is counted with one command: shares are whole numbers of 840ths, as up to eight seats may
share a victory.
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

WHOLE = 840
"""A victory that nobody shares."""
_COUNT = 1 << 32
RECENT, BEST = 8, 4
"""How many matches are kept with a position: of the last, and of those with the best ratings."""
MOVE = "="
"""What a field begins with that is a move itself; its value is the sum of points."""
_SHORT, _LETTERS = 6, 8
_MONTH = len("2026-11")


class Count(msgspec.Struct, frozen=True):
    """How often something was chosen, and the shares of the victory that it brought in all."""

    n: int = 0
    shares: float = 0.0

    def __add__(self, other: Count) -> Count:
        return Count(self.n + other.n, self.shares + other.shares)


def packed(n: int, shares: float) -> int:
    """Both as one number; numbers that are added up stand for counts that are."""
    return n * _COUNT + round(shares * WHOLE)


def unpacked(number: int) -> Count:
    """The count that is packed into a number."""
    n, shares = divmod(number, _COUNT)
    return Count(n, shares / WHOLE)


def position_of(key: str) -> str:
    """A hash: each move, as it is kept, with the sum of points; and what was counted of it by the
    group that decided, and by month.
    """
    return f":p:{key}"


def recent_of(key: str) -> str:
    """A sorted set: the last matches with a position, by when they ended."""
    return f":r:{key}"


def best_of(key: str) -> str:
    """A sorted set: matches with a position, by the mean rating of their seats."""
    return f":b:{key}"


def kinds_of(variant: str, stage: int) -> str:
    """A hash: kinds of moves and groups, with what was counted."""
    return f":k:{variant}:{stage}"


def names_of(variant: str, stage: int) -> str:
    """A hash: kinds of moves and names of what is touched, with what was counted."""
    return f":n:{variant}:{stage}"


def written(move: Move) -> str:
    """A move as text."""
    return urlsafe_b64encode(pack(move)).decode()


def read(game: Game[Any], move: str) -> Move:
    """The move of a game that was written like this."""
    return read_move(game, urlsafe_b64decode(move))


def short(move: str) -> str:
    """A written move in few letters: no two of the hundreds in a position share them."""
    return urlsafe_b64encode(blake2b(move.encode(), digest_size=_SHORT).digest()).decode()


def field_of(move: str, month: str, group: str) -> str:
    """The field of a position for a move, a month such as `2026-11` and a group."""
    return f"{short(move)}{month}{group}"


def read_field(field: str) -> tuple[str, str, str]:
    """The move in short, the month and the group of a field."""
    rest = field[_LETTERS:]
    return field[:_LETTERS], rest[:_MONTH], rest[_MONTH:]


def sample(match: str, version: int, move: str) -> str:
    """A match in which a move was chosen, and the version that it made."""
    return f"{short(move)}{version}:{match}"


def read_sample(member: bytes) -> tuple[str, int, str]:
    """The move in short, the version and the match."""
    text = member.decode()
    version, _, match = text[_LETTERS:].partition(":")
    return text[:_LETTERS], int(version), match
