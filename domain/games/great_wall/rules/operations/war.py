"""Operations with soldiers, Horde cards and the Wall: GW-18.6."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Play
from domain.games.great_wall import board
from domain.games.great_wall.cards import ops
from domain.games.great_wall.rules import invasion
from domain.games.great_wall.rules.locations import barracks, builders, logistics
from domain.games.great_wall.rules.operations.numbers import value_of, value_or_all
from domain.games.great_wall.rules.war import attacking, fighting, kills, wounds
from domain.games.great_wall.state.agenda.effects import Perform
from domain.games.great_wall.state.agenda.soldiers import Origin, Unit
from domain.games.great_wall.state.bills import bill_of
from domain.games.great_wall.state.context import NOTHING, Context
from domain.games.great_wall.state.table import State

ORIGINS: dict[str, tuple[Origin, ...]] = {
    "rest": ("rest",),
    "firing": ("firing",),
    "rest_or_firing": ("rest", "firing"),
}
"""Where the soldiers of an attack may stand: GW-18.6."""


def recruit(p: Play[State], here: Perform, op: ops.Recruit) -> None:
    """Recruit soldiers: GW-8.6, GW-18.6."""
    count, less = value_of(p.state, here, op.n), value_of(p.state, here, op.discount)
    bill = bill_of(op.cost) if op.cost else None
    barracks.recruit(p, here.clan, count, op.types, bill, less, op.free)


def attack(p: Play[State], here: Perform, op: ops.Attack) -> None:
    """Attack with soldiers that stand in the Sections: GW-9.7, GW-18.6."""
    each = None if op.each_section is None else value_of(p.state, here, op.each_section)
    attacking.attack(
        p,
        here.clan,
        value_or_all(p.state, here, op.n),
        op.types,
        ORIGINS[op.source],
        value_of(p.state, here, op.sections),
        each,
        here.context if op.not_recruited_now else NOTHING,
    )


def wound(p: Play[State], here: Perform, op: ops.Wound) -> None:
    """Put Wound markers on Horde cards, those of this event or all: GW-18.6, GW-18.11."""
    event = here.context
    if op.target == "this_horde" and event.types and not event.hordes:
        return  # soldiers of this event attacked no Horde card
    wounds.ask_wounds(
        p,
        here.clan,
        value_of(p.state, here, op.n),
        first_row=op.target == "first_row",
        sections=event.sections if op.sections == "this" else (),
        one=op.sections != "any",
        cards=event.hordes if op.target == "this_horde" else (),
    )


def move_soldiers(p: Play[State], here: Perform, op: ops.MoveSoldiers) -> None:
    """Move soldiers from one Section to another: GW-8.10, GW-18.6."""
    logistics.ask_moves(p, here.clan, value_of(p.state, here, op.n))


def save(p: Play[State], here: Perform, op: ops.Save) -> None:
    """Save soldiers that are about to be killed: GW-18.13."""
    kills.save(p, here.clan, value_or_all(p.state, here, op.n), bill_of(op.cost))


def kill(p: Play[State], here: Perform, op: ops.Kill) -> None:
    """Let soldiers of every clan die, or only of this one if each does this: GW-10.12, GW-18.6."""
    clans = (here.clan,) if here.alone else p.state.tea
    count = value_of(p.state, here, op.n)
    for clan in reversed(clans):
        groups = [
            tuple(unit for unit in group if unit.soldier in op.types)
            for group in _in_danger(p.state, clan, op.where, here.context)
        ]
        kills.begin(p, clan, tuple(_choices(count, groups, op.most_first)), "GW-18.6")


def _choices(
    count: int, groups: list[tuple[Unit, ...]], most_first: bool
) -> Iterator[tuple[int, tuple[Unit, ...]]]:
    """How many of which soldiers die; first where most stand, if the card says so: GW-18.6."""
    if not most_first:
        yield count, tuple(unit for group in groups for unit in group)
        return
    for group in sorted(groups, key=len, reverse=True):
        yield min(count, len(group)), group
        count -= min(count, len(group))


def _in_danger(state: State, clan: int, where: str, context: Context) -> Iterator[tuple[Unit, ...]]:
    """The soldiers of a clan in reach of a killing, place by place: GW-18.6."""
    if where in ("this_horde", "this_section_hordes", "all_hordes"):
        for place in state.hordes_on_board():
            this_card = where != "this_horde" or place.horde.card in context.hordes
            this_section = where != "this_section_hordes" or place.section in context.sections
            if this_card and this_section:
                yield fighting.units_on(place, clan)
        return
    for section in state.setup.table.sections:
        if where != "firing_this_section" or section in context.sections:
            yield _off_hordes(state, clan, section, resting=where == "rest_all")


def _off_hordes(state: State, clan: int, section: board.Section, resting: bool) -> tuple[Unit, ...]:
    """The soldiers of a clan in the Rest Zone or in the Firing spots of a Section: GW-10.13."""
    owned = state.clans[clan]
    if not resting:
        return (Unit("archer", section, "firing"),) * owned.firing_in(section)
    there = zip(board.SOLDIERS, owned.resting(section), strict=True)
    return tuple(Unit(name, section, "rest") for name, count in there for _ in range(count))


def build_barricade(p: Play[State], here: Perform, op: ops.BuildBarricade) -> None:
    """Build Barricades: GW-8.8, GW-18.6."""
    count, less = value_of(p.state, here, op.n), value_of(p.state, here, op.discount)
    sections = here.context.sections if op.section == "this" else ()
    builders.ask_barricades(p, here.clan, count, less, op.free, not op.no_honor, sections)


def build_wall(p: Play[State], here: Perform, op: ops.BuildWall) -> None:
    """Build a Wall part: GW-8.8, GW-18.6."""
    builders.ask_wall(p, here.clan, value_of(p.state, here, op.discount), op.where == "lowest")


def place_hordes(p: Play[State], here: Perform, op: ops.PlaceHordes) -> None:
    """Place Horde cards: GW-5.2, GW-18.6."""
    invasion.place(p, value_of(p.state, here, op.n))
