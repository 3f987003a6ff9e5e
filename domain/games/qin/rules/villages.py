"""Villages: who is strongest at each, and who takes it. Chapters 7 and 8."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from domain.engine.play import Play, Seat
from domain.games.qin.board import Space
from domain.games.qin.events import VillageConnected, VillageConquered, VillageLost
from domain.games.qin.state.table import RUINED, State


class Claim(msgspec.Struct, frozen=True, gc=False):
    """A village with one strongest player, and its owner so far."""

    village: int
    seat: Seat
    former: Seat | None


def settle(p: Play[State], active: Seat) -> None:
    """Settle all villages at once; pagodas return before others are placed: QIN-7.4, QIN-7.1,
    QIN-8.2.

    A player without a pagoda for a village leaves it empty and has won: QIN-8.4.
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
    """The only strongest player at a village, or None: QIN-7.3, QIN-7.4, QIN-7.5."""
    strong = beside(state, village)
    if len(strong) < 2:  # true of most villages: nothing to compare
        return state.owners[strong.pop()] - 1 if strong else None
    at_village = strengths(state, strong)
    most = max(at_village)
    return at_village.index(most) - 1 if at_village.count(most) == 1 else None


def beside(state: State, village: int) -> set[int]:
    """The areas with pagodas beside a village, each once: QIN-7.2."""
    areas, pagodas = state.areas, state.pagodas
    return {area for cell in state.board.neighbours[village] if pagodas[area := areas[cell]]}


def strengths(state: State, areas: Iterable[int]) -> list[int]:
    """The strength of each owner: the sum of the weights of these areas: QIN-2.8, QIN-7.2."""
    by_owner = [0] * (RUINED + 1)
    for area in areas:
        by_owner[state.owners[area]] += state.pagodas[area]
    return by_owner


def _claims(state: State) -> list[Claim]:
    """The villages that change their owner: QIN-7.3, QIN-7.4, QIN-7.7.

    By QIN-7.1 all villages count after every tile. Only areas that the tile changed can make a
    difference, except for the first tile after a position was read.
    """
    claims = []
    for village in state.board.cells_with(state.in_question):
        seat, holder = leader(state, village), state.villages[village]
        if seat is not None and holder != seat + 1:
            claims.append(Claim(village, seat, holder - 1 if holder else None))
    return claims


def _occupy(p: Play[State], claim: Claim) -> None:
    """Place a pagoda on a village that is empty by now: QIN-7.3, QIN-7.6."""
    village = p.state.board.spaces[claim.village]
    if claim.former is None:
        p.emit(VillageConnected(claim.seat, village))
    else:
        _conquer(p, claim.seat, village, claim.former)


def _conquer(p: Play[State], seat: Seat, village: Space, former: Seat) -> None:
    """Place a pagoda where that of its former owner was: QIN-7.4."""
    p.emit(VillageConquered(seat, village, former))
