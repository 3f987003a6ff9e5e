"""The village step: who is strongest at each village."""

from __future__ import annotations

from dataclasses import dataclass

from domain.engine.play import Play, Seat
from domain.games.qin.events import VillageConnected, VillageConquered, VillageLost
from domain.games.qin.state import RUINED, State


@dataclass(frozen=True, slots=True)
class Claim:
    """A village that somebody alone is strongest at, and who has it so far."""

    village: int
    seat: Seat
    former: Seat | None


def settle_villages(p: Play[State], active: Seat) -> None:
    """QIN-7.1, QIN-8.2"""
    order = p.state.turn_order(active)
    claims = _claims(p.state)
    for claim in claims:
        if claim.former is not None:
            p.emit(VillageLost(claim.former, p.state.board.spaces[claim.village]))
    for claim in sorted(claims, key=lambda claim: order.index(claim.seat)):
        if p.state.supply[claim.seat]:
            _occupy(p, claim)


def leader(state: State, village: int) -> Seat | None:
    """QIN-2.8, QIN-7.2, QIN-7.5"""
    areas, owners, pagodas = state.areas, state.owners, state.pagodas
    strong = [
        area for area in {areas[cell] for cell in state.board.neighbours[village]} if pagodas[area]
    ]
    if len(strong) < 2:
        return owners[strong[0]] - 1 if strong else None
    strengths = [0] * (RUINED + 1)  # by owner
    for area in strong:
        strengths[owners[area]] += pagodas[area]
    most = max(strengths)
    return strengths.index(most) - 1 if strengths.count(most) == 1 else None


def _claims(state: State) -> list[Claim]:
    """QIN-7.1, QIN-7.6, QIN-7.7"""
    claims = []
    for village in state.board.villages:
        seat, holder = leader(state, village), state.villages[village]
        if seat is not None and holder != seat + 1:
            claims.append(Claim(village, seat, holder - 1 if holder else None))
    return claims


def _occupy(p: Play[State], claim: Claim) -> None:
    """QIN-7.3, QIN-7.4, QIN-8.4"""
    village = p.state.board.spaces[claim.village]
    if claim.former is None:
        p.emit(VillageConnected(claim.seat, village))
    else:
        p.emit(VillageConquered(claim.seat, village, claim.former))
