"""The table of Qin: what was chosen before, the state, its steps, and positions as JSON."""

from domain.games.qin.state.position import read_position, write_position
from domain.games.qin.state.setup import Options, Setup, setup
from domain.games.qin.state.table import (
    NOBODY,
    RUINED,
    EndReason,
    LastPlacement,
    NextTurn,
    Refill,
    State,
    Turn,
    blank,
    on_provinces,
    tiles_of,
)

__all__ = [
    "NOBODY",
    "RUINED",
    "EndReason",
    "LastPlacement",
    "NextTurn",
    "Options",
    "Refill",
    "Setup",
    "State",
    "Turn",
    "blank",
    "on_provinces",
    "read_position",
    "setup",
    "tiles_of",
    "write_position",
]
