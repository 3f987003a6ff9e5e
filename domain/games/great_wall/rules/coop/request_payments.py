"""Payments for Requests: by each player, by all together, by the Warehouse: GW-18.10."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache, partial
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
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import requests as request_steps
from domain.games.great_wall.state.agenda import supply as supply_steps
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.counts import put
from domain.games.great_wall.state.table import State

KINDS: tuple[request_steps.Kind, ...] = get_args(request_steps.Kind)


# what a Request asks for


def of_each(state: State, request: str) -> request_steps.Due:
    """What each player pays for a Request: GW-18.10."""
    found = (need.pay_each for need in decks.REQUESTS[request].needs)
    return _due(tuple(payment for payment in found if payment), state.seats)


def of_all(state: State, request: str) -> request_steps.Due:
    """What all players pay together for a Request: GW-18.10."""
    found = (need.pay_together for need in decks.REQUESTS[request].needs)
    return _due(tuple(payment for payment in found if payment), state.seats)


def of_warehouse(state: State, request: str) -> Bill:
    """What the Warehouse pays for a Request: GW-18.10."""
    found = (need.pay_warehouse for need in decks.REQUESTS[request].needs)
    due = _due(tuple(payment for payment in found if payment), state.seats)
    return replace(due.bill, any_wsg=due.any)  # without chi: GW-8.12


@lru_cache(2**9)
def _due(found: tuple[Payment, ...], seats: int) -> request_steps.Due:
    """The sum of these payments with this number of players."""
    return request_steps.Due(
        **{kind: sum(_amount(one, kind, seats) for one in found) for kind in KINDS}
    )


def _amount(payment: Payment, kind: request_steps.Kind, seats: int) -> int:
    if kind == "soldiers":
        return payment.sacrifice.n if payment.sacrifice else 0
    share: Share = getattr(payment, kind)
    return share if isinstance(share, int) else share.per_player * seats + share.plus


# what players can pay


def can_be_paid(state: State, request: str) -> bool:
    """Whether the players and the Warehouse can pay for a Request now: GW-16.11."""
    each, together = of_each(state, request), of_all(state, request)
    seats = range(state.seats)
    return (
        all(can_pay(state, seat, each, request) for seat in seats)
        and all(
            sum(_max_payment(state, seat, each, request, kind, left) for seat in seats) >= left
            for kind in KINDS
            if (left := getattr(together, kind))
        )
        and payments.can_warehouse_pay(state, of_warehouse(state, request))
    )


def can_pay(state: State, seat: Seat, due: request_steps.Due, request: str) -> bool:
    """Whether a seat can pay all of this: GW-16.11, GW-18.2."""
    there, bill = sum(state.clans[seat].resources), due.bill
    return (
        payments.can_pay(state, seat, bill)
        and there >= bill.total + due.any
        and (
            not due.soldiers or len(sacrifices.find_soldiers(state, seat, request)) >= due.soldiers
        )
    )


def _max_payment(
    state: State,
    seat: Seat,
    due: request_steps.Due,
    request: str,
    kind: request_steps.Kind,
    left: int,
) -> int:
    """How much of this kind, up to what is missing, a seat can pay on top of its due: GW-16.11."""
    refused = partial(_has_refused, state, seat, due, request, kind)
    return bisect_left(range(1, left + 1), x=True, key=refused)


def _has_refused(
    state: State,
    seat: Seat,
    due: request_steps.Due,
    request: str,
    kind: request_steps.Kind,
    more: int,
) -> bool:
    return not can_pay(state, seat, _add(due, kind, more), request)


def _add(due: request_steps.Due, kind: request_steps.Kind, count: int) -> request_steps.Due:
    return replace(due, **{kind: getattr(due, kind) + count})


# agreements and offers


def plan_payments(state: State, declarer: Seat, request: str) -> Iterator[Step]:
    """The steps of paying for a Request. No player pays before all agreed: GW-16.11."""
    each, together = of_each(state, request), of_all(state, request)
    others = tuple(seat for seat in range(state.seats) if seat != declarer)
    if each != request_steps.Due() and others:
        yield request_steps.PayRequest(others, request=request)
    in_tea_order = state.players
    first = in_tea_order.index(declarer)
    asked = (*in_tea_order[first:], *in_tea_order[:first])
    for kind in KINDS:
        if getattr(together, kind):
            yield request_steps.AskShares(request=request, kind=kind, waiting=asked)
    yield request_steps.CollectPayments(
        request=request, declarer=declarer, dues=(each,) * state.seats
    )


def agree(p: Play[State], _step: request_steps.PayRequest, move: moves.AgreeToPay) -> None:
    """Record that a seat agrees to pay its part: GW-16.11."""
    p.emit(requests.PaymentAgreed(move.seat, move.request))


def check_request(_state: State, step: request_steps.PayRequest, move: moves.AgreeToPay) -> None:
    """Refuse a Request that is not the declared one: GW-16.11."""
    if move.request != step.request:
        raise RuleBroken("GW-16.11", "not_declared")


def offer_demand(
    _state: State, step: request_steps.PayRequest, seat: Seat
) -> Iterator[moves.AgreeToPay]:
    """The declared Request: GW-16.11."""
    yield moves.AgreeToPay(seat, step.request)


def refuse(p: Play[State], step: request_steps.PayRequest, move: moves.RefuseToPay) -> None:
    """Record a refusal; one is enough, and no player pays: GW-16.11."""
    p.emit(requests.PaymentRefused(move.seat, step.request))
    _give_up(p, step.request)


def ask_shares(p: Play[State], step: request_steps.AskShares) -> None:
    """Ask the next seat for a share while some is missing, unless the rest cannot pay: GW-16.11."""
    left = _count_missing(p.state, step.request, step.kind)
    dues = p.state.agenda[_find_collecting(p.state)].dues
    hoped = sum(
        _max_payment(p.state, seat, dues[seat], step.request, step.kind, left)
        for seat in step.waiting
    )
    if left and hoped < left:
        p.emit(requests.SharesMissing(step.request, step.kind, left))
        _give_up(p, step.request)
    elif left:
        seat, *others = step.waiting
        p.then(
            steps.Ask(
                step=request_steps.OfferShare(
                    (seat,), request=step.request, kind=step.kind, left=left
                )
            ),
            replace(step, waiting=tuple(others)),
        )


def _count_missing(state: State, request: str, kind: request_steps.Kind) -> int:
    """How much of what all pay together is not offered yet: GW-16.11."""
    each, together = of_each(state, request), of_all(state, request)
    dues: tuple[request_steps.Due, ...] = state.agenda[_find_collecting(state)].dues
    offered: int = sum(getattr(due, kind) - getattr(each, kind) for due in dues)
    total: int = getattr(together, kind)
    return total - offered


def offer_shares(
    state: State, step: request_steps.OfferShare, seat: Seat
) -> Iterator[moves.GiveShare]:
    """Each amount that is missing and that this seat can pay: GW-16.11."""
    most = _most_of(state, step, seat)
    return (moves.GiveShare(seat, amount) for amount in range(1, most + 1))


def check_share(state: State, step: request_steps.OfferShare, move: moves.GiveShare) -> None:
    """Refuse more than is missing, or more than this seat has: GW-16.11."""
    if not 1 <= move.amount <= _most_of(state, step, move.seat):
        raise RuleBroken("GW-16.11", "not_offered")


def _most_of(state: State, step: request_steps.OfferShare, seat: Seat) -> int:
    due = state.agenda[_find_collecting(state)].dues[seat]
    return _max_payment(state, seat, due, step.request, step.kind, step.left)


def give_share(p: Play[State], step: request_steps.OfferShare, move: moves.GiveShare) -> None:
    """Record a share. All pay when everything is offered: GW-16.11."""
    p.emit(requests.ShareOffered(move.seat, step.request, step.kind, move.amount))
    at = _find_collecting(p.state)
    collecting: request_steps.CollectPayments = p.state.agenda[at]
    due = _add(collecting.dues[move.seat], step.kind, move.amount)
    p.state.agenda[at] = replace(collecting, dues=put(collecting.dues, move.seat, due))


def _find_collecting(state: State) -> int:
    """The index on the agenda where the payments wait until all agreed."""
    agenda = state.agenda
    return next(
        at
        for at in reversed(range(len(agenda)))
        if isinstance(agenda[at], request_steps.CollectPayments)
    )


def _give_up(p: Play[State], request: str) -> None:
    """Drop the payments; the seat that declared it cannot do so again this Winter: GW-16.11."""
    agenda = p.state.agenda
    declarer = agenda[_find_collecting(p.state)].declarer
    at = next(
        at
        for at in reversed(range(len(agenda)))
        if isinstance(agenda[at], request_steps.FulfilRequests)
    )
    below: request_steps.FulfilRequests = agenda[at]
    agenda[at:] = [replace(below, failed=(*below.failed, (declarer, request)))]


def collect(p: Play[State], step: request_steps.CollectPayments) -> None:
    """Let all pay what they agreed to, and the Warehouse its part: GW-16.11."""
    bill = of_warehouse(p.state, step.request)
    if bill.total:
        pay = supply_steps.Pay((step.declarer,), bill=bill, warehouse=True, rule="GW-16.11")
        p.then(steps.Ask(step=pay))
    for seat in reversed(p.state.players):
        due = step.dues[seat]
        sacrifices.ask(p, seat, due.soldiers, step.request)
        supply.lose_any(p, seat, due.any, "GW-16.11")
        payments.charge(p, seat, due.bill, "GW-16.11")
