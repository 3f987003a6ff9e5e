"""The four levels of the bots of The Great Wall, the weakest first."""

from __future__ import annotations

from domain.engine.bots import mixed
from domain.engine.game import Level
from domain.games.great_wall.bot.foresight import foresighted
from domain.games.great_wall.bot.hasty import careless, hasty
from domain.games.great_wall.bot.worth import evaluate

GLANCE_AHEAD = foresighted(evaluate, width=3, samples=2)
LEVELS = (
    Level("clerk", "Novice", mixed(60, careless, hasty)),
    Level("builder", "Casual", mixed(80, hasty, GLANCE_AHEAD)),
    Level("warden", "Strong", mixed(25, hasty, GLANCE_AHEAD)),
    Level("general", "Expert", foresighted(evaluate, width=8, samples=8), deep=True),
)
