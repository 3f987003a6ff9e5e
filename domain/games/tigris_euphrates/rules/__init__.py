"""The rules in code; the numbers are those of RULES.md."""

from domain.games.tigris_euphrates.rules.judge import check
from domain.games.tigris_euphrates.rules.position import playable_position
from domain.games.tigris_euphrates.rules.turn import begin, play, proceed

__all__ = ["begin", "check", "play", "playable_position", "proceed"]
