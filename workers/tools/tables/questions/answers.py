"""Answers a question from tables: numbers with intervals, as a chart and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from math import atanh, inf, isfinite, sqrt, tanh
from typing import Any

from domain.analysis.intervals import Z_95, Interval, advantage, student_t_95, wilson_interval
from service.drawing.charts.chart import Chart, Mark, format_figure
from workers.tools.tables.parts.formats import quote_text
from workers.tools.tables.questions import Finding, Question
from workers.tools.tables.questions.words import translate
from workers.tools.tables.sql import run_query

Row = Mapping[str, Any]
MAX_CONTRASTS = 12
"""Maximum number of differences in a chart."""
MAX_LISTED = 4
"""Maximum number of items in a sentence."""
MIN_CASES = 4
"""Minimum number of cases for a mark."""
MIN_PAIRS = 20
"""Minimum number of pairs for a correlation."""


def answer(place: str, sql: str, game: str = "") -> dict[str, list[Row]]:
    """Return the rows that answer a query to the tables in a place, by game: of one game, or of
    all. Raises CannotRun.
    """
    if game:
        sql = f"SELECT * FROM ({sql}) WHERE game = {quote_text(game)}"  # noqa: S608 - our own query
    names, found = run_query(place, sql)
    rows = [dict(zip(names, values, strict=True)) for values in found]
    return {of: list(some) for of, some in groupby(rows, lambda row: row["game"])}


def build_chart(question: Question, rows: Iterable[Row], title: str = "") -> Chart:
    """Return an answer as a chart, without marks that have too few cases for an interval."""
    marks = [mark for row in rows if (mark := _mark(question, row))]
    if question.finding == "contrast":
        marks = _pick_clearest(marks)
    title = title or question.title
    return Chart(title, question.x, question.y, tuple(marks), question.baseline)


def describe_finding(question: Question, chart: Chart) -> str:
    """Return the finding of an answer, in a few words."""
    marks = chart.marks
    if not marks:
        analysed = " It needs analysed matches: see `--analyse`."
        return (
            f"There are too few matches for an answer.{analysed if question.needs_analyses else ''}"
        )
    return FINDINGS[question.finding](chart)


def _mark(question: Question, row: Row) -> Mark | None:
    n = int(row["n"])
    measured = _measure(question, row, n) if n >= MIN_CASES else None
    if measured is None:
        return None
    value, (low, high) = measured
    named = translate(row)
    return Mark(
        question.label.format(**named), value, low, high, n, question.series.format(**named)
    )


def _measure(question: Question, row: Row, n: int) -> tuple[float, Interval] | None:
    """Return the number of a row and its 95 % interval, or None if there is none."""
    match question.measure:
        case "mean":
            return _measure_mean(row["mean"], row["deviation"], n)
        case "share":
            return row["share"], wilson_interval(row["share"] * n, n)
        case "place":
            low, high = wilson_interval(row["share"] * n, n)
            return row["share"] * row["seats"], (low * row["seats"], high * row["seats"])
        case "wins":
            return _measure_wins(row["mean"], row["deviation"], n, row["seats"])
        case "correlation":
            r = row["r"]  # null or NaN if one of the two is constant
            return (
                _measure_correlation(r, n)
                if r is not None and isfinite(r) and n >= MIN_PAIRS
                else None
            )


def _measure_mean(mean: float, deviation: float, n: int) -> tuple[float, Interval]:
    half = student_t_95(n - 1) * deviation / sqrt(n)
    return mean, (mean - half, mean + half)


def _measure_wins(mean: float, deviation: float, n: int, seats: float) -> tuple[float, Interval]:
    return advantage(n, n * mean, (n - 1) * deviation**2 + n * mean * mean, seats)


def _measure_correlation(r: float, n: int) -> tuple[float, Interval]:
    """Return the square of a correlation, by Fisher's transformation."""
    r = max(-0.999999, min(0.999999, r))
    half = Z_95 / sqrt(n - 3)
    low, high = tanh(atanh(r) - half), tanh(atanh(r) + half)
    least = 0.0 if low < 0 < high else min(low * low, high * high)
    return r * r, (least, max(low * low, high * high))


def _beside_baseline(chart: Chart) -> str:
    """Return the marks that are clearly above the baseline, and those below."""
    marks, baseline = chart.marks, chart.baseline or 0
    above = [mark for mark in marks if (mark.low or 0) > baseline]
    below = [mark for mark in marks if (mark.high or 0) < baseline]
    parts = [
        f"Clearly {side} {format_figure(baseline)}: {_join(list(map(_describe_mark, some)))}."
        for side, some in (("above", above), ("below", below))
        if some
    ]
    rest = len(marks) - len(above) - len(below)
    if rest == len(marks):
        return f"None of them clearly differs from {format_figure(baseline)}."
    if rest:
        parts.append(f"The other {rest} do not clearly differ.")
    return " ".join(parts)


def _extremes(chart: Chart) -> str:
    """Return the greatest and the least mark of each series."""
    parts = []
    for series, marks in _by_series(chart):
        ordered = sorted(marks, key=lambda mark: mark.value)
        least = f", least {_describe_mark(ordered[0])}" if len(ordered) > 1 else ""
        parts.append(f"{series}most {_describe_mark(ordered[-1])}{least}")
    return _sentence(parts)


def _course(chart: Chart) -> str:
    """Return the first and the last mark of each series."""
    return _sentence(
        [
            f"{series}from {_describe_mark(marks[0])} to {_describe_mark(marks[-1])}"
            for series, marks in _by_series(chart)
        ]
    )


def _mostly(chart: Chart) -> str:
    """Return the greatest mark of each group."""
    groups = groupby(chart.marks, lambda mark: mark.label.rpartition(": ")[0])
    greatest = (max(some, key=lambda mark: mark.value) for _, some in groups)
    return f"Mostly {'; '.join(map(_describe_mark, greatest))}."


def _by_series(chart: Chart) -> list[tuple[str, list[Mark]]]:
    """Return the marks by series, with the beginning of a sentence about it."""
    return [
        (f"{series}: " if series else "", [mark for mark in chart.marks if mark.series == series])
        for series in chart.series
    ]


def _sentence(parts: Sequence[str]) -> str:
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _join(parts: Sequence[str]) -> str:
    """Return the first parts of a list, and the number of the others."""
    more = len(parts) - MAX_LISTED
    return "; ".join(parts[:MAX_LISTED]) + (f"; and {more} more" if more > 0 else "")


def _contrast(chart: Chart) -> str:
    """Return where winners clearly differ from the others."""
    more, less = [], []
    for winners, others in _pairs(chart.marks):
        if (winners.low or 0) > (others.high or 0):
            more.append((winners, others))
        elif (winners.high or 0) < (others.low or 0):
            less.append((winners, others))
    parts = [
        f"Winners clearly have {word}: {_join([_describe_pair(*pair) for pair in some])}."
        for word, some in (("more", more), ("less", less))
        if some
    ]
    return " ".join(parts) or "Winners do not clearly differ from the others in any of these."


def _values(chart: Chart) -> str:
    """Return the options whose values clearly differ."""
    parts = []
    for option, some in groupby(chart.marks, lambda mark: mark.label.rpartition(": ")[0]):
        ordered = sorted(some, key=lambda mark: mark.value)
        least, most = ordered[0], ordered[-1]
        if (least.high or 0) < (most.low or 0):
            values = (
                f"{one.label.rpartition(': ')[2]} {format_figure(one.value)}"
                for one in (most, least)
            )
            parts.append(f"{option} ({' against '.join(values)})")
    if not parts:
        return "The values of no option clearly differ."
    return f"Clearly different: {_join(parts)}."


def _pairs(marks: Iterable[Mark]) -> list[tuple[Mark, Mark]]:
    """Return the marks of winners and others with the same label."""
    by_label: dict[str, dict[str, Mark]] = {}
    for mark in marks:
        by_label.setdefault(mark.label, {})[mark.series] = mark
    return [(one["winners"], one["others"]) for one in by_label.values() if len(one) > 1]


def _pick_clearest(marks: Sequence[Mark]) -> list[Mark]:
    """Return the pairs, those that differ most clearly first; pairs that never vary are
    left out.
    """
    pairs = sorted(_pairs(marks), key=_clearness, reverse=True)
    return [mark for pair in pairs[:MAX_CONTRASTS] if _clearness(pair) for mark in pair]


def _clearness(pair: tuple[Mark, Mark]) -> float:
    """Return the distance of a pair, as a multiple of the lengths of its intervals."""
    reach = sum((mark.high or 0) - (mark.low or 0) for mark in pair)
    apart = abs(pair[0].value - pair[1].value)
    return apart / reach if reach else (inf if apart else 0)


def _describe_mark(mark: Mark) -> str:
    between = f"{format_figure(mark.low or 0)} to {format_figure(mark.high or 0)}"
    return f"{mark.label} with {format_figure(mark.value)} ({between}, n {mark.n:,})"


def _describe_pair(winners: Mark, others: Mark) -> str:
    return f"{winners.label} {format_figure(winners.value)} against {format_figure(others.value)}"


def _value(mark: Mark) -> str:
    return f"{mark.label.rpartition(': ')[2]} {format_figure(mark.value)}"


FINDINGS: Mapping[Finding, Callable[[Chart], str]] = {
    "baseline": _beside_baseline,
    "contrast": _contrast,
    "course": _course,
    "extremes": _extremes,
    "mostly": _mostly,
    "values": _values,
}
