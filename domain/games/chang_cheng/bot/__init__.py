"""The four levels of the bots of Chang Cheng."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files

from domain.engine.bots import greedy
from domain.engine.game import Bot, Level
from domain.games.chang_cheng.bot.evaluation import china_only
from domain.games.chang_cheng.bot.search import any_kind, mindful, thinking_ahead

BOTS: dict[str, Bot] = {
    "labourer": any_kind,
    "mason": greedy(china_only),
    "general": mindful,
    "meng_tian": thinking_ahead(candidates=8, samples=4),
}
"""The way each level plays: CC-13.3."""


def _levels() -> Iterator[Level]:
    text = files("domain.games.chang_cheng").joinpath("data", "ai_levels.json")
    for level in json.loads(text.read_text(encoding="utf-8"))["levels"]:
        yield Level(level["id"], level["name"], level["label"], BOTS[level["id"]])


LEVELS: tuple[Level, ...] = tuple(_levels())
