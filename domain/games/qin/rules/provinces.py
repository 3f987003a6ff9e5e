"""Provinces: founded, expanded, joined, ruined. Chapters 5, 6, 8 and 14."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.engine.play import Play, Seat
from domain.games.qin import events
from domain.games.qin.board import MAJOR, NUMBER_OF, Color, Space
from domain.games.qin.moves import PlaceTile
from domain.games.qin.rules.joining import Forbidden, heir, touching
from domain.games.qin.state.table import NOBODY, RUINED, State


class Change(msgspec.Struct, frozen=True, gc=False):
    """An area after a placement, with the old provinces, ruined areas and single spaces in it."""

    color: Color
    provinces: list[int]
    ruins: list[int]
    singles: list[int]


class Founding(msgspec.Struct, frozen=True, gc=False):
    """A province that gets its first pagoda: QIN-5.4."""

    seat: Seat
    color: Color
    spaces: tuple[Space, ...]


class Promotion(msgspec.Struct, frozen=True, gc=False):
    """A province that gets its second pagoda, if it is missing: QIN-5.5, QIN-6.5."""

    seat: Seat
    province: Space


def settle(p: Play[State], move: PlaceTile) -> None:
    """Settle the areas that a tile changed; pagodas come last: QIN-5.7, QIN-8.2."""
    changes = _changes(p.state, move)
    placements = [due for change in changes if (due := _carry_out(p, move.seat, change))]
    if len(placements) > 1:
        order = p.state.turn_order(move.seat)
        placements.sort(key=lambda due: order.index(due.seat))
    for due in placements:
        _place(p, due)


def _changes(state: State, move: PlaceTile) -> list[Change]:
    """The areas that a tile changes: one, or two for a tile of two colours: QIN-5.1.

    A half that meets no space of its colour stays a single space: QIN-5.3.
    """
    (one, two), width, near = move.halves, state.board.width, state.board.neighbours
    a, b = one.row * width + one.col, two.row * width + two.col
    if one.color == two.color:  # the halves are adjacent
        return [_change(state, one.color, near[a] + near[b])]
    return [
        _change(state, half.color, (cell, *near[cell]))
        for half, cell in ((one, a), (two, b))
        if state.once[NUMBER_OF[half.color]] & state.board.flags[cell]
    ]


def _change(state: State, color: Color, cells: tuple[int, ...]) -> Change:
    """The area of one colour around these cells, split by its old parts: QIN-5.2, QIN-5.8."""
    change = Change(color, [], [], [])
    for area in sorted(touching(state, NUMBER_OF[color], cells)):
        owner = state.owners[area]
        if owner == NOBODY:
            change.singles.append(area)
        elif owner == RUINED:
            change.ruins.append(area)
        else:
            change.provinces.append(area)
    return change


def _carry_out(p: Play[State], active: Seat, change: Change) -> Founding | Promotion | None:
    """Found, expand or join, by the number of old provinces: QIN-4.6, QIN-5.4, QIN-5.5, QIN-5.6."""
    if len(change.provinces) > 1:
        return _absorb(p, change)
    if change.provinces:
        return _expand(p, change)
    if change.ruins:
        _expand_ruin(p, change)
        return None
    return Founding(active, change.color, _spaces(p.state, change.singles))


def _expand_ruin(p: Play[State], change: Change) -> None:
    """Add new spaces to the ruined areas that they touch: QIN-14.3."""
    spaces = _spaces(p.state, change.singles)
    p.emit(events.RuinExpanded(change.color, _spaces(p.state, change.ruins), spaces))


def _expand(p: Play[State], change: Change) -> Promotion | None:
    """Let a province grow; its owner stays and may get a second pagoda: QIN-5.5."""
    state, (old,) = p.state, change.provinces
    owner, size, province = state.owners[old] - 1, state.sizes[old], state.space(old)
    p.emit(events.ProvinceExpanded(owner, change.color, province, _spaces(state, change.singles)))
    becomes_major = size < MAJOR <= size + len(change.singles)
    return Promotion(owner, province) if becomes_major else None


def _ruin(p: Play[State], removed: events.MajorsRemoved) -> None:
    """Let major provinces that met fall to ruin: QIN-14.2."""
    p.emit(removed)


def _absorb(p: Play[State], change: Change) -> Promotion | None:
    """Make several provinces one, or a ruin of majors: QIN-6.5, QIN-5.6.

    An area that was major already has its two pagodas and gets none.
    """
    state, old = p.state, change.provinces
    whole = heir(state, old)
    assert not isinstance(whole, Forbidden), "the judge lets no such placement pass"
    was_major = any(state.sizes[area] >= MAJOR for area in old)
    provinces, spaces = _spaces(state, old), _spaces(state, change.singles)
    returned = _count_returns(state, old, whole)
    if whole == RUINED:
        _ruin(p, events.MajorsRemoved(change.color, provinces, spaces, returned))
        return None
    p.emit(events.ProvincesAbsorbed(whole - 1, change.color, provinces, spaces, returned))
    return None if was_major else Promotion(whole - 1, provinces[0])


def _count_returns(state: State, provinces: Sequence[int], owner: int) -> tuple[int, ...]:
    """By seat, the pagodas that return to the supply; the owner leaves two: QIN-6.5, QIN-14.2."""
    returned = [0] * len(state.supply)
    for area in provinces:
        returned[state.owners[area] - 1] += state.pagodas[area]
    if owner != RUINED:
        returned[owner - 1] = max(0, returned[owner - 1] - 2)
    return tuple(returned)


def _place(p: Play[State], due: Founding | Promotion) -> None:
    """Place pagodas, as far as the supply has them: QIN-2.7, QIN-8.4."""
    if isinstance(due, Promotion):
        _promote(p, due)
        return
    _found(p, due)
    if len(due.spaces) >= MAJOR:
        _promote(p, Promotion(due.seat, due.spaces[0]))


def _found(p: Play[State], due: Founding) -> None:
    """Place a pagoda on a new province: QIN-5.4."""
    pagodas = min(1, p.state.supply[due.seat])
    p.emit(events.ProvinceFounded(due.seat, due.color, due.spaces, pagodas))


def _promote(p: Play[State], due: Promotion) -> None:
    """Complete the two pagodas of a major province: QIN-5.5."""
    missing = 2 - p.state.pagodas[p.state.area(due.province)]
    placed = min(missing, p.state.supply[due.seat])
    p.emit(events.MajorCreated(due.seat, due.province, placed))


def _spaces(state: State, areas: Sequence[int]) -> tuple[Space, ...]:
    """The first space of each area, which identifies it in events."""
    spaces = state.board.spaces
    return tuple([spaces[area - 1] for area in areas])
