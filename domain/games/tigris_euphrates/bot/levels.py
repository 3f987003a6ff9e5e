"""The four levels of the bots, from the weakest to the strongest."""

from __future__ import annotations

from domain.engine.bots import greedy_bot, mix
from domain.engine.game import Level, random_bot
from domain.games.tigris_euphrates.bot.outlook import foresight, gains, prospects
from domain.games.tigris_euphrates.bot.search import planner

LEVELS = (
    Level("shepherd", "Novice", mix(50, random_bot, greedy_bot(gains))),
    Level("scribe", "Casual", mix(30, random_bot, greedy_bot(foresight))),
    Level("hammurabi", "Strong", greedy_bot(foresight)),
    Level("gilgamesh", "Expert", planner(prospects, firsts=14, seconds=40), deep=True),
)
