"""How much an effect can be about: else a position could keep the service busy for hours."""

from __future__ import annotations

from msgspec.structs import astuple

from domain.engine.errors import require
from domain.games.great_wall.cards import ops
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.state.bills import Bill, bill_of

MOST = 40
"""More than that is never left to do by one effect."""
MOST_OF_ONE = 20
"""More of one kind, or of any kind, is on no bill: ten Spearmen cost 20 stone."""
COSTS = frozenset(
    astuple(bill_of(op.cost))
    for script in SCRIPTS.values()
    for op in script
    if isinstance(op, ops.Recruit) and op.cost is not None
)
"""What cards let recruits cost: GW-18.6."""


def some(left: int, most: int = MOST) -> None:
    """There is something left to do, and not too much."""
    require(1 <= left <= most, f"`left` goes from 1 to {most} there.")


def few(*numbers: int) -> None:
    """None of these is more than one effect, or one event, is about."""
    fits = all(0 <= number <= MOST for number in numbers)
    require(fits, f"What an effect is about goes from 0 to {MOST}.")


def check_bill(bill: Bill) -> None:
    """Refuse a bill that nothing costs, and that could be paid in thousands of ways: GW-18.2."""
    few(*astuple(bill), bill.total)
    most = max(*bill.fixed, bill.any_wsg)
    require(most <= MOST_OF_ONE, f"A bill is for {MOST_OF_ONE} of a kind at most.")


def check_recruit_cost(cost: Bill | None) -> None:
    """Refuse a cost of recruits that no card names: GW-18.6."""
    require(cost is None or astuple(cost) in COSTS, "No card lets recruits cost that.")
