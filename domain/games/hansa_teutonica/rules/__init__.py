"""The rules of Hansa Teutonica in code; the numbers are those of RULES.md."""

from domain.games.hansa_teutonica.rules.judge import check
from domain.games.hansa_teutonica.rules.position import playable_position
from domain.games.hansa_teutonica.rules.turn import begin, play, proceed

__all__ = ["begin", "check", "play", "playable_position", "proceed"]
