"""Soldiers that are about to be killed, and how clans save them: GW-10.12, GW-10.13."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from msgspec import UnsetType
from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat, Step
from domain.games.great_wall import board, moves
from domain.games.great_wall.events import soldiers
from domain.games.great_wall.rules.effects import modifiers, triggers
from domain.games.great_wall.rules.goods import payments
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import soldiers as soldier_steps
from domain.games.great_wall.state.agenda.soldiers import Dying, KillBatch, Unit
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.counts import without
from domain.games.great_wall.state.table import State

T = TypeVar("T", bound=Step)
Choices = Sequence[tuple[int, tuple[Unit, ...]]]
"""For each place, how many of which soldiers die."""


def begin(
    p: Play[State], clan: int, choices: Choices, rule: str, certain: tuple[Unit, ...] = ()
) -> None:
    """Let a clan choose which soldiers die by this rule, besides the certain ones: GW-10.12."""
    p.then(KillBatch(clan=clan, doomed=certain, rule=rule))
    for count, units in reversed(choices):
        _choose(p, clan, count, units, rule)


def _choose(
    p: Play[State], clan: int, count: int, units: tuple[Unit, ...], cause: str | UnsetType
) -> None:
    """Ask which soldiers die by this rule, unless all are alike or all die: GW-10.11."""
    if count >= len(units) or len({_kind(unit) for unit in units}) == 1:
        _doom(p, units[:count])
    elif count > 0:
        step = soldier_steps.ChooseDoomed((clan,), left=count, units=units, cause=cause)
        p.then(steps.Ask(step=step))


def _doom(p: Play[State], units: tuple[Unit, ...]) -> None:
    """Add soldiers to the batch on the agenda: GW-10.12."""
    at = _index_of(p.state, KillBatch)
    batch: KillBatch = p.state.agenda[at]
    p.state.agenda[at] = replace(batch, doomed=(*batch.doomed, *units))


def _index_of(state: State, kind: type[Step]) -> int:
    """The index on the agenda of the next step of this kind."""
    agenda = state.agenda
    return next(at for at in reversed(range(len(agenda))) if isinstance(agenda[at], kind))


def _kind(unit: Unit) -> tuple[board.Soldier, board.Section, str | None]:
    """What distinguishes soldiers for the player who chooses."""
    return unit.soldier, unit.section, unit.card


def offer_doomings(
    _state: State, step: soldier_steps.ChooseDoomed, seat: Seat
) -> Iterator[moves.LoseSoldier]:
    """Each kind of soldier to choose from: GW-10.11."""
    return (moves.LoseSoldier(seat, *kind) for kind in dict.fromkeys(map(_kind, step.units)))


def check_dooming(_state: State, step: soldier_steps.ChooseDoomed, move: moves.LoseSoldier) -> None:
    """Refuse a soldier that the seat cannot choose: GW-10.11."""
    _find(step.units, move)


def _find(units: tuple[Unit, ...], move: moves.LoseSoldier | moves.SaveSoldier) -> Unit:
    """The first soldier of the kind that a move names: GW-10.11, GW-10.12."""
    kind = (move.soldier, move.section, move.card)
    unit = next((unit for unit in units if _kind(unit) == kind), None)
    if unit is None:
        raise RuleBroken("GW-10.11", "not_there", "fault_not_there_in_danger")
    return unit


def choose_doomed(
    p: Play[State], step: soldier_steps.ChooseDoomed, move: moves.LoseSoldier
) -> None:
    """Add a soldier to those that die, and ask for the next: GW-10.11."""
    unit = _find(step.units, move)
    _doom(p, (unit,))
    _choose(p, move.seat, step.left - 1, without(step.units, unit), step.cause)


def resolve(p: Play[State], step: KillBatch) -> None:
    """Let abilities and tactic cards answer, then let the owner save some: GW-10.12.

    The Reed Clan and Qin Jiushao save no soldiers: GW-14.9, GW-15.8.
    """
    doomed = _present(p.state, step.clan, step.doomed)
    if step.clan >= p.state.seats:
        _bury(p, Dying(clan=step.clan, doomed=doomed, rule=step.rule))
    elif doomed:
        seats, context = (step.clan,), _context(doomed)
        bill = price(p.state, step.clan)
        save = soldier_steps.Save(seats, left=len(doomed), bill=bill, cause=step.rule)
        triggers.plan_new_event(
            p,
            steps.Fire(trigger="would_be_killed", clans=seats, context=context),
            steps.Moment(windows=((step.clan, ("your_soldier_killed",)),), context=context),
            steps.Ask(step=save),
            Dying(clan=step.clan, doomed=doomed, rule=step.rule),
        )


def price(state: State, seat: Seat) -> Bill:
    """What saving one soldier costs: GW-10.12."""
    return Bill(chi=max(0, board.SAVE_COST - modifiers.save_discount(state, seat)))


def _present(state: State, clan: int, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """The soldiers that are still there; effects may have moved or killed some: GW-10.12."""
    found: list[Unit] = []
    for unit in units:
        if found.count(unit) < _count(state, clan, unit):
            found.append(unit)
    return tuple(found)


def _count(state: State, clan: int, unit: Unit) -> int:
    """How many such soldiers of a clan stand there; on a spot of a Horde card, at most one."""
    owned = state.clans[clan]
    if unit.place == "firing":
        return owned.firing_in(unit.section)
    if unit.place == "rest":
        return owned.resting(unit.section)[board.SOLDIER_NUMBER[unit.soldier]]
    place = state.find_horde(unit.card or "")
    standing = place.horde.soldiers(clan) if place else ()
    return sum((one.soldier, one.spot) == (unit.soldier, unit.spot) for one in standing)


def _context(units: tuple[Unit, ...]) -> Context:
    """What abilities may ask about a batch: GW-18.11."""
    return Context(
        sections=tuple(dict.fromkeys(unit.section for unit in units)),
        hordes=tuple(dict.fromkeys(unit.card for unit in units if unit.card)),
        types=tuple(dict.fromkeys(unit.soldier for unit in units)),
        dying=len(units),
    )


def save(p: Play[State], seat: Seat, count: int | None, bill: Bill) -> None:
    """Let a clan save up to that many of the batch by a card, or all, each for a bill: GW-18.13."""
    dying = next((step for step in reversed(p.state.agenda) if isinstance(step, Dying)), None)
    if dying is not None and dying.clan == seat and dying.doomed:
        left = len(dying.doomed) if count is None else count
        save = soldier_steps.Save((seat,), left=left, bill=bill, cause=dying.rule)
        p.then(steps.Ask(step=save))


def offer_savings(
    state: State, step: soldier_steps.Save, seat: Seat
) -> Iterator[moves.SaveSoldier]:
    """Each kind of dying soldier, if the seat can pay: GW-10.12."""
    if step.left > 0 and payments.can_pay(state, seat, step.bill):
        units = state.agenda[_index_of(state, Dying)].doomed
        yield from (moves.SaveSoldier(seat, *kind) for kind in dict.fromkeys(map(_kind, units)))


def check_saving(state: State, step: soldier_steps.Save, move: moves.SaveSoldier) -> None:
    """Refuse a soldier that is not dying, and one the seat cannot pay: GW-10.12."""
    if step.left < 1:
        raise RuleBroken("GW-18.13", "no_more", "fault_no_more_saved")
    if not payments.can_pay(state, move.seat, step.bill):
        raise RuleBroken("GW-10.12", "too_dear", "fault_too_dear_save", chi=step.bill.chi)
    _find(state.agenda[_index_of(state, Dying)].doomed, move)


def save_soldier(p: Play[State], step: soldier_steps.Save, move: moves.SaveSoldier) -> None:
    """Save a soldier, pay for it, and offer the next: GW-10.12."""
    at = _index_of(p.state, Dying)
    dying: Dying = p.state.agenda[at]
    unit = _find(dying.doomed, move)
    saved = (*dying.saved, unit)
    p.state.agenda[at] = replace(dying, doomed=without(dying.doomed, unit), saved=saved)
    if step.left > 1:
        p.then(steps.Ask(step=replace(step, seats=(move.seat,), left=step.left - 1)))
    payments.charge(p, move.seat, step.bill, "GW-10.12")


def die(p: Play[State], step: Dying) -> None:
    """Kill soldiers, or let saved ones rest; abilities answer: GW-10.12, GW-10.13."""
    there = _present(p.state, step.clan, (*step.saved, *step.doomed))
    saved = _present(p.state, step.clan, step.saved)
    step = replace(step, doomed=there[len(saved) :], saved=saved)
    _bury(p, step)
    for trigger, units in (("soldier_killed", step.doomed), ("soldier_saved", step.saved)):
        if units:
            context = replace(
                _context(units), dying=0, killed=len(step.doomed), saved=len(step.saved)
            )
            p.then(steps.Fire(trigger=trigger, clans=(step.clan,), context=context))


def _bury(p: Play[State], step: Dying) -> None:
    if step.doomed or step.saved:
        p.emit(soldiers.SoldiersKilled(step.clan, step.doomed, step.saved, step.rule))
