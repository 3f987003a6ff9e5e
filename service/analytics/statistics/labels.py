"""How what is measured is called, and what it is by, for people: in any language."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from domain.engine.game import Game
from domain.engine.resources.rulebook import ENGLISH
from domain.match.sentences import TEXTS as OF_MATCHES
from projections.statistics.dimensions import BOT, Dimension, Value, written
from projections.statistics.metrics import CATEGORY, HEADING, SHARE, Metric
from projections.statistics.queries import Key
from service.drawing.charts.texts import words_in

OPTION = "option."
WHY = ("end", "rated")
"""Dimensions whose values are also reasons that matches have."""


class Labels:
    """What is shown to people: players and bots by the names that they have now. The games are
    those that are asked about; of a single one the words are those of its texts.
    """

    def __init__(
        self,
        games: Collection[Game[Any]],
        names: Mapping[str, str],
        language: str = ENGLISH,
    ) -> None:
        self.language = language
        self.say = words_in(language)
        told = {game.key: game.words(language).texts for game in games}
        self._texts = next(iter(told.values())) if len(told) == 1 else {}
        self._reasons = OF_MATCHES[language]
        levels = {key: name for game in games for key, name in game.bots(language).items()}
        people = {**names, **{f"{BOT}{key}": name for key, name in levels.items()}}
        self._names: Mapping[str, Mapping[str, str]] = {
            "game": {game.key: game.called(language) for game in games},
            "level": levels,
            "player": people,
            "opponent": people,
        }

    def of(self, dimension: Dimension, value: Value) -> str:
        """The label of a value; if nothing is told of it, itself."""
        text = written(value)
        named = self._names.get(dimension.name, {}).get(text)
        return named or next(self._said(dimension.name, text), text)

    def of_key(self, by: Sequence[Dimension], key: Key) -> list[str]:
        """The labels of all that a group is told apart by."""
        return [self.of(one, value) for one, value in zip(by, key, strict=True)]

    def metric(self, name: str) -> str:
        """What a metric is called."""
        for prefix, key in ((CATEGORY, "metric_points_of"), (SHARE, "metric_share_of")):
            if name.startswith(prefix):
                heading = name.removeprefix(prefix)
                return self.say(key, category=self._texts.get(HEADING + heading, heading))
        return self.say(f"metric_{name}")

    def unit(self, metric: Metric) -> str:
        """What a metric is measured in."""
        return self.say(f"unit_{metric.unit.replace(' ', '_')}")

    def dimension(self, dimension: Dimension) -> str:
        """What values of a dimension are."""
        if not dimension.name.startswith(OPTION):
            return self.say(f"dimension_{dimension.name}")
        name = dimension.name.removeprefix(OPTION)
        return self._texts[f"option_{name}"]

    def _said(self, dimension: str, value: str) -> Iterator[str]:
        """The texts that there are for a value, the best first."""
        places = [
            (self.say.texts, f"value_{dimension}_{value}"),
            (self._texts, f"{dimension.replace('.', '_')}_{value}"),
        ]
        if dimension in WHY:
            places.append((self._reasons, f"why_{value}"))
        if value == written(None):
            places.append((self.say.texts, "value_none"))
        return (texts[key] for texts, key in places if key in texts)
