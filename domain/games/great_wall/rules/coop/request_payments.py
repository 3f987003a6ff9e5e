"""What is paid for Requests: by each player, by all together, by the Warehouse: GW-18.10."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cache, partial
from typing import get_args

from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat, Step
from domain.games.great_wall import moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.requests import Payment, Share
from domain.games.great_wall.events import requests
from domain.games.great_wall.rules.coop import sacrifices
from domain.games.great_wall.rules.goods import payments, supply
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.counts import put
from domain.games.great_wall.state.steps import supply as supply_steps
from domain.games.great_wall.state.steps import year
from domain.games.great_wall.state.steps.requests import (
    AskShares,
    CollectPayments,
    Due,
    FulfilRequests,
    Kind,
    OfferShare,
    PayRequest,
)
from domain.games.great_wall.state.table import State

KINDS: tuple[Kind, ...] = get_args(Kind)


# what is asked for


def of_each(state: State, request: str) -> Due:
    """What each player alone pays for a Request: GW-18.10."""
    told = (need.pay_each for need in decks.REQUESTS[request].needs)
    return _due(tuple(payment for payment in told if payment), state.seats)


def of_all(state: State, request: str) -> Due:
    """What all players together pay for a Request: GW-18.10."""
    told = (need.pay_together for need in decks.REQUESTS[request].needs)
    return _due(tuple(payment for payment in told if payment), state.seats)


def of_warehouse(state: State, request: str) -> Bill:
    """What leaves the Warehouse for a Request: GW-18.10."""
    told = (need.pay_warehouse for need in decks.REQUESTS[request].needs)
    due = _due(tuple(payment for payment in told if payment), state.seats)
    return replace(due.bill, any_wsg=due.any)  # there is no chi in it: GW-8.12


@cache
def _due(told: tuple[Payment, ...], seats: int) -> Due:
    """What these payments come to with so many players."""
    return Due(**{kind: sum(_amount(one, kind, seats) for one in told) for kind in KINDS})


def _amount(payment: Payment, kind: Kind, seats: int) -> int:
    if kind == "soldiers":
        return payment.sacrifice.n if payment.sacrifice else 0
    share: Share = getattr(payment, kind)
    return share if isinstance(share, int) else share.per_player * seats + share.plus


# what there is to pay with


def payable(state: State, request: str) -> bool:
    """Whether everything that a Request costs could be paid now: GW-16.11."""
    each, together = of_each(state, request), of_all(state, request)
    seats = range(state.seats)
    return (
        all(can_pay(state, seat, each, request) for seat in seats)
        and all(
            sum(_most(state, seat, each, request, kind, left) for seat in seats) >= left
            for kind in KINDS
            if (left := getattr(together, kind))
        )
        and payments.affordable_in_warehouse(state, of_warehouse(state, request))
    )


def can_pay(state: State, seat: Seat, due: Due, request: str) -> bool:
    """Whether a seat has all of this: GW-16.11, GW-18.2."""
    there, bill = sum(state.clans[seat].resources), due.bill
    return (
        payments.affordable(state, seat, bill)
        and there >= bill.total + due.any
        and (not due.soldiers or len(sacrifices.soldiers(state, seat, request)) >= due.soldiers)
    )


def _most(state: State, seat: Seat, due: Due, request: str, kind: Kind, left: int) -> int:
    """How much of this, up to what is missing, a seat can pay on top of its due: GW-16.11."""
    refused = partial(_refused, state, seat, due, request, kind)
    return bisect_left(range(1, left + 1), x=True, key=refused)


def _refused(state: State, seat: Seat, due: Due, request: str, kind: Kind, more: int) -> bool:
    return not can_pay(state, seat, _added(due, kind, more), request)


def _added(due: Due, kind: Kind, count: int) -> Due:
    return replace(due, **{kind: getattr(due, kind) + count})


# who agrees, who offers what


def plan(state: State, declarer: Seat, request: str) -> Iterator[Step]:
    """How the payments for a Request come about: nothing is paid before all is agreed: GW-16.11."""
    each, together = of_each(state, request), of_all(state, request)
    others = tuple(seat for seat in range(state.seats) if seat != declarer)
    if each != Due() and others:
        yield PayRequest(others, request=request)
    in_tea_order = state.players
    first = in_tea_order.index(declarer)
    asked = (*in_tea_order[first:], *in_tea_order[:first])
    for kind in KINDS:
        if getattr(together, kind):
            yield AskShares(request=request, kind=kind, waiting=asked)
    yield CollectPayments(request=request, declarer=declarer, dues=(each,) * state.seats)


def agree(p: Play[State], _step: PayRequest, move: moves.AgreeToPay) -> None:
    """Agree to pay one's own part: GW-16.11."""
    p.emit(requests.PaymentAgreed(move.seat, move.request))


def check_request(_state: State, step: PayRequest, move: moves.AgreeToPay) -> None:
    """Refuse to pay for another Request than the declared one: GW-16.11."""
    if move.request != step.request:
        raise RuleBroken("GW-16.11", "not_declared")


def demands(_state: State, step: PayRequest, seat: Seat) -> Iterator[moves.AgreeToPay]:
    """The declared Request: GW-16.11."""
    yield moves.AgreeToPay(seat, step.request)


def refuse(p: Play[State], step: PayRequest, move: moves.RefuseToPay) -> None:
    """One who does not agree is enough: nobody pays: GW-16.11."""
    p.emit(requests.PaymentRefused(move.seat, step.request))
    _give_up(p, step.request)


def ask_shares(p: Play[State], step: AskShares) -> None:
    """Ask the next for a share while some is missing; give up if it cannot be had: GW-16.11."""
    left = missing(p.state, step.request, step.kind)
    dues = p.state.agenda[_collecting(p.state)].dues
    hoped = sum(
        _most(p.state, seat, dues[seat], step.request, step.kind, left) for seat in step.waiting
    )
    if left and hoped < left:
        p.emit(requests.SharesMissing(step.request, step.kind, left))
        _give_up(p, step.request)
    elif left:
        seat, *others = step.waiting
        p.then(
            year.Ask(step=OfferShare((seat,), request=step.request, kind=step.kind, left=left)),
            replace(step, waiting=tuple(others)),
        )


def missing(state: State, request: str, kind: Kind) -> int:
    """How much of what all pay together nobody has offered yet: GW-16.11."""
    each, together = of_each(state, request), of_all(state, request)
    dues: tuple[Due, ...] = state.agenda[_collecting(state)].dues
    offered: int = sum(getattr(due, kind) - getattr(each, kind) for due in dues)
    total: int = getattr(together, kind)
    return total - offered


def shares(state: State, step: OfferShare, seat: Seat) -> Iterator[moves.GiveShare]:
    """Each amount up to what is missing that this seat can pay: GW-16.11."""
    most = _most_of(state, step, seat)
    return (moves.GiveShare(seat, amount) for amount in range(1, most + 1))


def check_share(state: State, step: OfferShare, move: moves.GiveShare) -> None:
    """Refuse more than is missing, or than this seat has: GW-16.11."""
    if not 1 <= move.amount <= _most_of(state, step, move.seat):
        raise RuleBroken("GW-16.11", "not_offered")


def _most_of(state: State, step: OfferShare, seat: Seat) -> int:
    due = state.agenda[_collecting(state)].dues[seat]
    return _most(state, seat, due, step.request, step.kind, step.left)


def offer(p: Play[State], step: OfferShare, move: moves.GiveShare) -> None:
    """Promise a share, which is paid when all is promised: GW-16.11."""
    p.emit(requests.ShareOffered(move.seat, step.request, step.kind, move.amount))
    at = _collecting(p.state)
    collecting: CollectPayments = p.state.agenda[at]
    due = _added(collecting.dues[move.seat], step.kind, move.amount)
    p.state.agenda[at] = replace(collecting, dues=put(collecting.dues, move.seat, due))


def _collecting(state: State) -> int:
    """Where on the agenda the payments wait until all have agreed."""
    agenda = state.agenda
    return next(
        at for at in reversed(range(len(agenda))) if isinstance(agenda[at], CollectPayments)
    )


def _give_up(p: Play[State], request: str) -> None:
    """Nobody pays; whoever declared it cannot do so again this Winter: GW-16.11."""
    agenda = p.state.agenda
    declarer = agenda[_collecting(p.state)].declarer
    at = next(at for at in reversed(range(len(agenda))) if isinstance(agenda[at], FulfilRequests))
    below: FulfilRequests = agenda[at]
    agenda[at:] = [replace(below, failed=(*below.failed, (declarer, request)))]


def collect(p: Play[State], step: CollectPayments) -> None:
    """All pay at once what they agreed to, and the Warehouse its part: GW-16.11."""
    bill = of_warehouse(p.state, step.request)
    if bill.total:
        pay = supply_steps.Pay((step.declarer,), bill=bill, warehouse=True)
        p.then(year.Ask(step=pay))
    for seat in reversed(p.state.players):
        due = step.dues[seat]
        sacrifices.ask(p, seat, due.soldiers, step.request)
        supply.lose_any(p, seat, due.any)
        payments.charge(p, seat, due.bill)
