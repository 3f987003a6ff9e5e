"""The four levels of the bots, the weakest first."""

from __future__ import annotations

import json
from importlib.resources import files

from domain.engine.bots import greedy, mixed, random_bot
from domain.engine.game import Bot, Level
from domain.games.tigris_euphrates.bot.outlook import foreseen, gains, prospects
from domain.games.tigris_euphrates.bot.search import planner

BOTS: dict[str, Bot] = {
    "shepherd": mixed(50, random_bot, greedy(gains)),
    "scribe": mixed(30, random_bot, greedy(foreseen)),
    "hammurabi": greedy(foreseen),
    "gilgamesh": planner(prospects, firsts=14, seconds=40),
}
"""The way each level plays."""


def _levels() -> list[Level]:
    """The levels as data name them, each with its way to play."""
    data = files(__package__.rpartition(".")[0]).joinpath("data", "ai_levels.json")
    told = json.loads(data.read_text(encoding="utf-8"))["levels"]
    return [Level(each["id"], each["name"], each["label"], BOTS[each["id"]]) for each in told]


LEVELS = tuple(_levels())
