"""The box: cards, a die, and what can be agreed on."""

from __future__ import annotations

from typing import Annotated

import msgspec

VALUES = range(1, 7)
COPIES = 5
HAND = 3
CHALLENGES = 2
SIDES = 6


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What can be chosen before the game."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=6)] = 3


class Setup(msgspec.Struct, frozen=True):
    """What the match goes by: how long it lasts, and how many cards of each value there are."""

    rounds: int
    bag: tuple[int, ...]


def setup(options: Options, seats: int) -> Setup:
    """TOY-1.1"""
    return Setup(rounds=options.rounds, bag=(COPIES,) * len(VALUES))
