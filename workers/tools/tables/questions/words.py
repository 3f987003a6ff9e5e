"""Words for values in tables: names of levels, and texts of games for reasons and categories."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from domain.engine.game import Game
from domain.games import GAMES

LANGUAGE = "en"
_TEXT_PREFIXES = {"end_reason": "end_", "category": "score_"}
"""Columns for which games have texts, with the prefixes of the text keys."""


def translate(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row with words for its values, where there are any."""
    game = GAMES.get(row["game"])
    return {
        name: _translate_value(game, name, value) if game else value for name, value in row.items()
    }


def _translate_value(game: Game[Any], column: str, value: Any) -> Any:  # noqa: ANN401  a value of SQL
    if column == "level":
        return game.bot_names().get(value, value)
    if column == "kind":
        return re.sub(r"(?<=.)([A-Z])", r" \1", value).capitalize()
    if column in _TEXT_PREFIXES:
        return game.resources.texts[LANGUAGE].get(f"{_TEXT_PREFIXES[column]}{value}", value)
    return value
