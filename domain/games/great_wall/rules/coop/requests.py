"""Requests: opened, declared, fulfilled; and Shame for those that are not: GW-16.10 to GW-16.13."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.dice import choose
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.great_wall import moves
from domain.games.great_wall.events import requests
from domain.games.great_wall.rules.coop import request_needs, request_payments
from domain.games.great_wall.rules.goods import shame
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import requests as request_steps
from domain.games.great_wall.state.agenda.requests import DeclareRequests, FulfilRequests
from domain.games.great_wall.state.context import NOTHING
from domain.games.great_wall.state.table import State


def refill(p: Play[State], step: request_steps.RefillRequests) -> None:
    """Open Requests at random until there are enough, or none is left."""
    deck = list(p.state.request_deck)
    opened: list[str] = []
    while deck and len(p.state.requests) + len(opened) < p.state.setup.table.requests_open:
        opened.append(choose(p.dice, deck))
        deck.remove(opened[-1])
    if opened:
        p.emit(requests.RequestsOpened(tuple(opened), step.rule))


def fulfil(p: Play[State], step: FulfilRequests) -> None:
    """Ask all who can declare a Request, until no seat can: GW-16.11."""
    met = [request for request in p.state.requests if request_needs.can_fulfil(p.state, request)]
    seats = tuple(
        seat
        for seat in range(p.state.seats)
        if any((seat, request) not in step.failed for request in met)
    )
    if seats:
        p.then(DeclareRequests(seats, failed=step.failed))


def offer_declarations(
    state: State, step: DeclareRequests, seat: Seat
) -> Iterator[moves.DeclareRequest]:
    """Each open Request with checks that hold and payments that are possible, except those that
    the seat declared in vain: GW-16.11.
    """
    for request in state.requests:
        if (seat, request) not in step.failed and request_needs.can_fulfil(state, request):
            yield moves.DeclareRequest(seat, request)


def check_declaration(state: State, step: DeclareRequests, move: moves.DeclareRequest) -> None:
    """Refuse a Request that is not open, not possible, or was declared in vain: GW-16.11."""
    if move.request not in state.requests:
        raise RuleBroken("GW-16.11", "no_request")
    if (move.seat, move.request) in step.failed:
        raise RuleBroken("GW-16.11", "in_vain")
    request_needs.check_needs(state, move.request)


def declare(p: Play[State], step: DeclareRequests, move: moves.DeclareRequest) -> None:
    """Let all who pay agree, then pay and fulfil it. Then ask all again: GW-16.11."""
    if len(step.seats) > 1:
        p.state.agenda.pop()  # the question to the others; they decide again when this is over
    p.emit(requests.RequestDeclared(move.seat, move.request))
    p.then(
        *request_payments.plan_payments(p.state, move.seat, move.request),
        request_steps.CloseRequest(request=move.request),
        FulfilRequests(failed=step.failed),
    )


def decline(_p: Play[State], _step: DeclareRequests, _move: moves.Done) -> None:
    """Declare nothing now. The others still can: GW-16.11."""


def close(p: Play[State], step: request_steps.CloseRequest) -> None:
    """Fulfil the Request; abilities of all clans answer: GW-16.11."""
    p.emit(requests.RequestFulfilled(step.request, len(p.state.fulfilled) + 1))
    p.then(steps.Fire(trigger="request_fulfilled", clans=p.state.players, context=NOTHING))


def blame(p: Play[State], _step: request_steps.BlameRequests) -> None:
    """Give each player a Shame token for each open Request, in Tea order: GW-16.13."""
    if p.state.requests:
        p.emit(requests.RequestsBlamed(p.state.requests))
        for _ in p.state.requests:
            for seat in reversed(p.state.players):
                shame.gain(p, seat, 1, "GW-16.13")
