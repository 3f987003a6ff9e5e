"""Worked examples of the rules: a position, the moves made in it, and what they show.

They are data in the file `examples.json` of a game. The text `example_<key>` explains each. The
rule pages show pictures of them.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import msgspec

Json = dict[str, Any]
FILE_NAME = "examples.json"


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A worked example. The rules may refuse the last of its moves."""

    key: str
    rules: tuple[str, ...]  # numbers of the rules that it shows
    seats: int
    position: Json  # input for `read_position` of the game
    moves: tuple[Json, ...]  # in order; `seat` names who moves
    options: Json = {}
    refused: str | None = None  # number of the rule that refuses the last move


def read(package: str) -> tuple[Example, ...]:
    """The examples in the folder of a package, if it has any."""
    found = files(package).joinpath(FILE_NAME)
    if not found.is_file():
        return ()
    return msgspec.json.decode(found.read_bytes(), type=tuple[Example, ...])
