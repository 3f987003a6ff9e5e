"""What several events write down in the same way."""

from __future__ import annotations

import msgspec

from domain.engine.play import Seat
from domain.games.chang_cheng.state.table import CATEGORIES, Card, Category, Last, State


def pay(state: State, seat: Seat, category: Category, points: int) -> None:
    """Add points of a category."""
    state.points[seat * len(CATEGORIES) + CATEGORIES.index(category)] += points


def leave(state: State, *cards: Card) -> None:
    """Cards that waited leave the game."""
    assert state.tally is not None
    count_up(state, waiting=tuple([card for card in state.tally.waiting if card not in cards]))


def count_up(state: State, **changes: object) -> None:
    """Change what the scoring that is going on has counted."""
    assert state.tally is not None
    state.tally = msgspec.structs.replace(state.tally, **changes)


def touch(
    state: State, seat: Seat | None, cells: tuple[str, ...] = (), regions: tuple[str, ...] = ()
) -> None:
    """Mark what this turn touched; the active seat stays the same while others use cards."""
    last = state.last
    if last is None or last.turn != state.turn:
        state.last = Last(state.turn, 0 if seat is None else seat, cells, regions)
    else:
        state.last = Last(
            last.turn, last.seat, _join(last.cells, cells), _join(last.regions, regions)
        )


def _join(touched: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*touched, *more))) if more else touched
