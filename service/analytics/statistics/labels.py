"""Labels of metrics, dimensions and values, in each language."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from domain.engine.game import Game
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.sentences import seat_number
from domain.match.sentences import TEXTS as OF_MATCHES
from projections.statistics.dimensions import BOT_PREFIX, Dimension, Value, filter_text
from projections.statistics.metrics import (
    CATEGORY_PREFIX,
    CATEGORY_TEXT_PREFIX,
    SHARE_PREFIX,
    Metric,
)
from projections.statistics.queries import GroupKey
from service.drawing.charts.texts import words_in

OPTION = "option."
REASON_DIMENSIONS = ("end", "rated")
"""Dimensions whose values are also reasons in the texts of matches."""


class Labels:
    """Labels for the games of a query, with the current names of players and bots. For a single
    game, the labels come from its texts.
    """

    def __init__(
        self,
        games: Collection[Game[Any]],
        names: Mapping[str, str],
        language: str = ENGLISH,
    ) -> None:
        self.language = language
        self.say = words_in(language)
        texts_by_game = {game.key: game.words(language).texts for game in games}
        self._texts = next(iter(texts_by_game.values())) if len(texts_by_game) == 1 else {}
        self._reasons = OF_MATCHES[language]
        levels = {key: name for game in games for key, name in game.bot_names(language).items()}
        people = {**names, **{f"{BOT_PREFIX}{key}": name for key, name in levels.items()}}
        seats = max((game.seat_range[-1] for game in games), default=0)
        self._names: Mapping[str, Mapping[str, str]] = {
            "game": {game.key: game.title_in(language) for game in games},
            "level": levels,
            "seat": {str(seat): str(seat_number(seat)) for seat in range(seats)},
            "player": people,
            "opponent": people,
        }

    def of(self, dimension: Dimension, value: Value) -> str:
        """Return the label of a value; the value itself if it has none."""
        text = filter_text(value)
        named = self._names.get(dimension.name, {}).get(text)
        return named or next(self._find_texts(dimension.name, text), text)

    def of_key(self, by: Sequence[Dimension], key: GroupKey) -> list[str]:
        """Return the labels of a group's key."""
        return [self.of(one, value) for one, value in zip(by, key, strict=True)]

    def metric(self, name: str) -> str:
        """Return the name of a metric."""
        for prefix, key in (
            (CATEGORY_PREFIX, "metric_points_of"),
            (SHARE_PREFIX, "metric_share_of"),
        ):
            if name.startswith(prefix):
                heading = name.removeprefix(prefix)
                return self.say(
                    key, category=self._texts.get(CATEGORY_TEXT_PREFIX + heading, heading)
                )
        return self.say(f"metric_{name}")

    def unit(self, metric: Metric) -> str:
        """Return the unit of a metric."""
        return self.say(f"unit_{metric.unit.replace(' ', '_')}")

    def dimension(self, dimension: Dimension) -> str:
        """Return the name of a dimension."""
        if not dimension.name.startswith(OPTION):
            return self.say(f"dimension_{dimension.name}")
        name = dimension.name.removeprefix(OPTION)
        return self._texts[f"option_{name}"]

    def _find_texts(self, dimension: str, value: str) -> Iterator[str]:
        """Yield the labels of a value, the best first."""
        candidates = [
            (self.say.texts, f"value_{dimension}_{value}"),
            (self._texts, f"{dimension.replace('.', '_')}_{value}"),
        ]
        if dimension in REASON_DIMENSIONS:
            candidates.append((self._reasons, f"why_{value}"))
        if value == filter_text(None):
            candidates.append((self.say.texts, "value_none"))
        return (texts[key] for texts, key in candidates if key in texts)
