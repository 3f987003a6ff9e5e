"""The Emperor's Embassy, where clans hire clerks and advisors, and its track: GW-8.9, GW-9.2."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain.engine.dice import choose
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.great_wall import board, moves
from domain.games.great_wall.events import clerks
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.rules.goods import payments
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from domain.games.great_wall.state.agenda.clerks import Hire
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.counts import in_order
from domain.games.great_wall.state.table import State

CLERK_BILL = Bill(gold=board.CLERK_COST)


def ask_hire(p: Play[State], seat: Seat, count: int) -> None:
    """Let a seat hire for each of its clerks: GW-8.9."""
    _ask(p, seat, Hire(left=count, clerk=CLERK_BILL, advisors=True))


def ask_clerks(p: Play[State], seat: Seat, count: int, cost: Bill | None = None) -> None:
    """Let a seat hire up to that many clerks, each for this bill: GW-18.6."""
    _ask(p, seat, Hire(left=count, clerk=cost or CLERK_BILL, advisors=False))


def ask_advisors(p: Play[State], seat: Seat, count: int, less: int = 0) -> None:
    """Let a seat hire up to that many advisors, each for less gold: GW-18.6."""
    _ask(p, seat, Hire(left=count, clerk=None, advisors=True, less=less))


def _ask(p: Play[State], seat: Seat, step: Hire) -> None:
    if step.left > 0:
        p.then(steps.Ask(step=replace(step, seats=(seat,))))


def offer_clerk(state: State, step: Hire, seat: Seat) -> tuple[moves.HireClerk, ...]:
    """A clerk, if one is left and the seat can pay: GW-8.9."""
    there = step.clerk is not None and state.clans[seat].clerks_space
    if not step.clerk or not there or not payments.can_pay(state, seat, step.clerk):
        return ()
    return (moves.HireClerk(seat),)


def check_clerk(state: State, step: Hire, move: moves.HireClerk) -> None:
    """Refuse a clerk if none is left, or the seat cannot pay: GW-8.9."""
    if step.clerk is None or not state.clans[move.seat].clerks_space:
        raise RuleBroken("GW-8.9", "no_clerk", "fault_no_clerk_to_hire")
    if not payments.can_pay(state, move.seat, step.clerk):
        raise RuleBroken("GW-8.9", "too_dear", "fault_too_dear_clerk")


def hire_clerk(p: Play[State], step: Hire, move: moves.HireClerk) -> None:
    """Pay for a clerk, hire it, and offer the next: GW-8.9."""
    assert step.clerk is not None
    _ask(p, move.seat, replace(step, left=step.left - 1))
    p.then(clerk_steps.HireNow(seat=move.seat))
    payments.charge(p, move.seat, step.clerk, "GW-8.9")


def offer_advisors(state: State, step: Hire, seat: Seat) -> Iterator[moves.HireAdvisor]:
    """Each advisor of the track, Active or Supporting: GW-8.9."""
    if step.advisors and payments.can_pay(state, seat, price(state, step, seat)):
        for advisor in state.advisors:
            yield moves.HireAdvisor(seat, advisor, active=True)
            yield moves.HireAdvisor(seat, advisor, active=False)


def check_advisor(state: State, step: Hire, move: moves.HireAdvisor) -> None:
    """Refuse an advisor who is not on the track, or whom the seat cannot pay: GW-8.9."""
    if not step.advisors or move.advisor not in state.advisors:
        raise RuleBroken("GW-8.9", "no_advisor", "fault_no_advisor_to_hire")
    bill = price(state, step, move.seat)
    if not payments.can_pay(state, move.seat, bill):
        raise RuleBroken("GW-8.9", "too_dear", "fault_too_dear_advisor", gold=bill.gold)


def price(state: State, step: Hire, seat: Seat) -> Bill:
    """The price of an advisor: one gold for each advisor, including the new one: GW-8.9."""
    less = step.less + modifiers.advisor_discount(state, seat)
    return Bill(gold=max(0, state.clans[seat].advisors + 1 - less))


def hire_advisor(p: Play[State], step: Hire, move: moves.HireAdvisor) -> None:
    """Pay for an advisor, hire them, and offer the next: GW-8.9."""
    _ask(p, move.seat, replace(step, left=step.left - 1))
    p.then(clerk_steps.HireNow(seat=move.seat, advisor=move.advisor, active=move.active))
    payments.charge(p, move.seat, price(p.state, step, move.seat), "GW-8.9")


def hire_now(p: Play[State], step: clerk_steps.HireNow) -> None:
    """Hire a clerk or an advisor; abilities answer: GW-8.9."""
    if step.advisor is None:
        p.emit(clerks.ClerkHired(step.seat))
        trigger = "hire_clerk"
    else:
        p.emit(clerks.AdvisorHired(step.seat, step.advisor, step.active))
        fill_track(p, "GW-8.9")
        trigger = "hire_advisor"
    p.then(steps.Fire(trigger=trigger, clans=(step.seat,), context=Context()))


def fill_track(p: Play[State], rule: str) -> None:
    """Fill the advisor track by this rule from the deck, or from the discard: GW-1.4."""
    while len(p.state.advisors) < board.ADVISOR_TRACK:
        if not p.state.advisor_deck:
            if not p.state.advisor_discard:
                return
            cards = in_order(p.state.setup.advisors, p.state.advisor_discard)
            p.emit(clerks.AdvisorsReshuffled(cards))
        p.emit(clerks.AdvisorRevealed(choose(p.dice, p.state.advisor_deck), rule))


def renew(p: Play[State], _step: steps.RenewAdvisors) -> None:
    """Remove the leftmost advisors, and reveal others: GW-5.5, GW-14.13."""
    leaving = p.state.advisors[: board.ADVISORS_LEAVING]
    if leaving and p.state.qin is not None:
        p.then(steps.Ask(step=steps.ChooseSupporter(p.state.players[:1], advisors=leaving)))
        return
    p.emit(clerks.AdvisorsDiscarded(leaving))
    fill_track(p, "GW-5.5")
