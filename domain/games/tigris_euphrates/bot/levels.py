"""The four levels of the bots of Tigris & Euphrates, the weakest first."""

from __future__ import annotations

from domain.engine.bots import greedy, mixed, random_bot
from domain.engine.game import Level
from domain.games.tigris_euphrates.bot.outlook import foreseen, gains, prospects
from domain.games.tigris_euphrates.bot.search import planner

LEVELS = (
    Level("shepherd", "Shepherd", "Novice", mixed(50, random_bot, greedy(gains))),
    Level("scribe", "Scribe", "Casual", mixed(30, random_bot, greedy(foreseen))),
    Level("hammurabi", "Hammurabi", "Strong", greedy(foreseen)),
    Level("gilgamesh", "Gilgamesh", "Expert", planner(prospects, firsts=14, seconds=40), deep=True),
)
