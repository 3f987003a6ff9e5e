"""What Qin Jiushao builds and upgrades, without paying: GW-14.10, GW-18.9."""

from __future__ import annotations

from domain.engine.play import Play
from domain.games.great_wall import board
from domain.games.great_wall.events.clerks import OverseerUpgraded
from domain.games.great_wall.events.supply import BarricadeBuilt, WallBuilt, WarehousePaid
from domain.games.great_wall.rules.solo import track
from domain.games.great_wall.state.table import State


def upgrade(p: Play[State], count: int) -> None:
    """Upgrade that many Overseers, the lowest on his track first: GW-18.9."""
    qin, clan = track.qin_number(p.state), track.qin_clan(p.state)
    there = ((one, clan.overseer(one)) for one in track.lowest_first(p.state) if one in _OVERSEEN)
    upgraded = [(one, o) for one, o in there if o and o.level < board.OVERSEER_TOP]
    for location, standing in upgraded[:count]:
        level, soldier = standing.level + 1, standing.soldier
        p.emit(OverseerUpgraded(qin, location, level, soldier, "GW-18.9"))


_OVERSEEN = frozenset(board.PRODUCTION)


def build_wall(p: Play[State]) -> None:
    """Build a Wall part where the Wall is lowest; the Warehouse pays what it can: GW-14.10."""
    section = min(track.sections_by_indicator(p), key=p.state.wall)
    built = board.WALL[p.state.wall(section)]
    if built.next_cost is None or built.next_honor is None:
        return
    qin = track.qin_number(p.state)
    if paid := _find_payment(p.state, built.next_cost):
        p.emit(WarehousePaid(qin, paid, "GW-14.10"))
    p.emit(WallBuilt(qin, section, built.level + 1, built.next_honor, "GW-14.10"))


def _find_payment(state: State, cost: int) -> board.Cost:
    """What the Warehouse pays, the resource with the highest count first: GW-14.10."""
    stored = dict(zip(board.RESOURCES, state.warehouse, strict=True))
    paid: board.Cost = {}
    for resource in sorted(board.RESOURCES, key=lambda one: -stored[one]):
        if some := min(stored[resource], cost - sum(paid.values())):
            paid[resource] = some
    return paid


def build_barricades(p: Play[State], clan: int, count: int, honor: int, rule: str) -> None:
    """Build up to that many by this rule where the indicator points, else in the other."""
    for _ in range(count):
        sections = track.sections_by_indicator(p)
        room = (one for one in sections if p.state.barricades_in(one) < board.BARRICADES)
        if section := next(room, None):
            p.emit(BarricadeBuilt(clan, section, honor, rule))
