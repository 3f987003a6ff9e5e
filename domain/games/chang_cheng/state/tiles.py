"""Prestige and threat tiles of a position."""

from __future__ import annotations

from typing import Literal

from domain.engine.errors import BadPosition, require_distinct
from domain.engine.play import Seat
from domain.games.chang_cheng.board import CHINA, CHINA_NUMBER, MONGOL, MONGOL_NUMBER
from domain.games.chang_cheng.state.table import OPEN, State, prestige_left, threats_left

KnownThreats = tuple[Seat, ...] | Literal["all"]


def put_prestige(state: State, given: dict[str, int]) -> None:
    """Put a tile in each region; a region not given gets the value with most tiles left: CC-2.2."""
    values = {_region(state, name, CHINA_NUMBER): value for name, value in given.items()}
    left = prestige_left(state)
    for value in values.values():
        _take(left, value, "prestige")
    for region in state.wall.china:
        state.prestige[region] = values[region] if region in values else _most(left)
    if any(count < 0 for count in left):
        raise BadPosition("`prestige` uses more tiles of a value than there are.")


def put_threats(
    state: State, given: dict[str, int], removed: tuple[str, ...], seen: dict[str, KnownThreats]
) -> None:
    """Put tiles with losses from 2 to 4, and note who has seen what: CC-2.2, CC-7.4, CC-9.2."""
    values = {_region(state, name, MONGOL_NUMBER): value for name, value in given.items()}
    left = threats_left(state)
    for value in values.values():
        _take(left, value, "threats")
    for region in state.wall.china:
        state.threats[region] = values[region] if region in values else _most(left)
    if any(count < 0 for count in left[1:]):
        raise BadPosition("`threats` uses more tiles of a value than there are.")
    require_distinct(removed, "removed")
    for name in removed:
        state.removed[_region(state, name, MONGOL_NUMBER)] = 1
    for name, seats in seen.items():
        state.known[_region(state, name, MONGOL_NUMBER)] = _bits(state, seats)


def _take(left: list[int], value: int, what: str) -> None:
    if not 0 <= value < len(left) or left[value] <= 0:
        raise BadPosition(f"`{what}` has a tile of value {value} that is not in the box.")
    left[value] -= 1


def _most(left: list[int]) -> int:
    value = max(range(len(left)), key=lambda value: left[value])
    left[value] -= 1
    return value


def _region(state: State, name: str, numbers: dict[str, int]) -> int:
    region = numbers.get(name)
    if region is None or region not in state.wall.china:
        side = CHINA[0] if numbers is CHINA_NUMBER else MONGOL[0]
        raise BadPosition(f"There is no region {name!r} in play; one is written as {side}.")
    return region


def _bits(state: State, seats: KnownThreats) -> int:
    if seats == "all":
        return OPEN
    require_distinct(seats, "seen")
    bits = 0
    for seat in seats:
        if not 0 <= seat < state.seats:
            raise BadPosition(f"`seen` names seat {seat}, which does not exist.")
        bits |= 1 << seat
    return bits
