"""Requests and orders of command cards that a game can come to: GW-16.3, GW-16.11."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import astuple

from domain.engine.errors import require, require_different
from domain.games.great_wall.rules.coop import agreement, request_payments, requests, sacrifices
from domain.games.great_wall.rules.reachable.amounts import few, some
from domain.games.great_wall.rules.reachable.plan import ends_soon, has, question
from domain.games.great_wall.rules.reachable.questions import Check, seat_known
from domain.games.great_wall.state.steps import requests as asked
from domain.games.great_wall.state.steps import year
from domain.games.great_wall.state.table import State


def check_requests(state: State) -> None:
    """Open Requests, fulfilled ones, and what is remembered for them: GW-16.1, GW-16.13."""
    table, ends = state.setup.table, ends_soon(state)
    missing = min(table.requests_open, len(state.setup.requests) - len(state.fulfilled))
    missing -= len(state.requests)
    refilled = not (ends or has(state, asked.RefillRequests))
    require(missing == 0 or (missing > 0 and not refilled), "So many Requests do not lie open.")
    won = len(state.fulfilled) >= table.requests_to_win > 0
    require(ends or not won, "With so many Requests `fulfilled` the game is over.")
    winter = state.season == "winter"
    require(winter or not state.breaches, "Sections are breached in Winter.")
    assaulted = len(table.sections) - sum(isinstance(step, year.Assault) for step in state.agenda)
    require(state.breaches <= assaulted, "Each Section is breached once, in its assault.")
    few(state.defeats)
    require(bool(state.setup.requests) or not state.defeats, "Only Requests count `defeats`.")


def check_lost(state: State) -> None:
    """No more soldiers have left the game than Requests asked for: GW-16.11."""
    lost = sum(sum(clan.lost) for clan in state.clans) + sum(_doomed(state))
    require(lost <= sum(_soldiers(state)), "Soldiers are `lost` to Requests alone.")


def _doomed(state: State) -> Iterator[int]:
    """How many soldiers are still to be sacrificed: GW-16.11."""
    for step in map(question, state.agenda):
        if isinstance(step, asked.Sacrifice):
            yield step.left
        elif isinstance(step, asked.CollectPayments):
            yield sum(due.soldiers for due in step.dues)


def _soldiers(state: State) -> Iterator[int]:
    """How many soldiers each Request asked for that was paid, or is being paid."""
    closing = (step.request for step in state.agenda if isinstance(step, asked.CloseRequest))
    for request in (*state.fulfilled, *closing):
        if request in state.setup.requests:
            each = request_payments.of_each(state, request).soldiers
            yield each * state.seats + request_payments.of_all(state, request).soldiers


def _open(state: State, request: str) -> None:
    require(request in state.requests, f"The Request {request!r} does not lie open.")


def _order(state: State, at: int, step: asked.AgreeOrder) -> None:
    begun = state.agenda[:at] == [year.TakeTurn(slot=0)] and not any(state.track)
    require(begun and state.setup.table.mode == "coop", "No order is to be agreed on.")
    of_tea = agreement.tea_order(state)
    require(sorted(step.order) == sorted(of_tea), "`order` names each clan with a card.")
    require(len(of_tea) > 1, "There is only one order.")
    answered = (*step.seats, *step.agreed, *step.declined)
    require_different(answered, "agreed")
    require(sorted(answered) == sorted(agreement.holders(state)), "All with a card are asked.")
    require_different(step.proposed, "proposed")
    by_them = set(step.proposed) <= set(answered) and {*step.proposed[-1:]} <= set(step.agreed)
    require(by_them, "Who proposed the order agrees with it.")
    require(bool(step.proposed) or step.order == of_tea, "First the Tea order is proposed.")


def _fulfil(state: State, at: int, step: asked.FulfilRequests | asked.DeclareRequests) -> None:
    require(state.agenda[:at] == [year.EndCheck()], "Requests are fulfilled in Winter.")
    require_different(step.failed, "failed")
    for seat, request in step.failed:
        seat_known(state, seat)
        require(request in state.setup.requests, f"There is no Request {request!r}.")


def _declare(state: State, at: int, step: asked.DeclareRequests) -> None:
    _fulfil(state, at, step)
    able = (any(requests.declarable(state, seat, step.failed)) for seat in step.seats)
    require(all(able), "Only those are asked who can declare something.")


def _close(state: State, at: int, step: asked.CloseRequest) -> None:
    fits = at > 0 and isinstance(state.agenda[at - 1], asked.FulfilRequests)
    require(fits, "Then others can be declared.")
    _open(state, step.request)


def _collect(state: State, at: int, step: asked.CollectPayments) -> None:
    require(state.agenda[at - 1] == asked.CloseRequest(request=step.request), "Then it is closed.")
    seat_known(state, step.declarer)
    vain = (step.declarer, step.request) in state.agenda[at - 2].failed
    require(not vain, "Nobody declares again what they did in vain.")
    _open(state, step.request)
    require(len(step.dues) == state.seats, "`dues` has what each seat pays.")
    each = request_payments.of_each(state, step.request)
    together = request_payments.of_all(state, step.request)
    own = [[a - b for a, b in zip(astuple(one), astuple(each), strict=True)] for one in step.dues]
    fits = all(min(row) >= 0 for row in own) and all(
        sum(row[kind] for row in own) <= most for kind, most in enumerate(astuple(together))
    )
    require(fits, "Nobody pays less than their part, nor all more than is asked for.")
    able = (
        request_payments.can_pay(state, seat, due, step.request)
        for seat, due in enumerate(step.dues)
    )
    require(all(able), "They can pay what they agreed to.")


def _below(state: State, at: int, request: str) -> asked.CollectPayments:
    """The payments that wait until all have agreed."""
    found = [step for step in state.agenda[:at] if isinstance(step, asked.CollectPayments)]
    require(bool(found) and found[-1].request == request, "Another Request is declared.")
    return found[-1]


def _pay(state: State, at: int, step: asked.PayRequest) -> None:
    below = _below(state, at, step.request)
    each = request_payments.of_each(state, step.request)
    require(set(below.dues) == {each} != {asked.Due()}, "Each pays something, and nothing yet.")
    require(below.declarer not in step.seats, "Whoever declared it has agreed.")


def _ask(state: State, at: int, step: asked.AskShares) -> None:
    _below(state, at, step.request)
    total = getattr(request_payments.of_all(state, step.request), step.kind)
    require(total > 0, "That is not paid together.")
    _waiting(state, step.waiting)


def _waiting(state: State, seats: Sequence[int]) -> None:
    require_different(seats, "waiting")
    for seat in seats:
        seat_known(state, seat)


def _offer(state: State, at: int, step: asked.OfferShare) -> None:
    _below(state, at, step.request)
    asking = state.agenda[at - 1]
    same = isinstance(asking, asked.AskShares) and step.seats[0] not in asking.waiting
    fits = same and (asking.request, asking.kind) == (step.request, step.kind)
    require(fits, "The next are asked for their shares then.")
    some(step.left, request_payments.missing(state, step.request, step.kind))


def _sacrifice(state: State, _at: int, step: asked.Sacrifice) -> None:
    _open(state, step.request)
    there = len(sacrifices.soldiers(state, step.seats[0], step.request))
    some(step.left, there)
    closing = [one for one in state.agenda if isinstance(one, asked.CloseRequest)]
    require([one.request for one in closing] == [step.request], "It is fulfilled by it.")


QUESTIONS: dict[type, Check] = {
    asked.AgreeOrder: _order,
    asked.DeclareRequests: _declare,
    asked.PayRequest: _pay,
    asked.OfferShare: _offer,
    asked.Sacrifice: _sacrifice,
}
"""By step, what must be so while it waits."""
CHORES: dict[type, Check] = {
    asked.FulfilRequests: _fulfil,
    asked.AskShares: _ask,
    asked.CollectPayments: _collect,
    asked.CloseRequest: _close,
}
"""By step, what must be so as long as it is on the agenda."""
