"""The province step: founding, expanding, absorbing, ruin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.engine.play import Play, Seat
from domain.games.qin.board import MAJOR, NUMBER_OF, Color, Space
from domain.games.qin.events import (
    MajorCreated,
    MajorsRemoved,
    ProvinceExpanded,
    ProvinceFounded,
    ProvincesAbsorbed,
    RuinExpanded,
)
from domain.games.qin.moves import PlaceTile
from domain.games.qin.rules.judge import tally, touching
from domain.games.qin.state import NOBODY, RUINED, State


@dataclass(frozen=True, slots=True)
class Change:
    """An area as it will be: the old provinces, ruined areas and single spaces that make it up."""

    color: Color
    provinces: tuple[int, ...]
    ruins: tuple[int, ...]
    singles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Founding:
    """A province that is to get its first pagodas; QIN-5.4."""

    seat: Seat
    color: Color
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class Promotion:
    """A province that is to get its second pagoda, if it is missing; QIN-5.5, QIN-6.5."""

    seat: Seat
    province: Space


def change_provinces(p: Play[State], move: PlaceTile) -> None:
    """QIN-5.7, QIN-8.2"""
    order = p.state.turn_order(move.seat)
    placements = [due for change in _changes(p.state, move) for due in _carry_out(p, move, change)]
    for due in sorted(placements, key=lambda due: order.index(due.seat)):
        _place(p, due)


def _changes(state: State, move: PlaceTile) -> list[Change]:
    """QIN-5.1"""
    one, two = move.halves
    a, b = state.board.cell(one.row, one.col), state.board.cell(two.row, two.col)
    if one.color == two.color:
        return [_change(state, one.color, (a, b))]
    return [_change(state, one.color, (a,)), _change(state, two.color, (b,))]


def _change(state: State, color: Color, cells: tuple[int, ...]) -> Change:
    """QIN-5.2, QIN-5.8"""
    new = {state.areas[cell] for cell in cells}
    areas = sorted(new | touching(state, cells, NUMBER_OF[color]))
    owners = state.owners
    return Change(
        color=color,
        provinces=tuple(area for area in areas if NOBODY != owners[area] != RUINED),
        ruins=tuple(area for area in areas if owners[area] == RUINED),
        singles=tuple(area for area in areas if owners[area] == NOBODY),
    )


def _carry_out(p: Play[State], move: PlaceTile, change: Change) -> list[Founding | Promotion]:
    """QIN-5.3, QIN-14.2, QIN-14.3"""
    match len(change.provinces):
        case 0 if change.ruins:
            return _expand_ruin(p, change)
        case 0:
            return _found(p, move.seat, change)
        case 1:
            return _expand(p, change)
        case _:
            return _absorb(p, change)


def _expand_ruin(p: Play[State], change: Change) -> list[Founding | Promotion]:
    """QIN-14.3"""
    spaces = _spaces(p, change.singles)
    p.emit(RuinExpanded(change.color, _spaces(p, change.ruins), spaces))
    return []


def _found(p: Play[State], seat: Seat, change: Change) -> list[Founding | Promotion]:
    """QIN-4.6, QIN-5.3, QIN-5.4"""
    if len(change.singles) == 1:
        return []
    return [Founding(seat, change.color, _spaces(p, change.singles))]


def _expand(p: Play[State], change: Change) -> list[Founding | Promotion]:
    """QIN-5.5"""
    (old,) = change.provinces
    owner, was_major = p.state.owners[old] - 1, p.state.sizes[old] >= MAJOR
    province = p.state.space(old)
    p.emit(ProvinceExpanded(owner, change.color, province, _spaces(p, change.singles)))
    is_major = p.state.sizes[p.state.area(province)] >= MAJOR
    return [Promotion(owner, province)] if is_major and not was_major else []


def _absorb(p: Play[State], change: Change) -> list[Founding | Promotion]:
    """QIN-5.6, QIN-6.5, QIN-6.6, QIN-6.7"""
    state, old = p.state, change.provinces
    majors = [area for area in old if state.sizes[area] >= MAJOR]
    provinces, spaces = _spaces(p, old), _spaces(p, change.singles)
    if len(majors) > 1:
        p.emit(MajorsRemoved(change.color, provinces, spaces, _returned(state, old, None)))
        return []
    owner = state.owners[majors[0]] - 1 if majors else _strongest(state, old)
    returned = _returned(state, old, owner)
    p.emit(ProvincesAbsorbed(owner, change.color, provinces, spaces, returned))
    return [] if majors else [Promotion(owner, provinces[0])]


def _strongest(state: State, provinces: Sequence[int]) -> Seat:
    """QIN-6.3"""
    spaces = tally(state, provinces)
    return max(spaces, key=spaces.__getitem__)


def _returned(state: State, provinces: Sequence[int], owner: Seat | None) -> tuple[int, ...]:
    """QIN-6.5"""
    returned = [0] * len(state.supply)
    for area in provinces:
        returned[state.owners[area] - 1] += state.pagodas[area]
    if owner is not None:
        returned[owner] = max(0, returned[owner] - 2)
    return tuple(returned)


def _place(p: Play[State], due: Founding | Promotion) -> None:
    """QIN-2.7, QIN-5.4, QIN-8.4"""
    if isinstance(due, Founding):
        pagodas = min(1, p.state.supply[due.seat])
        p.emit(ProvinceFounded(due.seat, due.color, due.spaces, pagodas))
        if len(due.spaces) >= MAJOR:
            _place(p, Promotion(due.seat, due.spaces[0]))
        return
    missing = 2 - p.state.pagodas[p.state.area(due.province)]
    p.emit(MajorCreated(due.seat, due.province, min(missing, p.state.supply[due.seat])))


def _spaces(p: Play[State], areas: Sequence[int]) -> tuple[Space, ...]:
    return tuple(p.state.space(area) for area in areas)
