"""The steps of a turn."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Seat, Step


class Turn(Step):
    """The active player places a tile: QIN-2.10."""


class Refill(Step, kw_only=True):
    """This seat draws a tile: QIN-9.1. Secret, because the drawn tile is."""

    secret: ClassVar[bool] = True

    seat: Seat


class NextTurn(Step, kw_only=True):
    """Find the seat that is next after this one: QIN-9.3. Secret, as it depends on the hands."""

    secret: ClassVar[bool] = True

    seat: Seat
