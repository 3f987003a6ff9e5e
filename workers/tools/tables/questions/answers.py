"""Answers: what the tables say to a question, how sure that is, as a chart and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from math import atanh, inf, isfinite, sqrt, tanh
from typing import Any

from domain.analysis.intervals import Interval, Z, advantage, student, wilson
from service.drawing.charts.chart import Chart, Mark, figure
from workers.tools.tables.parts.formats import text
from workers.tools.tables.questions import Finding, Question
from workers.tools.tables.questions.words import in_words
from workers.tools.tables.sql import asked

Row = Mapping[str, Any]
CONTRASTS = 12
"""So many differences are shown at most."""
SAID = 4
"""So many of them are named in a sentence."""
FEWEST = 4
"""Of fewer cases nothing is said."""
PAIRS = 20
"""Of fewer pairs of numbers nothing is said of how they go together."""


def answers(place: str, sql: str, game: str = "") -> dict[str, list[Row]]:
    """The rows that answer a question to the tables in a place, by game: of one game, or of all;
    CannotRun.
    """
    if game:
        sql = f"SELECT * FROM ({sql}) WHERE game = {text(game)}"  # noqa: S608 - our own query
    names, found = asked(place, sql)
    rows = [dict(zip(names, values, strict=True)) for values in found]
    return {of: list(some) for of, some in groupby(rows, lambda row: row["game"])}


def chart_of(question: Question, rows: Iterable[Row], title: str = "") -> Chart:
    """An answer as a chart. What is known of too few cases to say how sure it is is left out."""
    marks = [mark for row in rows if (mark := _mark(question, row))]
    if question.finding == "contrast":
        marks = _clearest(marks)
    title = title or question.title
    return Chart(title, question.x, question.y, tuple(marks), question.baseline)


def finding_of(question: Question, chart: Chart) -> str:
    """What an answer says, in a few words."""
    marks = chart.marks
    if not marks:
        analysed = " It takes matches that were analysed: see `--analyse`."
        return f"There is nothing to be said of this yet.{analysed if question.analysed else ''}"
    return FINDINGS[question.finding](chart)


def _mark(question: Question, row: Row) -> Mark | None:
    n = int(row["n"])
    measured = _measured(question, row, n) if n >= FEWEST else None
    if measured is None:
        return None
    value, (low, high) = measured
    named = in_words(row)
    return Mark(
        question.label.format(**named), value, low, high, n, question.series.format(**named)
    )


def _measured(question: Question, row: Row, n: int) -> tuple[float, Interval] | None:
    """The number of a row, and between which values it lies with 95 %; None if there is none."""
    match question.measure:
        case "mean":
            return _mean(row["mean"], row["deviation"], n)
        case "share":
            return row["share"], wilson(row["share"] * n, n)
        case "place":
            low, high = wilson(row["share"] * n, n)
            return row["share"] * row["seats"], (low * row["seats"], high * row["seats"])
        case "wins":
            return _wins(row["mean"], row["deviation"], n, row["seats"])
        case "correlation":
            r = row["r"]  # not a number, or null, if one of the two never varies
            return _explained(r, n) if r is not None and isfinite(r) and n >= PAIRS else None


def _mean(mean: float, deviation: float, n: int) -> tuple[float, Interval]:
    half = student(n - 1) * deviation / sqrt(n)
    return mean, (mean - half, mean + half)


def _wins(mean: float, deviation: float, n: int, seats: float) -> tuple[float, Interval]:
    return advantage(n, n * mean, (n - 1) * deviation**2 + n * mean * mean, seats)


def _explained(r: float, n: int) -> tuple[float, Interval]:
    """The square of a correlation, by Fisher's transformation."""
    r = max(-0.999999, min(0.999999, r))
    half = Z / sqrt(n - 3)
    low, high = tanh(atanh(r) - half), tanh(atanh(r) + half)
    least = 0.0 if low < 0 < high else min(low * low, high * high)
    return r * r, (least, max(low * low, high * high))


def _beside_baseline(chart: Chart) -> str:
    """Which lie surely above the baseline, and which below."""
    marks, baseline = chart.marks, chart.baseline or 0
    above = [mark for mark in marks if (mark.low or 0) > baseline]
    below = [mark for mark in marks if (mark.high or 0) < baseline]
    parts = [
        f"Surely {side} {figure(baseline)}: {_listed([_said(mark) for mark in some])}."
        for side, some in (("above", above), ("below", below))
        if some
    ]
    rest = len(marks) - len(above) - len(below)
    if rest == len(marks):
        return f"None of them differs surely from {figure(baseline)}."
    if rest:
        parts.append(f"Of the other {rest} that cannot be told.")
    return " ".join(parts)


def _extremes(chart: Chart) -> str:
    """The greatest and the least of each series."""
    parts = []
    for series, marks in _by_series(chart):
        ordered = sorted(marks, key=lambda mark: mark.value)
        least = f", least {_said(ordered[0])}" if len(ordered) > 1 else ""
        parts.append(f"{series}most {_said(ordered[-1])}{least}")
    return _sentence(parts)


def _course(chart: Chart) -> str:
    """The first and the last of each series."""
    return _sentence(
        [
            f"{series}from {_said(marks[0])} to {_said(marks[-1])}"
            for series, marks in _by_series(chart)
        ]
    )


def _mostly(chart: Chart) -> str:
    """The greatest of each group."""
    groups = groupby(chart.marks, lambda mark: mark.label.rpartition(": ")[0])
    return f"Mostly {'; '.join(_said(max(some, key=lambda m: m.value)) for _, some in groups)}."


def _by_series(chart: Chart) -> list[tuple[str, list[Mark]]]:
    """The marks by series, with how a sentence about that begins."""
    return [
        (f"{series}: " if series else "", [mark for mark in chart.marks if mark.series == series])
        for series in chart.series
    ]


def _sentence(parts: Sequence[str]) -> str:
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _listed(parts: Sequence[str]) -> str:
    """The first of them, and how many more there are."""
    more = len(parts) - SAID
    return "; ".join(parts[:SAID]) + (f"; and {more} more" if more > 0 else "")


def _contrast(chart: Chart) -> str:
    """Where the winners surely differ."""
    more, less = [], []
    for winners, others in _pairs(chart.marks):
        if (winners.low or 0) > (others.high or 0):
            more.append((winners, others))
        elif (winners.high or 0) < (others.low or 0):
            less.append((winners, others))
    parts = [
        f"Winners have surely {word}: {_listed([_beside(*pair) for pair in some])}."
        for word, some in (("more", more), ("less", less))
        if some
    ]
    return " ".join(parts) or "Winners do not differ surely from the others in any of these."


def _values(chart: Chart) -> str:
    """Of which options the values surely differ."""
    parts = []
    for option, some in groupby(chart.marks, lambda mark: mark.label.rpartition(": ")[0]):
        ordered = sorted(some, key=lambda mark: mark.value)
        least, most = ordered[0], ordered[-1]
        if (least.high or 0) < (most.low or 0):
            values = (
                f"{one.label.rpartition(': ')[2]} {figure(one.value)}" for one in (most, least)
            )
            parts.append(f"{option} ({' against '.join(values)})")
    if not parts:
        return "No values of an option differ surely."
    return f"Surely different: {_listed(parts)}."


def _pairs(marks: Iterable[Mark]) -> list[tuple[Mark, Mark]]:
    """Winners and others with the same label."""
    by_label: dict[str, dict[str, Mark]] = {}
    for mark in marks:
        by_label.setdefault(mark.label, {})[mark.series] = mark
    return [(one["winners"], one["others"]) for one in by_label.values() if len(one) > 1]


def _clearest(marks: Sequence[Mark]) -> list[Mark]:
    """The pairs that differ most surely, these first; what never varies is left out."""
    pairs = sorted(_pairs(marks), key=_clearness, reverse=True)
    return [mark for pair in pairs[:CONTRASTS] if _clearness(pair) for mark in pair]


def _clearness(pair: tuple[Mark, Mark]) -> float:
    """How many times as far they are apart as their intervals reach."""
    reach = sum((mark.high or 0) - (mark.low or 0) for mark in pair)
    apart = abs(pair[0].value - pair[1].value)
    return apart / reach if reach else (inf if apart else 0)


def _said(mark: Mark) -> str:
    between = f"{figure(mark.low or 0)} to {figure(mark.high or 0)}"
    return f"{mark.label} with {figure(mark.value)} ({between}, n {mark.n:,})"


def _beside(winners: Mark, others: Mark) -> str:
    return f"{winners.label} {figure(winners.value)} against {figure(others.value)}"


def _value(mark: Mark) -> str:
    return f"{mark.label.rpartition(': ')[2]} {figure(mark.value)}"


FINDINGS: Mapping[Finding, Callable[[Chart], str]] = {
    "baseline": _beside_baseline,
    "contrast": _contrast,
    "course": _course,
    "extremes": _extremes,
    "mostly": _mostly,
    "values": _values,
}
