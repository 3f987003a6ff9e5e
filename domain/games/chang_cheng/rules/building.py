"""Building, looks, reservations: the parts of the five actions."""

from __future__ import annotations

from collections.abc import Iterable

from domain.engine.play import Play, Seat
from domain.games.chang_cheng.board import CELL_NUMBER, CELLS, CHINA, MONGOL
from domain.games.chang_cheng.events import (
    CardLaid,
    DoubleBuilt,
    NeutralBuilt,
    ReservationEnded,
    SingleBuilt,
    ThreatOpened,
    ThreatSeen,
    TowerBuilt,
)
from domain.games.chang_cheng.moves import (
    BuildDouble,
    BuildNeutral,
    BuildSingle,
    BuildTower,
    LayCard,
)
from domain.games.chang_cheng.rules.scoring_regions import scorings
from domain.games.chang_cheng.state import State


def build_single(p: Play[State], move: BuildSingle) -> None:
    """CC-4.1"""
    p.emit(SingleBuilt(move.seat, move.cell))
    _built(p, move.seat, (CELL_NUMBER[move.cell],), move.seat)


def build_neutral(p: Play[State], move: BuildNeutral) -> None:
    """CC-11.4"""
    p.emit(NeutralBuilt(move.seat, move.cell))
    _built(p, move.seat, (CELL_NUMBER[move.cell],), None)


def build_double(p: Play[State], move: BuildDouble) -> None:
    """CC-4.4"""
    cells = tuple(CELL_NUMBER[cell] for cell in move.cells)
    china = _in_order(CHINA[p.state.map.china_of[cell]] for cell in cells)
    mongol = _in_order(MONGOL[p.state.map.mongol_of[cell]] for cell in cells)
    regions = (*china, *mongol)
    p.emit(DoubleBuilt(move.seat, move.cells, regions, len(regions)))
    _built(p, move.seat, cells, move.seat)


def build_tower(p: Play[State], move: BuildTower) -> None:
    """CC-4.5, CC-5.4"""
    cell = CELL_NUMBER[move.cell]
    empty = tuple(CELLS[other] for other in p.state.beside(cell) if not p.state.cells[other])
    p.emit(TowerBuilt(move.seat, move.cell, empty))
    _built(p, move.seat, (cell,), move.seat)


def lay_card(p: Play[State], move: LayCard) -> None:
    """CC-4.2, CC-9.1"""
    p.emit(CardLaid(move.seat, move.region, move.number))


def _built(p: Play[State], seat: Seat, cells: tuple[int, ...], owner: Seat | None) -> None:
    """CC-5.5, CC-6.1, CC-9.2"""
    for other, reserved in enumerate(p.state.reserved):
        mine = owner == other and not set(reserved).isdisjoint(cells)
        if reserved and (mine or all(p.state.cells[cell] for cell in reserved)):
            p.emit(ReservationEnded(other))
    for cell in cells:
        _look(p, seat, p.state.map.mongol_of[cell])
    p.then(*scorings(p.state, seat, cells))


def _look(p: Play[State], seat: Seat, region: int) -> None:
    """CC-9.2, CC-12.5"""
    state = p.state
    if state.removed[region]:
        return
    if "scout" in state.events:
        if not state.knows(None, region):
            p.emit(ThreatOpened(MONGOL[region], state.threats[region]))
    elif not state.knows(seat, region):
        p.emit(ThreatSeen(seat, MONGOL[region], state.threats[region]))


def _in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Each once, from left to right."""
    return tuple(dict.fromkeys(names))
