"""Worked examples of the rules: a position, the moves made in it, and what is to be seen by them.

They are data in the folder of a game, `examples.json`; the text `example_<key>` says what each
shows. Pictures of them stand in the rules as people read them.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import msgspec

Json = dict[str, Any]
FILE = "examples.json"


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A worked example; the last of its moves may be one that the rules refuse."""

    key: str
    rules: tuple[str, ...]  # the numbers of those that it shows
    seats: int
    position: Json  # as `read_position` of the game reads it
    moves: tuple[Json, ...]  # one after the other, each of whoever `seat` names in it
    options: Json = {}
    refused: str | None = None  # the number of the rule that forbids the last move


def read(package: str) -> tuple[Example, ...]:
    """The examples in the folder of a package; FileNotFoundError if it has none."""
    text = files(package).joinpath(FILE).read_bytes()
    return msgspec.json.decode(text, type=tuple[Example, ...])
