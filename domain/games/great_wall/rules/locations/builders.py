"""The Builders' Encampment: Barricades and Wall parts: GW-8.8, GW-8.12."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.great_wall import board, moves
from domain.games.great_wall.events import supply
from domain.games.great_wall.rules import summer
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.rules.goods import payments
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks
from domain.games.great_wall.state.agenda.clerks import Build
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.table import State

Sections = tuple[board.Section, ...]


def ask_build(p: Play[State], seat: Seat, count: int) -> None:
    """Let a seat build for each of its clerks: GW-8.8."""
    sections = p.state.setup.table.sections
    _ask(p, seat, Build(left=count, barricades=sections, walls=sections))


def ask_barricades(
    p: Play[State],
    seat: Seat,
    count: int,
    less: int = 0,
    free: bool = False,
    honor: bool = True,
    sections: Sections = (),
) -> None:
    """Let a seat build up to that many Barricades, in these Sections or in all: GW-18.6."""
    where = sections or p.state.setup.table.sections
    _ask(p, seat, Build(left=count, barricades=where, walls=(), less=less, free=free, honor=honor))


def ask_wall(p: Play[State], seat: Seat, less: int, lowest: bool) -> None:
    """Let a seat build a Wall part; if `lowest`, where the Wall is lowest: GW-18.6."""
    sections = p.state.setup.table.sections
    if lowest:
        least = min(map(p.state.wall, sections))
        sections = tuple(section for section in sections if p.state.wall(section) == least)
    _ask(p, seat, Build(left=1, barricades=(), walls=sections, less=less))


def _ask(p: Play[State], seat: Seat, step: Build) -> None:
    if step.left > 0:
        p.then(steps.Ask(step=replace(step, seats=(seat,))))


def offer_barricades(state: State, step: Build, seat: Seat) -> list[moves.BuildBarricade]:
    """Each Section where the seat may build a Barricade and can pay it: GW-8.8."""
    open_to = [one for one in step.barricades if state.barricades_in(one) < board.BARRICADES]
    if not open_to or price(state, step, seat, None) > _max_payment(state, seat):
        return []
    return [moves.BuildBarricade(seat, section) for section in open_to]


def check_barricade(state: State, step: Build, move: moves.BuildBarricade) -> None:
    """Refuse another Section, a fourth Barricade, and one the seat cannot pay: GW-8.8."""
    if move.section not in step.barricades:
        raise RuleBroken("GW-8.8", "other_section", "fault_other_section_for_barricades")
    check_slot(state, move.section)
    _check_paid(state, move.seat, price(state, step, move.seat, None))


def check_slot(state: State, section: board.Section) -> None:
    """Refuse a Section without a free slot for a Barricade: GW-8.8."""
    if state.barricades_in(section) >= board.BARRICADES:
        raise RuleBroken("GW-8.8", "no_slot", "fault_no_slot_for_barricades", most=board.BARRICADES)


def offer_walls(state: State, step: Build, seat: Seat) -> list[moves.BuildWall]:
    """Each Section where the seat may build a Wall part and can pay it: GW-8.8."""
    open_to = [one for one in step.walls if state.wall(one) < board.TOP_LEVEL]
    means = _max_payment(state, seat) if open_to else 0
    return [
        moves.BuildWall(seat, section)
        for section in open_to
        if price(state, step, seat, section) <= means
    ]


def check_wall(state: State, step: Build, move: moves.BuildWall) -> None:
    """Refuse another Section, a complete Wall, and a part the seat cannot pay: GW-8.8."""
    if move.section not in step.walls:
        raise RuleBroken("GW-8.8", "other_section", "fault_other_section_for_walls")
    if state.wall(move.section) >= board.TOP_LEVEL:
        raise RuleBroken("GW-8.8", "complete")
    _check_paid(state, move.seat, price(state, step, move.seat, move.section))


def price(state: State, step: Build, seat: Seat, wall: board.Section | None) -> int:
    """How many resources a Wall part of this Section costs, or a Barricade: GW-8.8."""
    if step.free:
        return 0
    if wall is None:
        return max(0, board.BARRICADE_COST - step.less - _discount(state, seat, "barricade"))
    cost = board.WALL[state.wall(wall)].next_cost
    assert cost is not None
    return max(0, cost - step.less - _discount(state, seat, "wall"))


def _discount(state: State, seat: Seat, what: Literal["wall", "barricade"]) -> int:
    return modifiers.build_discount(state, seat, what)


def _check_paid(state: State, seat: Seat, due: int) -> None:
    """Refuse a price that the Warehouse and the builder cannot pay together: GW-8.8."""
    if due > _max_payment(state, seat):
        raise RuleBroken("GW-8.8", "too_dear", "fault_too_dear_to_build", price=due)


def _max_payment(state: State, seat: Seat) -> int:
    """How much the Warehouse and a builder can pay together: GW-8.8."""
    return sum(state.warehouse) + payments.max_of_any(state, seat)


def build_barricade(p: Play[State], step: Build, move: moves.BuildBarricade) -> None:
    """Pay for a Barricade, build it, and offer the next: GW-8.8."""
    _build(p, step, move.seat, move.section, None)


def build_wall(p: Play[State], step: Build, move: moves.BuildWall) -> None:
    """Pay for a Wall part, build it, and offer the next: GW-8.8."""
    _build(p, step, move.seat, move.section, move.section)


def _build(
    p: Play[State], step: Build, seat: Seat, section: board.Section, wall: board.Section | None
) -> None:
    """Let the Warehouse pay first, as far as it can; the builder pays the rest: GW-8.8."""
    due = price(p.state, step, seat, wall)
    stored = min(due, sum(p.state.warehouse))
    _ask(p, seat, replace(step, left=step.left - 1))
    p.then(clerks.BuildNow(seat=seat, section=section, wall=wall is not None, honor=step.honor))
    payments.charge(p, seat, Bill(any_wsg=due - stored), "GW-8.8")
    payments.charge_warehouse(p, seat, stored)


def build_now(p: Play[State], step: clerks.BuildNow) -> None:
    """Build it and add its honor; abilities answer: GW-8.8, GW-16.4."""
    section = step.section
    if not step.wall:
        honor = board.BARRICADE_HONOR if step.honor else 0
        p.emit(supply.BarricadeBuilt(step.seat, section, honor))
        _fire(p, step.seat, "build_barricade", Context(sections=(section,)))
        return
    before = board.WALL[p.state.wall(section)]
    assert before.next_honor is not None
    level = before.level + 1
    p.emit(supply.WallBuilt(step.seat, section, level, before.next_honor))
    _fire(p, step.seat, "build_wall", Context(sections=(section,), level=level))
    if p.state.coop:
        summer.reclaim(p, step.seat, 1, "GW-16.4")


def _fire(p: Play[State], seat: Seat, trigger: str, context: Context) -> None:
    p.then(steps.Fire(trigger=trigger, clans=(seat,), context=context))
