"""Bills, and the options to pay them: GW-18.2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import ge

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.great_wall import board, moves
from domain.games.great_wall.events import supply
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import supply as supply_steps
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.counts import Counts
from domain.games.great_wall.state.table import State

_WSG = (board.WOOD, board.STONE, board.GOLD)


def can_pay(state: State, seat: Seat, bill: Bill) -> bool:
    """Whether a seat can pay a bill in full: GW-18.2."""
    clan, total = state.clans[seat], bill.total
    if clan.honor < bill.honor or sum(clan.resources) < total:
        return False
    return _max_payment(bill, clan.resources, _wild(state, seat)) >= total


def can_warehouse_pay(state: State, bill: Bill) -> bool:
    """Whether the Warehouse holds everything on a bill: GW-8.12, GW-16.11."""
    return _max_payment(bill, state.warehouse, None) >= bill.total


def max_of_any(state: State, seat: Seat) -> int:
    """How much a seat can pay in any mix of wood, stone and gold: GW-18.2."""
    wood, stone, gold, chi = state.clans[seat].resources
    return wood + stone + gold + (chi if _wild(state, seat) == board.CHI else 0)


def charge(p: Play[State], seat: Seat, bill: Bill, rule: str) -> None:
    """Let a seat pay by this rule. It chooses if there are several options: GW-18.2."""
    if bill.total or bill.honor:
        p.then(steps.Ask(step=supply_steps.Pay((seat,), bill=bill, rule=rule)))


def charge_warehouse(p: Play[State], seat: Seat, count: int) -> None:
    """Let the Warehouse pay; the builder chooses if it holds more than that: GW-8.8."""
    if count:
        bill = Bill(any_wsg=count)
        pay = supply_steps.Pay((seat,), bill=bill, warehouse=True, rule="GW-8.8")
        p.then(steps.Ask(step=pay))


def offer_payments(state: State, step: supply_steps.Pay, seat: Seat) -> Sequence[moves.PayBill]:
    """All options to pay: GW-8.8, GW-18.2."""
    have, wild = _purse(state, step, seat)
    bill = step.bill
    total, mixed = bill.total, bill.any_wsg
    if wild is None and not mixed and not bill.less:  # there is only one option
        enough = all(map(ge, have, bill.fixed))
        return (moves.PayBill(seat, *bill.fixed),) if enough else ()
    caps = [
        min(count, total if number == wild or (mixed and number in _WSG) else named)
        for number, (count, named) in enumerate(zip(have, bill.fixed, strict=True))
    ]
    return _list_payments(seat, bill, tuple(caps), wild)


@lru_cache(2**12)
def _list_payments(
    seat: Seat, bill: Bill, caps: Counts, wild: int | None
) -> Sequence[moves.PayBill]:
    """All options to pay a bill with at most `caps` of each resource."""
    return tuple(
        moves.PayBill(seat, *paid)
        for paid in _list_mixes(bill.total, caps)
        if _fits(paid, bill, wild)
    )


def _list_mixes(total: int, caps: Counts) -> Iterator[tuple[int, int, int, int]]:
    """All mixes of `total` resources, with at most `caps` of each."""
    for chi in range(caps[board.CHI] + 1):
        for wood in range(min(caps[board.WOOD], total - chi) + 1):
            left = total - chi - wood
            for stone in range(max(0, left - caps[board.GOLD]), min(caps[board.STONE], left) + 1):
                yield wood, stone, left - stone, chi


def check_payment(state: State, step: supply_steps.Pay, move: moves.PayBill) -> None:
    """Refuse too much, too little, and resources that the payer does not have: GW-8.8, GW-18.2."""
    have, wild = _purse(state, step, move.seat)
    paid = (move.wood, move.stone, move.gold, move.chi)
    if any(count > there for count, there in zip(paid, have, strict=True)):
        raise RuleBroken("GW-18.2", "not_there", "fault_not_there_to_pay")
    if sum(paid) != step.bill.total or not _fits(paid, step.bill, wild):
        raise RuleBroken("GW-18.2", "wrong_payment", total=step.bill.total)


def pay(p: Play[State], step: supply_steps.Pay, move: moves.PayBill) -> None:
    """Pay from the seat's pool, or from the Warehouse."""
    row = zip(board.RESOURCES, (move.wood, move.stone, move.gold, move.chi), strict=True)
    paid: board.Cost = {name: count for name, count in row if count}
    if step.warehouse:
        p.emit(supply.WarehousePaid(move.seat, paid, step.rule))
    elif paid or not step.bill.honor:
        p.emit(supply.Paid(move.seat, paid, step.bill.honor, step.rule))
    else:
        p.emit(supply.HonorChanged(move.seat, -step.bill.honor, "costs", step.rule))


def _purse(state: State, step: supply_steps.Pay, seat: Seat) -> tuple[Counts, int | None]:
    """The resources to pay with, and the number of the resource that pays for any other."""
    if step.warehouse:
        return state.warehouse, None
    return state.clans[seat].resources, _wild(state, seat)


def _wild(state: State, seat: Seat) -> int | None:
    resource = modifiers.wild_resource(state, seat)
    return None if resource is None else board.RESOURCE_NUMBER[resource]


def _max_payment(bill: Bill, have: Counts, wild: int | None) -> int:
    """How many resources can go towards a bill."""
    named = spare = free = 0
    for number, (count, asked) in enumerate(zip(have, bill.fixed, strict=True)):
        if number == wild:
            free = count
        elif count <= asked:
            named += count
        else:
            named += asked
            spare += count - asked if number in _WSG else 0
    return named + min(spare, bill.any_wsg) + free


def _fits(paid: Counts, bill: Bill, wild: int | None) -> bool:
    """Whether the free part of the bill, or a wild resource, covers what the bill does not name."""
    over = 0
    for number, (count, asked) in enumerate(zip(paid, bill.fixed, strict=True)):
        if count > asked and number != wild:
            if number not in _WSG:
                return False
            over += count - asked
    return over <= bill.any_wsg
