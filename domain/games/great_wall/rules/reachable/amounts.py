"""Limits of the amounts of effects. Without them a position could occupy the service for hours."""

from __future__ import annotations

from msgspec.structs import astuple

from domain.engine.errors import require
from domain.games.great_wall.cards import ops
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.state.bills import Bill, bill_of

MAX_AMOUNT = 40
"""The most that one effect leaves to do."""
MAX_OF_ONE_ON_BILL = 20
"""The most of one kind, or of any kind, on a bill: ten Spearmen cost 20 stone."""
COSTS = frozenset(
    astuple(bill_of(op.cost))
    for script in SCRIPTS.values()
    for op in script
    if isinstance(op, ops.Recruit) and op.cost is not None
)
"""The costs of recruits on cards: GW-18.6."""


def check_left(left: int, most: int = MAX_AMOUNT) -> None:
    """Check that something is left to do, but not too much."""
    require(1 <= left <= most, f"`left` must be from 1 to {most} here.")


def check_amounts(*numbers: int) -> None:
    """Check that none of these exceeds the limit of one effect or event."""
    fits = all(0 <= number <= MAX_AMOUNT for number in numbers)
    require(fits, f"Amounts of an effect must be from 0 to {MAX_AMOUNT}.")


def check_bill(bill: Bill) -> None:
    """Refuse an impossible bill, and one with thousands of options to pay: GW-18.2."""
    check_amounts(*astuple(bill), bill.total)
    most = max(*bill.fixed, bill.any_wsg)
    require(most <= MAX_OF_ONE_ON_BILL, f"A bill has at most {MAX_OF_ONE_ON_BILL} of a kind.")


def check_recruit_cost(cost: Bill | None) -> None:
    """Refuse a cost of recruits that is on no card: GW-18.6."""
    require(cost is None or astuple(cost) in COSTS, "No card sets this cost of recruits.")
