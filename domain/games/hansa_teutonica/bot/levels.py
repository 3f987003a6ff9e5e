"""The four levels of the bots of Hansa Teutonica, the weakest first."""

from __future__ import annotations

from domain.engine.bots import mix
from domain.engine.game import Level, random_bot
from domain.games.hansa_teutonica.bot.hasty import hasty_bot
from domain.games.hansa_teutonica.bot.plan import make_planner
from domain.games.hansa_teutonica.bot.worth import evaluate

LEVELS = (
    Level("pedlar", "Easy", mix(20, random_bot, hasty_bot)),
    Level("trader", "Medium", mix(25, random_bot, make_planner(evaluate))),
    Level("merchant", "Hard", make_planner(evaluate)),
    Level(
        "alderman",
        "Strong",
        make_planner(evaluate, width=5, depth=14, candidates=4),
        deep=True,
    ),
)
