"""The four levels of the bots of Tigris & Euphrates, the weakest first."""

from __future__ import annotations

from domain.engine.bots import greedy, mixed, random_bot
from domain.engine.game import Level
from domain.games.tigris_euphrates.bot.outlook import foreseen, gains, prospects
from domain.games.tigris_euphrates.bot.search import planner

LEVELS = (
    Level("shepherd", "Novice", mixed(50, random_bot, greedy(gains))),
    Level("scribe", "Casual", mixed(30, random_bot, greedy(foreseen))),
    Level("hammurabi", "Strong", greedy(foreseen)),
    Level("gilgamesh", "Expert", planner(prospects, firsts=14, seconds=40), deep=True),
)
