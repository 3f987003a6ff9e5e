"""What there can still be to do with Shame, resources and tactic cards."""

from __future__ import annotations

from domain.engine.play import Seat, Step
from domain.games.great_wall import board
from domain.games.great_wall.state.bills import Bill


class GainShame(Step, kw_only=True):
    """Get so many Shame tokens, one by one: GW-11.2."""

    seat: Seat
    left: int
    got: int = 0


class PlaceShame(Step):
    """Put a Shame token under a soldier or on a claimed Horde card: GW-11.2."""


class DiscardShame(Step, kw_only=True):
    """Return so many more Shame tokens: GW-11.4, GW-12.2, GW-18.6."""

    left: int
    bill: Bill = Bill()


class Pay(Step, kw_only=True):
    """Choose what is paid, out of the own resources or out of the Warehouse: GW-8.8, GW-18.2."""

    bill: Bill
    warehouse: bool = False


class TakeResources(Step, kw_only=True):
    """Take so many more resources of one's choice: GW-18.6."""

    left: int
    resources: tuple[board.Resource, ...]
    different: bool = False


class LoseResources(Step, kw_only=True):
    """Give back so many more resources of one's choice: GW-18.6."""

    left: int
    resources: tuple[board.Resource, ...]


class StockWarehouse(Step, kw_only=True):
    """Put so many more resources from the supply into the Warehouse: GW-18.6."""

    left: int
    resources: tuple[board.Resource, ...]


class DiscardTactics(Step, kw_only=True):
    """Discard tactic cards until so many are left: GW-9.5, GW-18.6."""

    keep: int
