"""What stands in tables, in words: levels by their names, reasons as the game says them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from domain.engine.game import Game
from domain.games import GAMES

LANGUAGE = "en"
_SAID = {"end_reason": "end_", "category": "score_"}
"""Columns for which a game has texts, and how the keys of these begin."""


def in_words(row: Mapping[str, Any]) -> dict[str, Any]:
    """The same row, with words for what is in it, as far as there are any."""
    game = GAMES.get(row["game"])
    return {name: _said(game, name, value) if game else value for name, value in row.items()}


def _said(game: Game[Any], column: str, value: Any) -> Any:  # noqa: ANN401  a value of SQL
    if column == "level":
        return game.bots().get(value, value)
    if column == "kind":
        return re.sub(r"(?<=.)([A-Z])", r" \1", value).capitalize()
    if column in _SAID:
        return game.texts[LANGUAGE].get(f"{_SAID[column]}{value}", value)
    return value
