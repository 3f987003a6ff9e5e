"""Presents grouped results: sorted, as JSON, as CSV and as a chart."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO
from typing import Any

import msgspec
from msgspec.structs import asdict

from domain.engine.sentences import Part
from projections.statistics.dimensions import BOT_PREFIX, Dimension, Value
from projections.statistics.metrics import NEVER_NEGATIVE
from projections.statistics.queries import GroupKey, MetricResult
from service.analytics.csv_escape import escape_cell
from service.analytics.statistics.labels import Labels
from service.analytics.statistics.query_parser import ParsedQuery
from service.analytics.statistics.query_runner import QueryResult
from service.drawing.charts.chart import Chart, Mark
from service.runtime.errors import BadQuery

Json = dict[str, Any]
PLAYER_DIMENSIONS = ("player", "opponent")
"""Dimensions whose values are players or bots."""
SIGNS = {"share": "%", "chance to win": "%", "times the average": "\u00d7"}
"""What charts write after the numbers of a unit; of one with %, they show percentages."""


class Group(msgspec.Struct, frozen=True):
    """The results of one group, one per metric."""

    key: GroupKey
    answers: Sequence[MetricResult]


class GroupPage(msgspec.Struct, frozen=True):
    """The groups that are returned, in order, and how many are left out."""

    groups: Sequence[Group]
    omitted: int


def page_of(result: QueryResult, parsed: ParsedQuery) -> GroupPage:
    """Return the first groups of a result, in the requested order."""
    by_key: dict[GroupKey, list[MetricResult]] = {}
    for one in result.answers:
        by_key.setdefault(one.key, []).append(one)
    groups = sorted(
        (Group(key, found) for key, found in by_key.items()),
        key=lambda group: _sort_key(group.key, parsed.query.by),
    )
    if parsed.sort == "key":
        groups = groups[::-1] if parsed.descending else groups
    else:
        groups.sort(key=lambda group: _value_sort_key(group.answers[0], parsed))
    return GroupPage(groups[: parsed.limit], max(0, len(groups) - parsed.limit))


def players_in(page: GroupPage, by: Sequence[Dimension]) -> set[str]:
    """Return the ids of the players in a page."""
    columns = [column for column, one in enumerate(by) if one.name in PLAYER_DIMENSIONS]
    found = {str(group.key[column]) for group in page.groups for column in columns}
    return {who for who in found if not who.startswith(BOT_PREFIX)}


def as_json(page: GroupPage, parsed: ParsedQuery, labels: Labels) -> list[Json]:
    """Return the groups as JSON."""
    by = parsed.query.by
    return [
        {
            "key": group.key,
            "labels": labels.of_key(by, group.key),
            "values": [_value_json(one) for one in group.answers],
        }
        for group in page.groups
    ]


def as_csv(page: GroupPage, parsed: ParsedQuery, labels: Labels) -> str:
    """Return the groups as CSV (RFC 4180), one line per group and metric."""
    by = parsed.query.by
    text = StringIO()
    table = csv.writer(text)
    columns = [name for one in by for name in (one.name, f"{one.name}_label")]
    table.writerow([*columns, "metric", "n", "total", "value", "low", "high", "raw"])
    for group in page.groups:
        shown = zip(group.key, labels.of_key(by, group.key), strict=True)
        cells = [
            escape_cell(value) if isinstance(value, str) else value
            for one in shown
            for value in one
        ]
        for one in group.answers:
            numbers = (one.n, one.total, one.value, one.low, one.high, one.raw)
            table.writerow([*cells, one.metric, *("" if n is None else n for n in numbers)])
    return text.getvalue()


def as_chart(page: GroupPage, parsed: ParsedQuery, labels: Labels, title: str) -> Chart:
    """Return the groups as a chart. Raises BadQuery if the metrics have different units."""
    metrics, by = parsed.query.metrics, parsed.query.by
    units = {one.unit for one in metrics}
    if len(units) > 1:
        raise BadQuery([("metric", f"A chart has one unit, not {' and '.join(sorted(units))}.")])
    floor = 0.0 if all(one.number in NEVER_NEGATIVE for one in metrics) else None
    sign = SIGNS.get(metrics[0].unit, "")
    times = 100.0 if sign == "%" else 1.0
    marks = [
        _mark(
            labels.of_key(by, group.key),
            _multiply(one, times),
            labels.metric(one.metric),
            len(metrics) > 1,
            floor,
        )
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
    counts = all(one.kind == "count" for one in metrics)
    column = labels.metric(metrics[0].name) if len(metrics) == 1 else unit
    return Chart(
        heading, along, unit, tuple(marks), baseline, labels.language, counts, sign, column
    )


def _sort_key(key: GroupKey, by: Sequence[Dimension]) -> list[tuple[bool, int, Value]]:
    """Return the sort key of a group: known values in their order, others by value, None last."""
    return [
        (value is None, _rank(one, value), 0 if value is None else value)
        for one, value in zip(by, key, strict=True)
    ]


def _rank(dimension: Dimension, value: Value) -> int:
    known = dimension.allowed
    return known.index(str(value)) if str(value) in known else len(known)


def _value_sort_key(first: MetricResult, parsed: ParsedQuery) -> tuple[bool, float]:
    """Return the sort key by the first metric; groups without a value come last."""
    number = first.n if parsed.sort == "n" else first.value
    return number is None, (-1 if parsed.descending else 1) * (number or 0)


def _value_json(one: MetricResult) -> Json:
    found: Json = asdict(one)
    del found["key"]
    return found


def _multiply(one: MetricResult, times: float) -> MetricResult:
    """Return a result with its value and its interval in another unit."""
    value, low, high = (
        None if number is None else times * number for number in (one.value, one.low, one.high)
    )
    return msgspec.structs.replace(one, value=value, low=low, high=high)


def _mark(
    labels: Sequence[str], one: MetricResult, metric: str, several: bool, floor: float | None
) -> Mark:
    """Return a mark of a chart, its interval from `floor` on; with several metrics, each is a
    series.
    """
    label, *series = labels or [metric]
    if labels and several:
        series.append(metric)
    assert one.value is not None
    low = one.low if one.low is None or floor is None else max(floor, one.low)
    return Mark(label, one.value, low, one.high, one.n, ", ".join(series))
