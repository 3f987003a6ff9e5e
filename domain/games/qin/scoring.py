"""Pagodas on the board, and who has won."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.engine.scoring import ScoreLine, ScoreParts, Scoring, ranks
from domain.games.qin.state.table import State, on_provinces


def scoring(state: State) -> Scoring:
    """Rank seats by pagodas on the board; the fewest left in the supply win: QIN-10.2, QIN-10.3."""
    standings = [(seat in state.winners, -left) for seat, left in enumerate(state.supply)]
    places = ranks(standings)
    return Scoring(
        reason=state.ended or "",
        lines=tuple(_line(state, seat, rank) for seat, rank in enumerate(places)),
    )


def fewest_left(state: State) -> tuple[Seat, ...]:
    """The seats with most pagodas on the board, so fewest in the supply: QIN-10.2."""
    least = min(state.supply)
    return tuple(seat for seat, left in enumerate(state.supply) if left == least)


def penalties(state: State) -> tuple[int, ...]:
    """The penalty points of each seat for a match of a series; the lowest total wins: QIN-11.2,
    QIN-11.3.
    """
    return tuple(state.supply)


def _line(state: State, seat: Seat, rank: int) -> ScoreLine:
    provinces = on_provinces(state, seat)
    villages = state.villages.count(seat + 1)
    breakdown = {"provinces": provinces, "villages": villages, "supply": state.supply[seat]}
    return ScoreLine(seat=seat, rank=rank, points=provinces + villages, breakdown=breakdown)


def _on_the_board(line: ScoreLine) -> dict[str, int]:
    """Pagodas that count as points: all but those in the supply."""
    return {part: line.breakdown[part] for part in ("provinces", "villages")}


PARTS = ScoreParts(of=_on_the_board, counted="pagodas", heading="heading_pagodas")
