"""Who has how many pagodas on the board, and who has won."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.engine.scoring import Line, Scoring, ranks
from domain.games.qin.state.table import State, on_provinces


def scoring(state: State) -> Scoring:
    """Count pagodas on the board; whoever has fewest left is first: QIN-10.2, QIN-10.3."""
    standings = [(seat in state.winners, -left) for seat, left in enumerate(state.supply)]
    places = ranks(standings)
    return Scoring(
        reason=state.ended or "",
        lines=tuple(_line(state, seat, rank) for seat, rank in enumerate(places)),
    )


def fewest_left(state: State) -> tuple[Seat, ...]:
    """Who has the most pagodas on the board, so the fewest in the supply: QIN-10.2."""
    least = min(state.supply)
    return tuple(seat for seat, left in enumerate(state.supply) if left == least)


def penalties(state: State) -> tuple[int, ...]:
    """What a match of a series costs each seat; the lowest total wins: QIN-11.2, QIN-11.3."""
    return tuple(state.supply)


def _line(state: State, seat: Seat, rank: int) -> Line:
    provinces = on_provinces(state, seat)
    villages = state.villages.count(seat + 1)
    breakdown = {"provinces": provinces, "villages": villages, "supply": state.supply[seat]}
    return Line(seat=seat, rank=rank, points=provinces + villages, breakdown=breakdown)
