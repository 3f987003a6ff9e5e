"""Answers in groups as they are shown: in order, as JSON, as CSV and as a chart."""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from io import StringIO
from typing import Any

import msgspec
from msgspec.structs import asdict

from domain.engine.game import Game
from projections.statistics.dimensions import BOT, Dimension, Value, written
from projections.statistics.questions import Answer, Key
from service.cells import cell
from service.charts.chart import Chart, Mark
from service.errors import BadQuery
from service.statistics.asked import Asked
from service.statistics.asking import Told

Json = dict[str, Any]
PEOPLE = ("player", "opponent")
"""Dimensions whose values are players, or bots."""


class Group(msgspec.Struct, frozen=True):
    """What is answered of one group, metric by metric."""

    key: Key
    answers: Sequence[Answer]


class Page(msgspec.Struct, frozen=True):
    """The groups that are shown, in order, and how many are not."""

    groups: Sequence[Group]
    left_off: int


def page_of(told: Told, asked: Asked) -> Page:
    """The first groups of an answer, in the order in which they are wanted."""
    by_key: dict[Key, list[Answer]] = {}
    for one in told.answers:
        by_key.setdefault(one.key, []).append(one)
    groups = sorted(
        (Group(key, found) for key, found in by_key.items()),
        key=lambda group: _place(group.key, asked.question.by),
    )
    if asked.sort == "key":
        groups = groups[::-1] if asked.descending else groups
    else:
        groups.sort(key=lambda group: _size(group.answers[0], asked))
    return Page(groups[: asked.limit], max(0, len(groups) - asked.limit))


def people_in(page: Page, by: Sequence[Dimension]) -> set[str]:
    """The ids of the players who are named."""
    places = [place for place, one in enumerate(by) if one.name in PEOPLE]
    found = {str(group.key[place]) for group in page.groups for place in places}
    return {who for who in found if not who.startswith(BOT)}


class Labels:
    """How values are shown to people: players and bots by the names that they have now. The games
    are those that are asked about.
    """

    def __init__(self, games: Collection[Game[Any]], names: Mapping[str, str]) -> None:
        levels = {level.key: level.name for game in games for level in game.levels}
        people = {**names, **{f"{BOT}{key}": name for key, name in levels.items()}}
        self._names: Mapping[str, Mapping[str, str]] = {
            "game": {game.key: game.title for game in games},
            "level": levels,
            "player": people,
            "opponent": people,
        }

    def of(self, dimension: Dimension, value: Value) -> str:
        """The label of a value."""
        text = written(value)
        return self._names.get(dimension.name, {}).get(text, text)

    def of_key(self, by: Sequence[Dimension], key: Key) -> list[str]:
        """The labels of all that a group is told apart by."""
        return [self.of(one, value) for one, value in zip(by, key, strict=True)]


def as_json(page: Page, asked: Asked, labels: Labels) -> list[Json]:
    """The groups as JSON."""
    by = asked.question.by
    return [
        {
            "key": group.key,
            "labels": labels.of_key(by, group.key),
            "values": [_value(one) for one in group.answers],
        }
        for group in page.groups
    ]


def as_csv(page: Page, asked: Asked, labels: Labels) -> str:
    """The groups as CSV (RFC 4180), a line for each metric of each."""
    by = asked.question.by
    text = StringIO()
    table = csv.writer(text)
    columns = [name for one in by for name in (one.name, f"{one.name}_label")]
    table.writerow([*columns, "metric", "n", "of", "value", "low", "high", "raw"])
    for group in page.groups:
        shown = zip(group.key, labels.of_key(by, group.key), strict=True)
        cells = [cell(value) if isinstance(value, str) else value for one in shown for value in one]
        for one in group.answers:
            numbers = (one.n, one.of, one.value, one.low, one.high, one.raw)
            table.writerow([*cells, one.metric, *("" if n is None else n for n in numbers)])
    return text.getvalue()


def as_chart(page: Page, asked: Asked, labels: Labels, title: str) -> Chart:
    """The groups as a chart; BadQuery if its metrics have no unit in common."""
    metrics, by = asked.question.metrics, asked.question.by
    units = {one.unit for one in metrics}
    if len(units) > 1:
        raise BadQuery([("metric", f"A chart has one unit, not {' and '.join(sorted(units))}.")])
    marks = [
        _mark(labels.of_key(by, group.key), one, several=len(metrics) > 1)
        for group in page.groups
        for one in group.answers
        if one.value is not None
    ]
    named = ", ".join(one.name for one in metrics)
    heading = f"{title}: {named}" + (f" by {', '.join(one.name for one in by)}" if by else "")
    baseline = 1.0 if metrics[0].kind == "advantage" else None
    return Chart(heading, by[0].name if by else "", metrics[0].unit, tuple(marks), baseline)


def _place(key: Key, by: Sequence[Dimension]) -> list[tuple[bool, int, Value]]:
    """What puts groups in order: as values are listed, or as they are; those without one last."""
    return [
        (value is None, _rank(one, value), 0 if value is None else value)
        for one, value in zip(by, key, strict=True)
    ]


def _rank(dimension: Dimension, value: Value) -> int:
    known = dimension.known
    return known.index(str(value)) if str(value) in known else len(known)


def _size(first: Answer, asked: Asked) -> tuple[bool, float]:
    """What puts groups in order by their first metric; those without a value last."""
    number = first.n if asked.sort == "n" else first.value
    return number is None, (-1 if asked.descending else 1) * (number or 0)


def _value(one: Answer) -> Json:
    found: Json = asdict(one)
    del found["key"]
    return found


def _mark(labels: Sequence[str], one: Answer, several: bool) -> Mark:
    """A number in a chart: with several metrics, these are series."""
    label, *series = labels or [one.metric]
    if labels and several:
        series.append(one.metric)
    assert one.value is not None
    return Mark(label, one.value, one.low, one.high, one.n, ", ".join(series))
