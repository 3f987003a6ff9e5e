"""The order of command cards on the track, which the players agree on: GW-16.3."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.great_wall import moves
from domain.games.great_wall.events import course, requests
from domain.games.great_wall.rules import reed
from domain.games.great_wall.state.agenda.requests import AgreeOrder
from domain.games.great_wall.state.table import State


def begin(p: Play[State]) -> None:
    """Ask all seats with a card to place, beginning with the Tea order: GW-15.5, GW-16.3.

    A seat without a card has no turn and is not asked. With only one possible order there is no
    question.
    """
    order = _tea_order(p.state)
    seats = _holders(p.state)
    if seats and len(order) > 1:
        p.then(AgreeOrder(seats, order=order))
    else:
        _place(p, order)


def _holders(state: State) -> tuple[Seat, ...]:
    """The seats with a card to place: GW-7.2."""
    return tuple(seat for seat in range(state.seats) if state.clans[seat].shown)


def _tea_order(state: State) -> tuple[int, ...]:
    """The clans with a card to place, in Tea order: GW-1.3, GW-15.5."""
    return tuple(clan for clan in state.tea if clan == state.reed or state.clans[clan].shown)


def offer_proposals(_state: State, step: AgreeOrder, seat: Seat) -> Iterator[moves.ProposeOrder]:
    """Every other order, for a seat that has not proposed one this Fall: GW-16.3."""
    if seat not in step.proposed:
        orders = (order for order in permutations(step.order) if order != step.order)
        yield from (moves.ProposeOrder(seat, order) for order in orders)


def check_proposal(_state: State, step: AgreeOrder, move: moves.ProposeOrder) -> None:
    """Refuse a second proposal, an invalid order, and the order already proposed: GW-16.3."""
    if move.seat in step.proposed:
        raise RuleBroken("GW-16.3", "proposed")
    if sorted(move.order) != sorted(step.order):
        raise RuleBroken("GW-16.3", "no_order", "fault_no_order_of_cards")
    if move.order == step.order:
        raise RuleBroken("GW-16.3", "same_order")


def propose(p: Play[State], step: AgreeOrder, move: moves.ProposeOrder) -> None:
    """Ask all others about this order: GW-16.3."""
    _withdraw(p, step)
    p.emit(requests.OrderProposed(move.seat, move.order))
    anew = AgreeOrder(
        tuple(seat for seat in _holders(p.state) if seat != move.seat),
        order=move.order,
        proposed=(*step.proposed, move.seat),
        agreed=(move.seat,),
    )
    _go_on(p, anew)


def offer_agreement(_state: State, step: AgreeOrder, seat: Seat) -> Iterator[moves.AgreeToOrder]:
    """The proposed order: GW-16.3."""
    yield moves.AgreeToOrder(seat, step.order)


def check_agreement(_state: State, step: AgreeOrder, move: moves.AgreeToOrder) -> None:
    """Refuse to agree to an order that is no longer proposed: GW-16.3."""
    if move.order != step.order:
        raise RuleBroken("GW-16.3", "other_order")


def agree(p: Play[State], step: AgreeOrder, move: moves.AgreeToOrder) -> None:
    """Record that a seat agrees: GW-16.3."""
    p.emit(requests.OrderAgreed(move.seat))
    _record_answer(p, replace(step, agreed=tuple(sorted((*step.agreed, move.seat)))), move.seat)


def decline(p: Play[State], step: AgreeOrder, move: moves.DeclineOrder) -> None:
    """Record that a seat declines: GW-16.3."""
    p.emit(requests.OrderDeclined(move.seat))
    _record_answer(p, replace(step, declined=tuple(sorted((*step.declined, move.seat)))), move.seat)


def _record_answer(p: Play[State], step: AgreeOrder, seat: Seat) -> None:
    _withdraw(p, step)
    _go_on(p, replace(step, seats=tuple(other for other in step.seats if other != seat)))


def _withdraw(p: Play[State], step: AgreeOrder) -> None:
    """Remove the question to the others from the agenda. They will be asked again."""
    if len(step.seats) > 1:
        p.state.agenda.pop()


def _go_on(p: Play[State], step: AgreeOrder) -> None:
    """Ask those who have not answered; after the last answer, place the cards: GW-16.3."""
    if step.seats:
        p.then(step)
        return
    holds = len(step.agreed) > len(step.declined)
    order = step.order if holds else _tea_order(p.state)
    p.emit(requests.OrderSettled(order, not holds))
    _place(p, order)


def _place(p: Play[State], order: tuple[int, ...]) -> None:
    """Put the cards on the track from the left: GW-16.3."""
    for slot, clan in enumerate(order):
        card = reed.CARD if clan == p.state.reed else p.state.clans[clan].shown
        assert card is not None
        p.emit(course.CommandPlaced(clan, card, slot, "GW-16.3"))
