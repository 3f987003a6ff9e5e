"""The options of the game, and the setup that follows from them."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tests.engine.toy.board import COPIES, VALUES


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options that a host chooses before the game."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=6)] = 3


class Setup(msgspec.Struct, frozen=True):
    """The number of rounds, and the number of cards of each value."""

    rounds: int
    bag: tuple[int, ...]


def setup(options: Options, _seats: int) -> Setup:
    """The setup of these options: TOY-1.1."""
    return Setup(rounds=options.rounds, bag=(COPIES,) * len(VALUES))
