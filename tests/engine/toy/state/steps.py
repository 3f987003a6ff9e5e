"""The steps of a round."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Seat, Step


class Round(Step, kw_only=True):
    """The next round begins, or the game ends: TOY-2.1."""

    number: int


class Choose(Step):
    """Lay down a card, sealed: TOY-2.2."""


class Reveal(Step):
    """Show the sealed cards: TOY-2.3."""

    secret: ClassVar[bool] = True


class Challenge(Step, kw_only=True):
    """Challenge another seat, or pass: TOY-3.1."""

    left: int


class Respond(Step, kw_only=True):
    """Give in to this card, or counter it: TOY-3.2."""

    to: Seat
    card: int


class Replace(Step, kw_only=True):
    """Draw a card for a shown one: TOY-3.4."""

    by: Seat


class Refill(Step):
    """Draw until all hands are full: TOY-1.2."""


AnyStep = Round | Choose | Reveal | Challenge | Respond | Replace | Refill
