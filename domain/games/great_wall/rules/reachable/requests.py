"""Checks of Requests and orders of command cards: GW-16.3, GW-16.11."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import astuple

from domain.engine.errors import require, require_distinct
from domain.games.great_wall.rules.coop import agreement, request_payments, requests, sacrifices
from domain.games.great_wall.rules.reachable.amounts import check_amounts, check_left
from domain.games.great_wall.rules.reachable.plan import ends_soon, has_step, question_of
from domain.games.great_wall.rules.reachable.questions import Check, check_seat
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import requests as asked
from domain.games.great_wall.state.table import State


def check_requests(state: State) -> None:
    """Check open Requests, fulfilled ones, and the counts that they use: GW-16.1, GW-16.13."""
    table, ends = state.setup.table, ends_soon(state)
    missing = min(table.requests_open, len(state.setup.requests) - len(state.fulfilled))
    missing -= len(state.requests)
    refilled = not (ends or has_step(state, asked.RefillRequests))
    require(
        missing == 0 or (missing > 0 and not refilled),
        "That number of open Requests is not possible.",
    )
    won = len(state.fulfilled) >= table.requests_to_win > 0
    require(ends or not won, "With that many Requests `fulfilled` the game is over.")
    winter = state.season == "winter"
    require(winter or not state.breaches, "Sections can be breached only in Winter.")
    assaulted = len(table.sections) - sum(isinstance(step, steps.Assault) for step in state.agenda)
    require(state.breaches <= assaulted, "Each Section is breached once, in its assault.")
    check_amounts(state.defeats)
    require(bool(state.setup.requests) or not state.defeats, "Only Requests count `defeats`.")


def check_lost(state: State) -> None:
    """Check that no more soldiers left the game than Requests asked for: GW-16.11."""
    lost = sum(sum(clan.lost) for clan in state.clans) + sum(_count_doomed(state))
    require(lost <= sum(_count_soldiers(state)), "Soldiers can be `lost` only to Requests.")


def _count_doomed(state: State) -> Iterator[int]:
    """How many soldiers are still to be sacrificed: GW-16.11."""
    for step in map(question_of, state.agenda):
        if isinstance(step, asked.Sacrifice):
            yield step.left
        elif isinstance(step, asked.CollectPayments):
            yield sum(due.soldiers for due in step.dues)


def _count_soldiers(state: State) -> Iterator[int]:
    """How many soldiers each paid Request asked for, including one that is being paid."""
    closing = (step.request for step in state.agenda if isinstance(step, asked.CloseRequest))
    for request in (*state.fulfilled, *closing):
        if request in state.setup.requests:
            each = request_payments.of_each(state, request).soldiers
            yield each * state.seats + request_payments.of_all(state, request).soldiers


def _check_open(state: State, request: str) -> None:
    require(request in state.requests, f"The Request {request!r} is not open.")


def _check_order(state: State, at: int, step: asked.AgreeOrder) -> None:
    begun = state.agenda[:at] == [steps.TakeTurn(slot=0)] and not any(state.track)
    require(begun and state.setup.table.mode == "coop", "There is no order to agree on here.")
    of_tea = agreement.tea_order(state)
    require(sorted(step.order) == sorted(of_tea), "`order` must name each clan with a card.")
    require(len(of_tea) > 1, "There is only one order.")
    answered = (*step.seats, *step.agreed, *step.declined)
    require_distinct(answered, "agreed")
    require(
        sorted(answered) == sorted(agreement.holders(state)), "All seats with a card must be asked."
    )
    require_distinct(step.proposed, "proposed")
    by_them = set(step.proposed) <= set(answered) and {*step.proposed[-1:]} <= set(step.agreed)
    require(by_them, "The seat that proposed the order must agree.")
    require(bool(step.proposed) or step.order == of_tea, "The first proposal is the Tea order.")


def _check_fulfil(
    state: State, at: int, step: asked.FulfilRequests | asked.DeclareRequests
) -> None:
    require(state.agenda[:at] == [steps.EndCheck()], "Requests can be fulfilled only in Winter.")
    require_distinct(step.failed, "failed")
    for seat, request in step.failed:
        check_seat(state, seat)
        require(request in state.setup.requests, f"There is no Request {request!r}.")


def _check_declare(state: State, at: int, step: asked.DeclareRequests) -> None:
    _check_fulfil(state, at, step)
    able = (any(requests.find_declarable(state, seat, step.failed)) for seat in step.seats)
    require(all(able), "Only seats that can declare a Request are asked.")


def _check_close(state: State, at: int, step: asked.CloseRequest) -> None:
    fits = at > 0 and isinstance(state.agenda[at - 1], asked.FulfilRequests)
    require(fits, "Other declarations must follow.")
    _check_open(state, step.request)


def _check_collect(state: State, at: int, step: asked.CollectPayments) -> None:
    require(
        state.agenda[at - 1] == asked.CloseRequest(request=step.request),
        "The Request must be closed next.",
    )
    check_seat(state, step.declarer)
    vain = (step.declarer, step.request) in state.agenda[at - 2].failed
    require(not vain, "A seat cannot repeat a failed declaration.")
    _check_open(state, step.request)
    require(len(step.dues) == state.seats, "`dues` must have one entry for each seat.")
    each = request_payments.of_each(state, step.request)
    together = request_payments.of_all(state, step.request)
    own = [[a - b for a, b in zip(astuple(one), astuple(each), strict=True)] for one in step.dues]
    fits = all(min(row) >= 0 for row in own) and all(
        sum(row[kind] for row in own) <= most for kind, most in enumerate(astuple(together))
    )
    require(fits, "Each must pay its part, and all together not more than asked.")
    able = (
        request_payments.can_pay(state, seat, due, step.request)
        for seat, due in enumerate(step.dues)
    )
    require(all(able), "Each seat must be able to pay what it agreed to.")


def _find_payments(state: State, at: int, request: str) -> asked.CollectPayments:
    """The payments that wait until all agreed."""
    found = [step for step in state.agenda[:at] if isinstance(step, asked.CollectPayments)]
    require(bool(found) and found[-1].request == request, "This Request is not the declared one.")
    return found[-1]


def _check_pay(state: State, at: int, step: asked.PayRequest) -> None:
    below = _find_payments(state, at, step.request)
    each = request_payments.of_each(state, step.request)
    require(
        set(below.dues) == {each} != {asked.Due()}, "Each seat must owe its part and no share yet."
    )
    require(below.declarer not in step.seats, "The seat that declared it has already agreed.")


def _check_ask(state: State, at: int, step: asked.AskShares) -> None:
    _find_payments(state, at, step.request)
    total = getattr(request_payments.of_all(state, step.request), step.kind)
    require(total > 0, "Players do not pay this together.")
    _check_waiting(state, step.waiting)


def _check_waiting(state: State, seats: Sequence[int]) -> None:
    require_distinct(seats, "waiting")
    for seat in seats:
        check_seat(state, seat)


def _check_offer(state: State, at: int, step: asked.OfferShare) -> None:
    _find_payments(state, at, step.request)
    asking = state.agenda[at - 1]
    same = isinstance(asking, asked.AskShares) and step.seats[0] not in asking.waiting
    fits = same and (asking.request, asking.kind) == (step.request, step.kind)
    require(fits, "The step that asks for shares must be below.")
    check_left(step.left, request_payments.count_missing(state, step.request, step.kind))


def _check_sacrifice(state: State, _at: int, step: asked.Sacrifice) -> None:
    _check_open(state, step.request)
    there = len(sacrifices.find_soldiers(state, step.seats[0], step.request))
    check_left(step.left, there)
    closing = [one for one in state.agenda if isinstance(one, asked.CloseRequest)]
    require(
        [one.request for one in closing] == [step.request],
        "Only the Request being fulfilled can take soldiers.",
    )


QUESTION_CHECKS: dict[type, Check] = {
    asked.AgreeOrder: _check_order,
    asked.DeclareRequests: _check_declare,
    asked.PayRequest: _check_pay,
    asked.OfferShare: _check_offer,
    asked.Sacrifice: _check_sacrifice,
}
"""By kind of step, the check while it waits."""
AUTOMATIC_STEP_CHECKS: dict[type, Check] = {
    asked.FulfilRequests: _check_fulfil,
    asked.AskShares: _check_ask,
    asked.CollectPayments: _check_collect,
    asked.CloseRequest: _check_close,
}
"""By kind of step, the check while it is on the agenda."""
