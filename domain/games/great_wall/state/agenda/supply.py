"""Steps about Shame, resources and tactic cards."""

from __future__ import annotations

from domain.engine.play import Seat, Step
from domain.games.great_wall import board
from domain.games.great_wall.state.bills import Bill


class GainShame(Step, kw_only=True):
    """Get `left` more Shame tokens, one by one: GW-11.2."""

    seat: Seat
    left: int
    got: int = 0


class PlaceShame(Step):
    """Put a Shame token under a soldier or on a claimed Horde card: GW-11.2."""


class DiscardShame(Step, kw_only=True):
    """Return up to `left` more Shame tokens: GW-11.4, GW-12.2, GW-18.6."""

    left: int
    bill: Bill = Bill()


class Pay(Step, kw_only=True):
    """Choose what to pay, from the seat's resources or from the Warehouse: GW-8.8, GW-18.2."""

    bill: Bill
    warehouse: bool = False


class TakeResources(Step, kw_only=True):
    """Choose `left` more resources to take: GW-18.6."""

    left: int
    resources: tuple[board.Resource, ...]
    different: bool = False


class LoseResources(Step, kw_only=True):
    """Choose `left` more resources to give back: GW-18.6."""

    left: int
    resources: tuple[board.Resource, ...]


class StockWarehouse(Step, kw_only=True):
    """Choose `left` more resources to put from the supply into the Warehouse: GW-18.6."""

    left: int
    resources: tuple[board.Resource, ...]


class DiscardTactics(Step, kw_only=True):
    """Discard tactic cards until `keep` are left: GW-9.5, GW-18.6."""

    keep: int
