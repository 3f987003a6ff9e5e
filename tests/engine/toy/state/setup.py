"""What is agreed on before the game, and what follows from it."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tests.engine.toy.board import COPIES, VALUES


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What can be chosen before the game."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=6)] = 3


class Setup(msgspec.Struct, frozen=True):
    """What the match goes by: how long it lasts, and how many cards of each value there are."""

    rounds: int
    bag: tuple[int, ...]


def setup(options: Options, _seats: int) -> Setup:
    """What these options come to: TOY-1.1."""
    return Setup(rounds=options.rounds, bag=(COPIES,) * len(VALUES))
