"""Answers are sorted and rendered as JSON, CSV and charts."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO

import pytest

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from projections.statistics.queries import GroupKey, MetricResult
from service.analytics.statistics.labels import Labels
from service.analytics.statistics.presenters import (
    SIGNS,
    GroupPage,
    as_chart,
    as_csv,
    as_json,
    page_of,
    players_in,
)
from service.analytics.statistics.query_parser import ParsedQuery, parse, vocabulary_of
from service.analytics.statistics.query_runner import QueryResult
from service.drawing.charts.chart import Chart, Mark
from service.runtime.errors import BadQuery

QIN = GAMES["qin"]
ANN, BOB = "u" + "a" * 16, "u" + "b" * 16


def parse_query(**given: str) -> ParsedQuery:
    return parse({name: [text] for name, text in given.items()}, vocabulary_of(QIN), ("matches",))


def answer(key: GroupKey, value: float | None, n: int = 1, metric: str = "score") -> MetricResult:
    return MetricResult(metric, key, n, n, value, None, None, None)


def page(question: ParsedQuery, *found: MetricResult) -> GroupPage:
    return page_of(QueryResult(found, 1, complete=True, behind=0), question)


def keys(question: ParsedQuery, *found: MetricResult) -> list[GroupKey]:
    return [group.key for group in page(question, *found).groups]


def lines(question: ParsedQuery, labels: Labels, *found: MetricResult) -> list[list[str]]:
    return list(csv.reader(StringIO(as_csv(page(question, *found), question, labels))))


NOBODY = Labels([QIN], {})


def test_keys_are_in_their_own_order() -> None:
    numbers = [answer((key,), 1.0) for key in (10, 2, None, 1)]
    assert keys(parse_query(by="rules"), *numbers) == [(1,), (2,), (10,), (None,)]
    levels = [answer((level.key,), 1.0) for level in reversed(QIN.levels)]
    assert keys(parse_query(by="level"), *levels) == [(level.key,) for level in QIN.levels]
    assert keys(parse_query(by="rules", order="desc"), *numbers)[-1] == (1,)


@pytest.mark.parametrize(("order", "expected"), [("desc", [3, 1, 2, 0]), ("asc", [2, 1, 3, 0])])
def test_groups_without_a_value_come_last(order: str, expected: Sequence[int]) -> None:
    found = [answer((seat,), value) for seat, value in enumerate((None, 0.0, -1.0, 5.0))]
    question = parse_query(by="seat", sort="value", order=order)
    assert keys(question, *found) == [(seat,) for seat in expected]


def test_omitted_groups_are_counted() -> None:
    found = [answer((f"f{number}",), 1.0, n=number) for number in range(5)]
    shown = page(parse_query(by="first", limit="2"), *found)
    assert [group.key for group in shown.groups] == [("f4",), ("f3",)]
    assert shown.omitted == 3


def test_metrics_of_a_group_stay_together() -> None:
    question = parse_query(metric="score,length", by="seat")
    found = [answer((seat,), 1.0, metric=name) for name in ("score", "length") for seat in (1, 0)]
    shown = page(question, *found)
    assert [[one.metric for one in group.answers] for group in shown.groups] == [
        ["score", "length"]
    ] * 2


def test_people_and_bots_are_shown_by_name() -> None:
    question = parse_query(by="opponent,level")
    found = answer((ANN, "li_mu"), 1.0), answer(("bot:li_mu", None), 1.0), answer((BOB, None), 1.0)
    assert players_in(page(question, *found), question.query.by) == {ANN, BOB}
    shown = as_json(page(question, *found), question, Labels([QIN], {ANN: "Ann"}))
    assert {tuple(group["labels"]) for group in shown} == {
        ("Ann", "Li Mu"), ("Li Mu", "people"), (BOB, "people"),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
def test_no_text_becomes_a_formula(name: str) -> None:
    question = parse_query(by="player")
    [_, line] = lines(question, Labels([QIN], {ANN: name}), answer((ANN,), -1.5))
    assert line[1] == f"'{name}"
    assert line[5] == "-1.5"


@pytest.mark.parametrize("name", ['a "b"', "a,b", "a\r\nb", "a\nb", "墨"])
def test_csv_holds_any_text(name: str) -> None:
    question = parse_query(by="first")
    [head, line] = lines(question, NOBODY, answer((name,), 1.0))
    assert head == ["first", "first_label", "metric", "n", "total", "value", "low", "high", "raw"]
    assert line == [name, name, "score", "1", "1", "1.0", "", "", ""]
    text = as_csv(page(question, answer(("x",), 1.0)), question, NOBODY)
    assert text.endswith("\r\n")
    assert text.count("\r\n") == 2


def test_charts_have_series_by_the_second_dimension_or_by_metrics() -> None:
    one = answer((0, 2), 1.0), answer((1, 2), 2.0)
    question = parse_query(metric="score", by="seat,seats")
    chart = as_chart(page(question, *one), question, NOBODY, "Qin")
    assert [(mark.label, mark.series, mark.value) for mark in chart.marks] == [
        ("1", "2", 1.0), ("2", "2", 2.0),
    ]  # fmt: skip
    assert (chart.title, chart.x, chart.y) == ("Qin: score by seat and seats", "seat", "points")
    question = parse_query(metric="score,lead", by="seat")
    both = answer((0,), 1.0), answer((0,), 2.0, metric="lead"), answer((1,), None)
    chart = as_chart(page(question, *both), question, NOBODY, "Qin")
    assert [(mark.label, mark.series) for mark in chart.marks] == [("1", "score"), ("1", "lead")]
    question = parse_query(metric="score")
    chart = as_chart(page(question, answer((), 3.0)), question, NOBODY, "Qin")
    assert [(mark.label, mark.series) for mark in chart.marks] == [("score", "")]


def test_a_chart_has_one_unit_and_a_baseline_for_what_has_an_average() -> None:
    two = parse_query(metric="score,length")
    with pytest.raises(BadQuery, match="points"):
        as_chart(page(two), two, NOBODY, "Qin")
    for metric, baseline in (("win_share", 1.0), ("score", None)):
        question = parse_query(metric=metric)
        assert as_chart(page(question), question, NOBODY, "Qin").baseline == baseline


def test_charts_of_shares_are_in_percent_and_name_what_they_measure() -> None:
    question = parse_query(metric="resignation_rate", by="seat")
    [mark], chart = _chart_of(question, answer((0,), 0.25, metric="resignation_rate"))
    assert (mark.value, chart.sign, chart.column) == (25.0, "%", "resignation rate")
    known = vocabulary_of(QIN).metrics.values()
    assert all(one.unit in SIGNS for one in known if one.kind in ("share", "advantage"))


def _chart_of(question: ParsedQuery, *answers: MetricResult) -> tuple[tuple[Mark, ...], Chart]:
    """The marks of a chart, and the chart."""
    chart = as_chart(page(question, *answers), question, NOBODY, "Qin")
    return chart.marks, chart


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_metric_has_a_name_in_each_language(language: str) -> None:
    known, labels = vocabulary_of(QIN), Labels([QIN], {}, language)
    assert all(labels.metric(one.name) and labels.unit(one) for one in known.metrics.values())
    assert all(map(labels.dimension, known.dimensions.values()))


def test_values_are_in_the_language_of_the_reader() -> None:
    known, labels = vocabulary_of(QIN).dimensions, Labels([QIN], {}, "zh-Hant")
    assert labels.of(known["who"], "bot") == "\u96fb\u8166\u73a9\u5bb6"
    assert labels.of(known["level"], None) == "\u73a9\u5bb6"


@pytest.mark.parametrize(
    ("metric", "low"), [("length", 0.0), ("thinking_time", 0.0), ("lead", -375.0)]
)
def test_no_interval_of_a_length_or_time_reaches_below_nothing(metric: str, low: float) -> None:
    question = parse_query(metric=metric, by="seats")
    found = MetricResult(metric, (2,), 2, 2, 35.0, -375.0, 445.0, None)
    chart = as_chart(page(question, found), question, NOBODY, "Qin")
    assert [mark.low for mark in chart.marks] == [low]
    assert not chart.counts


def test_the_axis_of_matches_counts() -> None:
    question = parse_query(metric="matches", by="month")
    chart = as_chart(
        page(question, answer(("2026-11",), 2.0, 2, "matches")), question, NOBODY, "Qin"
    )
    assert chart.counts
