"""Several matches in a row. Chapter 11."""

from __future__ import annotations

from domain.engine.game import Json
from domain.games.qin.state.setup import Setup
from domain.games.qin.state.table import State


def has_series(setup: Setup) -> bool:
    """Whether a match is part of a series: QIN-11.1."""
    return bool(setup.series)


def next_options(state: State, _number: int) -> Json | None:
    """The options of the next match of the series, if any; the next seat begins: QIN-11.1,
    QIN-11.4.
    """
    setup = state.setup
    if len(setup.series) < 2:
        return None
    first = (state.first + 1) % len(state.supply)
    return {
        "board": setup.series[1],
        "series": setup.series[1:],
        "first_player": f"seat:{first}",
        "joining_majors": setup.joining_majors,
        "colours": setup.colours,
    }
