"""Answers in groups as they are shown: in order, as JSON, as CSV and as a chart."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO
from typing import Any

import msgspec
from msgspec.structs import asdict

from domain.engine.sentences import Part
from projections.statistics.dimensions import BOT, Dimension, Value
from projections.statistics.queries import Answer, Key
from service.analytics.csv_escape import cell
from service.analytics.statistics.labels import Labels
from service.analytics.statistics.query_parser import Asked
from service.analytics.statistics.query_runner import Told
from service.drawing.charts.chart import Chart, Mark
from service.runtime.errors import BadQuery

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
        _mark(labels.of_key(by, group.key), one, labels.metric(one.metric), len(metrics) > 1)
        for group in page.groups
        for one in group.answers
        if one.value is not None
    ]
    parts: dict[str, Part] = {
        "of": title,
        "metrics": tuple(labels.metric(one.name) for one in metrics),
        "dimensions": tuple(labels.dimension(one) for one in by),
    }
    heading = labels.say("heading_by" if by else "heading", **parts)
    along = labels.dimension(by[0]) if by else ""
    baseline = 1.0 if metrics[0].kind == "advantage" else None
    unit = labels.unit(metrics[0])
    return Chart(heading, along, unit, tuple(marks), baseline, labels.language)


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


def _mark(labels: Sequence[str], one: Answer, metric: str, several: bool) -> Mark:
    """A number in a chart: with several metrics, these are series."""
    label, *series = labels or [metric]
    if labels and several:
        series.append(metric)
    assert one.value is not None
    return Mark(label, one.value, one.low, one.high, one.n, ", ".join(series))
