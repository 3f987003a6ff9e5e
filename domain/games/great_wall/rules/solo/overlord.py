"""Qin Jiushao as the Overlord of the Reed Clan, on his own turn: GW-14.12."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Play
from domain.games.great_wall import board
from domain.games.great_wall.events.clerks import AdvisorsDiscarded, ClerkMoved
from domain.games.great_wall.events.solo import QinActed
from domain.games.great_wall.events.supply import WarehouseStocked
from domain.games.great_wall.rules.locations import embassy
from domain.games.great_wall.rules.solo import building, soldiers, track
from domain.games.great_wall.rules.war import fighting
from domain.games.great_wall.state.agenda.soldiers import Tally
from domain.games.great_wall.state.table import State

RULE = "GW-14.12"


def move(p: Play[State], count: int) -> None:
    """Move up to that many clerks of the Reed Clan down the Location track: GW-14.12."""
    reed = _reed(p.state)
    moved: tuple[board.Location, ...] = ()
    for _ in range(count):
        goals = (one for one in track.lowest_first(p.state) if _is_open(p.state, one))
        goal, origin = next(goals, None), next(_origins(p.state, moved), None)
        if goal is None or origin is None or not _is_lower(p.state, origin, goal):
            return
        p.emit(ClerkMoved(reed, origin, goal, RULE))
        moved = (*moved, goal)


def _reed(state: State) -> int:
    assert state.reed is not None
    return state.reed


def _is_open(state: State, location: board.Location) -> bool:
    """Whether a clerk of the Reed Clan can go there: GW-15.4."""
    return not state.is_full(location) and not state.clans[_reed(state)].at(location)


def _origins(state: State, moved: tuple[board.Location, ...]) -> Iterator[board.Location]:
    """The Locations that its clerks can leave, in the order of choice: GW-14.12, GW-15.4.

    First those without a clerk of Qin, and among them those off his track; then from the highest.
    """
    on_track, qin = tuple(track.highest_first(state)), track.qin_clan(state)
    off = tuple(one for one in board.LOCATIONS if one not in on_track)
    reed = state.clans[_reed(state)]
    there = [
        one
        for one in (*off, *on_track)
        if reed.at(one) and one not in moved and not state.is_full(one)
    ]
    yield from sorted(there, key=lambda one: bool(qin.at(one)))


def _is_lower(state: State, origin: board.Location, goal: board.Location) -> bool:
    """Whether a move within the track leads down: GW-14.12."""
    order = tuple(track.highest_first(state))
    return origin not in order or order.index(origin) < order.index(goal)


def resolve(p: Play[State], location: board.Location) -> None:
    """Do what the clerk of the Reed Clan does in a Location: GW-14.12, GW-15.7."""
    reed = _reed(p.state)
    match location:
        case "lumber_mill" | "quarry" | "gold_mine":
            p.emit(WarehouseStocked(reed, {board.PRODUCTION[location]: 1}, RULE))
        case "embassy":
            p.emit(QinActed("reed_advisor", RULE))
            p.emit(AdvisorsDiscarded(p.state.advisors[:1], RULE))
            embassy.fill_track(p, RULE)
        case "builders":
            p.emit(QinActed("reed_barricade", RULE))
            building.build_barricades(p, reed, 1, 0, RULE)
        case "barracks":
            p.emit(QinActed("reed_attack", RULE))
            if attack := soldiers.find_charge(p, reed, "spearman"):
                fighting.strike(p, reed, attack, Tally(), RULE)
        case _:
            return
