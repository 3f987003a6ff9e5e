"""Villages: who is strongest at each, and who takes it. Chapters 7 and 8."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from domain.engine.play import Play, Seat
from domain.games.qin.events import VillageConnected, VillageConquered, VillageLost
from domain.games.qin.state.table import RUINED, State


class Claim(msgspec.Struct, frozen=True, gc=False):
    """A village at which one player alone is strongest, and who owns it so far."""

    village: int
    seat: Seat
    former: Seat | None


def settle(p: Play[State], active: Seat) -> None:
    """Look at all villages at once; pagodas come back before others are placed: QIN-7.1, QIN-8.2.

    Whoever has no pagoda left for a village leaves it empty, and has won: QIN-8.4.
    """
    claims = _claims(p.state)
    if not claims:
        return
    order = p.state.turn_order(active)
    for claim in claims:
        if claim.former is not None:
            p.emit(VillageLost(claim.former, p.state.board.spaces[claim.village]))
    for claim in sorted(claims, key=lambda claim: order.index(claim.seat)):
        if p.state.supply[claim.seat]:
            _occupy(p, claim)


def leader(state: State, village: int) -> Seat | None:
    """Who alone is strongest at a village, if anybody is: QIN-7.3, QIN-7.4, QIN-7.5."""
    strong = beside(state, village)
    if len(strong) < 2:  # so at most villages, and there is nothing to compare
        return state.owners[strong.pop()] - 1 if strong else None
    at_village = strengths(state, strong)
    most = max(at_village)
    return at_village.index(most) - 1 if at_village.count(most) == 1 else None


def beside(state: State, village: int) -> set[int]:
    """The areas beside a village that carry pagodas, each once: QIN-7.2."""
    areas, pagodas = state.areas, state.pagodas
    return {area for cell in state.board.neighbours[village] if pagodas[area := areas[cell]]}


def strengths(state: State, areas: Iterable[int]) -> list[int]:
    """How strong each owner is by these areas, which is their weight: QIN-2.8, QIN-7.2."""
    by_owner = [0] * (RUINED + 1)
    for area in areas:
        by_owner[state.owners[area]] += state.pagodas[area]
    return by_owner


def _claims(state: State) -> list[Claim]:
    """The villages that get another owner: QIN-7.3, QIN-7.4, QIN-7.7.

    After every tile all are looked at: QIN-7.1. So only areas that the tile has changed can make a
    difference, but for the first tile on a table that was read from a position.
    """
    claims = []
    for village in state.board.flagged(state.in_question):
        seat, holder = leader(state, village), state.villages[village]
        if seat is not None and holder != seat + 1:
            claims.append(Claim(village, seat, holder - 1 if holder else None))
    return claims


def _occupy(p: Play[State], claim: Claim) -> None:
    """Place a pagoda on a village that is empty by now: QIN-7.3, QIN-7.4, QIN-7.6."""
    village = p.state.board.spaces[claim.village]
    if claim.former is None:
        p.emit(VillageConnected(claim.seat, village))
    else:
        p.emit(VillageConquered(claim.seat, village, claim.former))
