"""The four levels of the bots of Hansa Teutonica, the weakest first."""

from __future__ import annotations

from domain.engine.bots import mixed, random_bot
from domain.engine.game import Level
from domain.games.hansa_teutonica.bot.hasty import hasty
from domain.games.hansa_teutonica.bot.plan import planner
from domain.games.hansa_teutonica.bot.worth import evaluate

LEVELS = (
    Level("pedlar", "Easy", mixed(20, random_bot, hasty)),
    Level("trader", "Medium", mixed(25, random_bot, planner(evaluate))),
    Level("merchant", "Hard", planner(evaluate)),
    Level(
        "alderman",
        "Strong",
        planner(evaluate, width=5, depth=14, candidates=4),
        deep=True,
    ),
)
