"""The four levels of the bots of The Great Wall, the weakest first."""

from __future__ import annotations

from domain.engine.bots import mixed
from domain.engine.game import Level
from domain.games.great_wall.bot.foresight import Effort, foresighted
from domain.games.great_wall.bot.hasty import careless, hasty
from domain.games.great_wall.bot.worth import evaluate

TOGETHER = 40
"""Moves that bots look ahead together: more of them tell less, as all the others only glance."""
GLANCE = Effort(width=3, samples=2)
GLANCE_AHEAD = foresighted(
    evaluate, {"standard": GLANCE, "solo": GLANCE, "coop": GLANCE._replace(moves=TOGETHER)}
)
SEARCH_AHEAD = foresighted(
    evaluate,
    {
        "standard": Effort(width=8, samples=8),
        "solo": Effort(width=8, samples=24, halve_after=6),
        "coop": Effort(width=3, samples=4, moves=TOGETHER),
    },
)
LEVELS = (
    Level("clerk", "Novice", mixed(60, careless, hasty)),
    Level("builder", "Casual", mixed(80, hasty, GLANCE_AHEAD)),
    Level("warden", "Strong", mixed(25, hasty, GLANCE_AHEAD)),
    Level("general", "Expert", SEARCH_AHEAD, deep=True),
)
