"""Effects of every piece that is built: reservations end, threats are seen, regions become full."""

from __future__ import annotations

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.chang_cheng.board import MONGOL
from domain.games.chang_cheng.events import wall
from domain.games.chang_cheng.rules.regions import scorings
from domain.games.chang_cheng.state.table import State


def check_supply(count: int, piece: str) -> None:
    """Refuse a piece that the supply does not have: CC-1.3."""
    if not count:
        raise RuleBroken("CC-1.3", "none_left", f"fault_none_left_{piece}")


def apply_effects(p: Play[State], seat: Seat, cells: tuple[int, ...], owner: Seat | None) -> None:
    """Apply the effects of a piece that a seat built, for itself or neutral: CC-6.1, CC-9.2."""
    if any(p.state.reserved):
        _end_reservations(p, cells, owner)
    for cell in cells:
        _look(p, seat, p.state.map.mongol_of[cell])
    p.then(*scorings(p.state, seat, cells))


def _end_reservations(p: Play[State], cells: tuple[int, ...], owner: Seat | None) -> None:
    """End what its owner has used, or what has no empty cell any more: CC-5.5."""
    for seat, reserved in enumerate(p.state.reserved):
        used = owner == seat and not set(reserved).isdisjoint(cells)
        if reserved and (used or all(p.state.cells[cell] for cell in reserved)):
            p.emit(wall.ReservationEnded(seat))


def _open_threat(p: Play[State], region: int) -> None:
    """Show a threat tile to all, unless all have seen it: CC-12.5."""
    if not p.state.knows(None, region):
        p.emit(wall.ThreatOpened(MONGOL[region], p.state.threats[region]))


def _look(p: Play[State], seat: Seat, region: int) -> None:
    """Show a threat tile to the builder, or to all if the Scout is open: CC-9.2, CC-12.5."""
    state = p.state
    if state.removed[region]:
        return
    if "scout" in state.events:
        _open_threat(p, region)
    elif not state.knows(seat, region):
        p.emit(wall.ThreatSeen(seat, MONGOL[region], state.threats[region]))
