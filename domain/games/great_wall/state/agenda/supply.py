"""Steps about Shame, resources and tactic cards."""

from __future__ import annotations

from domain.engine.play import Seat, Step
from domain.games.great_wall import board
from domain.games.great_wall.state.bills import Bill


class GainShame(Step, kw_only=True):
    """Get `left` more Shame tokens, one by one."""

    seat: Seat
    left: int
    got: int = 0
    rule: str = "GW-13.6"


class PlaceShame(Step):
    """Put a Shame token under a soldier or on a claimed Horde card."""

    rule: str = "GW-13.6"


class DiscardShame(Step, kw_only=True):
    """Return up to `left` more Shame tokens."""

    left: int
    bill: Bill = Bill()
    rule: str = "GW-12.2"


class Pay(Step, kw_only=True):
    """Choose what to pay, from the seat's resources or from the Warehouse."""

    bill: Bill
    warehouse: bool = False
    rule: str = "GW-18.6"


class TakeResources(Step, kw_only=True):
    """Choose `left` more resources to take."""

    left: int
    resources: tuple[board.Resource, ...]
    different: bool = False
    rule: str = "GW-18.6"


class LoseResources(Step, kw_only=True):
    """Choose `left` more resources to give back."""

    left: int
    resources: tuple[board.Resource, ...]
    rule: str = "GW-18.6"


class StockWarehouse(Step, kw_only=True):
    """Choose `left` more resources to put from the supply into the Warehouse: GW-18.6."""

    left: int
    resources: tuple[board.Resource, ...]


class DiscardTactics(Step, kw_only=True):
    """Discard tactic cards until `keep` are left."""

    keep: int
    rule: str = "GW-9.5"
