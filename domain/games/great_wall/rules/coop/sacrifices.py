"""Soldiers that leave the game for a Request: GW-16.11, GW-18.10."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.great_wall import board, moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.events import requests
from domain.games.great_wall.rules.war.fighting import units_on
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda.requests import Sacrifice
from domain.games.great_wall.state.agenda.soldiers import Unit
from domain.games.great_wall.state.table import State

Soldier = tuple[board.Soldier, Unit | None]
"""A soldier, and where it stands; None if it is in the pool."""


def find_soldiers(state: State, seat: Seat, request: str) -> list[Soldier]:
    """The soldiers of a seat that can be sacrificed for a Request: GW-11.3, GW-16.11.

    These are the soldiers in the pool without a Shame token, and those before the Wall and on it.
    Overseers never leave: GW-8.4.
    """
    types = {
        soldier
        for need in decks.REQUESTS[request].needs
        for payment in (need.pay_each, need.pay_together)
        if payment and payment.sacrifice
        for soldier in payment.sacrifice.types
    }
    return [one for one in _all(state, seat) if one[0] in types]


def _all(state: State, seat: Seat) -> Iterator[Soldier]:
    clan = state.clans[seat]
    for soldier, count in zip(board.SOLDIERS, clan.pool, strict=True):
        yield from [(soldier, None)] * count
    for section in state.setup.table.sections:
        for soldier, count in zip(board.SOLDIERS, clan.resting(section), strict=True):
            yield from [(soldier, Unit(soldier, section, "rest"))] * count
        archer: Soldier = ("archer", Unit("archer", section, "firing"))
        yield from [archer] * clan.firing_in(section)
    for place in state.hordes_on_board():
        yield from ((unit.soldier, unit) for unit in units_on(place, seat))


def ask(p: Play[State], seat: Seat, count: int, request: str) -> None:
    """Let a seat choose that many of its soldiers to leave the game: GW-16.11."""
    if count > 0:
        p.then(steps.Ask(step=Sacrifice((seat,), left=count, request=request)))


def offer_options(state: State, step: Sacrifice, seat: Seat) -> Iterator[moves.SacrificeSoldier]:
    """Each kind of soldier that can be sacrificed: GW-16.11."""
    found = find_soldiers(state, seat, step.request)
    return iter(dict.fromkeys(_move(seat, soldier) for soldier in found))


def _move(seat: Seat, soldier: Soldier) -> moves.SacrificeSoldier:
    kind, unit = soldier
    if unit is None:
        return moves.SacrificeSoldier(seat, kind)
    return moves.SacrificeSoldier(seat, kind, unit.place, unit.section, unit.card)


def check_option(state: State, step: Sacrifice, move: moves.SacrificeSoldier) -> None:
    """Remove this soldier from the game, and ask for the next: GW-16.11."""
    if move not in offer_options(state, step, move.seat):
        raise RuleBroken("GW-16.11", "not_there", "fault_not_there_to_sacrifice")


def sacrifice(p: Play[State], step: Sacrifice, move: moves.SacrificeSoldier) -> None:
    """Let this soldier leave the game, and go on: GW-16.11."""
    found = find_soldiers(p.state, move.seat, step.request)
    kind, unit = next(one for one in found if _move(move.seat, one) == move)
    p.emit(requests.SoldierSacrificed(move.seat, kind, unit))
    ask(p, move.seat, step.left - 1, step.request)
