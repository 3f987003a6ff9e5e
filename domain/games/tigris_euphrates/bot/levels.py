"""The four levels of the bots, the weakest first."""

from __future__ import annotations

import json
from collections.abc import Iterator
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


def _levels() -> Iterator[Level]:
    folder = files(__package__.rpartition(".")[0])
    text = folder.joinpath("data", "ai_levels.json").read_text(encoding="utf-8")
    for level in json.loads(text)["levels"]:
        yield Level(level["id"], level["name"], level["label"], BOTS[level["id"]])


LEVELS: tuple[Level, ...] = tuple(_levels())
