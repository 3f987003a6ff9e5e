"""Attacks of soldiers in Rest Zones and Firing spots: GW-9.7, GW-10.2, GW-18.6."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.sentences import Sentence
from domain.games.great_wall import board, moves
from domain.games.great_wall.rules.war import fighting
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda.soldiers import Attacking, Origin
from domain.games.great_wall.state.context import NOTHING, Context
from domain.games.great_wall.state.counts import plus
from domain.games.great_wall.state.table import State


def attack(
    p: Play[State],
    seat: Seat,
    count: int | None,
    types: tuple[board.Soldier, ...],
    origins: tuple[Origin, ...],
    sections: int,
    each_section: int | None = None,
    spared: Context = NOTHING,
) -> None:
    """Let a seat attack with up to that many soldiers, or with all of a Section: GW-10.2, GW-18.6.

    Soldiers in `spared` were just recruited and may not attack again.
    """
    if count == 0 or sections == 0:
        return
    shot = tuple(spared.firing.count(section) for section in board.SECTIONS)
    step = Attacking(
        (seat,),
        left=count,
        types=types,
        origins=origins,
        sections=sections,
        each_section=each_section,
        shot=shot,
        spare=spared.resting,
    )
    p.then(steps.Ask(step=step))


def shoot(p: Play[State], step: steps.Shoot) -> None:
    """Let all Archers of the seat in the Firing spots of a Section shoot in Winter: GW-13.2."""
    attacking = Attacking(
        (step.seat,),
        left=None,
        types=("archer",),
        origins=("firing",),
        sections=0,
        chosen=(step.section,),
        rule="GW-13.2",
    )
    p.then(steps.Ask(step=attacking))


def offer_options(state: State, step: Attacking, seat: Seat) -> Iterator[moves.Attack]:
    """All attacks of soldiers that may still attack: GW-10.2."""
    if step.left == 0:
        return
    for section in state.setup.table.sections if step.sections else step.chosen:
        yield from _in_section(state, step, seat, section)


def _in_section(
    state: State, step: Attacking, seat: Seat, section: board.Section
) -> Iterator[moves.Attack]:
    number, clan = board.SECTION_NUMBER[section], state.clans[seat]
    if not any(clan.rest[number]) and not clan.firing[number]:
        return
    if step.each_section is not None and step.made[number] >= step.each_section:
        return
    for soldier in step.types:
        for origin in step.origins:
            if _ready(state, step, seat, soldier, origin, section) > 0:
                yield from fighting.find_attacks(state, seat, soldier, origin, section)


def _ready(
    state: State,
    step: Attacking,
    seat: Seat,
    soldier: board.Soldier,
    origin: Origin,
    section: board.Section,
) -> int:
    """How many of these soldiers have not attacked by this effect: GW-18.6."""
    clan = state.clans[seat]
    if origin == "rest":
        there = clan.resting(section)[board.SOLDIER_NUMBER[soldier]]
        return there - step.spare.count((section, soldier))
    if origin == "firing" and soldier == "archer":
        return clan.firing_in(section) - step.shot[board.SECTION_NUMBER[section]]
    return 0


def check_option(state: State, step: Attacking, move: moves.Attack) -> None:
    """Refuse a soldier that may not attack now: GW-10.2, GW-18.6."""
    if step.left == 0:
        raise RuleBroken("GW-18.6", "no_more", "fault_no_more_attacks")
    if move.section not in step.chosen and not step.sections:
        raise RuleBroken("GW-18.6", "other_section", "fault_other_section_attacked")
    if move.soldier not in step.types or move.origin not in step.origins:
        raise RuleBroken("GW-18.6", "other_soldiers")
    made = step.made[board.SECTION_NUMBER[move.section]]
    if step.each_section is not None and made >= step.each_section:
        raise RuleBroken("GW-18.6", "no_more_there")
    if _ready(state, step, move.seat, move.soldier, move.origin, move.section) < 1:
        raise RuleBroken("GW-10.2", "no_such_soldier", soldier=Sentence(f"soldier_{move.soldier}"))
    fighting.check_attack(state, move.seat, move)


def make_attack(p: Play[State], step: Attacking, move: moves.Attack) -> None:
    """Attack with a soldier, and offer the next: GW-10.2."""
    number = board.SECTION_NUMBER[move.section]
    new = move.section not in step.chosen
    tally = fighting.strike(p, move.seat, move, step.tally, step.rule)
    again = replace(
        step,
        left=None if step.left is None else step.left - 1,
        sections=step.sections - new,
        chosen=(*step.chosen, move.section) if new else step.chosen,
        made=plus(step.made, number),
        shot=plus(step.shot, number) if move.soldier == "archer" else step.shot,
        tally=tally,
    )
    p.then(steps.Ask(step=replace(again, seats=(move.seat,))))
    fighting.bring_rewards(p, move.seat, move)


def offer_stop(state: State, step: Attacking, seat: Seat) -> tuple[moves.Done, ...]:
    """To stop, if no soldier must attack: GW-9.7, GW-13.2."""
    return (moves.Done(seat),) if _find_duty(state, step, seat) is None else ()


def check_stop(state: State, step: Attacking, move: moves.Done) -> None:
    """Refuse to stop while a soldier must attack: GW-9.7, GW-13.2."""
    if (section := _find_duty(state, step, move.seat)) is not None:
        raise RuleBroken("GW-9.7", "must_attack", section=Sentence(f"section_{section}"))


def _find_duty(state: State, step: Attacking, seat: Seat) -> board.Section | None:
    """A Section with a soldier that must attack; None without one: GW-9.7, GW-13.2."""
    if step.left is None:
        for section in step.chosen:
            if any(_in_section(state, step, seat, section)):
                return section
    return None


def stop(p: Play[State], step: Attacking, move: moves.Done) -> None:
    """End the attack event: GW-10.9."""
    fighting.plan_end(p, move.seat, step.tally)
