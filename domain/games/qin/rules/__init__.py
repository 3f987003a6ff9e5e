"""The rules of Qin in code; the numbers are those of RULES.md."""

from domain.games.qin.rules.judge import can_place, check
from domain.games.qin.rules.position import playable_position
from domain.games.qin.rules.series import next_options, planned
from domain.games.qin.rules.turn import begin, play, proceed

__all__ = [
    "begin",
    "can_place",
    "check",
    "next_options",
    "planned",
    "play",
    "playable_position",
    "proceed",
]
