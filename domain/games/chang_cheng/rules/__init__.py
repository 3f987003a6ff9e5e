"""The rules of Chang Cheng in code; the numbers are those of RULES.md."""

from domain.games.chang_cheng.rules.invasion import longest_run, reach
from domain.games.chang_cheng.rules.judge import check
from domain.games.chang_cheng.rules.open_cells import kept_cells
from domain.games.chang_cheng.rules.position import playable_position
from domain.games.chang_cheng.rules.turn import begin, play, proceed

__all__ = [
    "begin",
    "check",
    "kept_cells",
    "longest_run",
    "play",
    "playable_position",
    "proceed",
    "reach",
]
