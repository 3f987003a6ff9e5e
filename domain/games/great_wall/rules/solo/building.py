"""What Qin Jiushao builds and upgrades, without paying: GW-14.10, GW-18.9."""

from __future__ import annotations

from domain.engine.play import Play
from domain.games.great_wall import board
from domain.games.great_wall.events.clerks import OverseerUpgraded
from domain.games.great_wall.events.supply import BarricadeBuilt, WallBuilt, WarehousePaid
from domain.games.great_wall.rules.solo import track
from domain.games.great_wall.state.table import State


def upgrade(p: Play[State], count: int) -> None:
    """Upgrade so many Overseers, the lowest on his track first: GW-18.9."""
    clan = track.clan(p.state)
    there = ((one, clan.overseer(one)) for one in track.lowest_first(p.state) if one in _OVERSEEN)
    upgraded = [(one, o) for one, o in there if o and o.level < board.OVERSEER_TOP]
    for location, standing in upgraded[:count]:
        level, soldier = standing.level + 1, standing.soldier
        p.emit(OverseerUpgraded(track.number(p.state), location, level, soldier))


_OVERSEEN = frozenset(board.PRODUCTION)


def wall(p: Play[State]) -> None:
    """Build a Wall part where the Wall is lowest; the Warehouse pays what it can: GW-14.10."""
    section = min(track.indicated_first(p), key=p.state.wall)
    built = board.WALL[p.state.wall(section)]
    if built.next_cost is None or built.next_honor is None:
        return
    if paid := _stored(p.state, built.next_cost):
        p.emit(WarehousePaid(track.number(p.state), paid))
    p.emit(WallBuilt(track.number(p.state), section, built.level + 1, built.next_honor))


def _stored(state: State, cost: int) -> board.Cost:
    """What the Warehouse pays, that of which it has most first: GW-14.10."""
    stored = dict(zip(board.RESOURCES, state.warehouse, strict=True))
    paid: board.Cost = {}
    for resource in sorted(board.RESOURCES, key=lambda one: -stored[one]):
        if some := min(stored[resource], cost - sum(paid.values())):
            paid[resource] = some
    return paid


def barricades(p: Play[State], clan: int, count: int, honor: int) -> None:
    """Build so many where the indicator points, or in the other Section: GW-14.12, GW-18.9."""
    for _ in range(count):
        sections = track.indicated_first(p)
        room = (one for one in sections if p.state.barricades_in(one) < board.BARRICADES)
        if section := next(room, None):
            p.emit(BarricadeBuilt(clan, section, honor))
