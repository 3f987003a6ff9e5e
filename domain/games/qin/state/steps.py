"""The steps of a turn."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Seat, Step


class Turn(Step):
    """The active player places a tile: QIN-2.10."""


class Refill(Step, kw_only=True):
    """This seat draws a tile: QIN-9.1. Secret, as what is drawn is."""

    secret: ClassVar[bool] = True

    seat: Seat


class NextTurn(Step, kw_only=True):
    """Find who is next after this seat: QIN-9.3. Secret, as it depends on what is in the hands."""

    secret: ClassVar[bool] = True

    seat: Seat
