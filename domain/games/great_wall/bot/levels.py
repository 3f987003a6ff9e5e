"""The four levels of the bots of The Great Wall, the weakest first."""

from __future__ import annotations

from domain.engine.bots import mix
from domain.engine.game import Level
from domain.games.great_wall.bot.foresight import Effort, make_search_bot
from domain.games.great_wall.bot.hasty import careless_bot, defending_bot, guard, hasty_bot
from domain.games.great_wall.bot.worth import evaluate

COOP_LOOKAHEAD_MOVES = 40
"""How many moves bots look ahead in the cooperative game; more do not help, as all play hastily."""
SMALL_EFFORT = Effort(width=3, samples=2)
QUICK_SEARCH = make_search_bot(
    evaluate,
    {
        "standard": SMALL_EFFORT,
        "solo": SMALL_EFFORT,
        "coop": SMALL_EFFORT._replace(moves=COOP_LOOKAHEAD_MOVES),
    },
)
DEEP_SEARCH = make_search_bot(
    evaluate,
    {
        "standard": Effort(width=8, samples=8),
        "solo": Effort(width=8, samples=24, halve_after=6),
        "coop": Effort(width=3, samples=4, moves=COOP_LOOKAHEAD_MOVES),
    },
)
LEVELS = (
    Level("clerk", "Novice", mix(10, guard(careless_bot), defending_bot)),
    Level("builder", "Casual", mix(60, defending_bot, guard(QUICK_SEARCH))),
    Level("warden", "Strong", mix(25, hasty_bot, QUICK_SEARCH)),
    Level("general", "Expert", DEEP_SEARCH, deep=True),
)
