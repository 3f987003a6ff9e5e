"""The page of a report: one file without scripts and without external resources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from msgspec import Struct

from service.drawing.charts.chart import Chart, Mark, format_figure
from service.drawing.charts.renderer import render_svg
from workers.tools.tables.questions import SECTIONS, Question
from workers.tools.tables.questions.answers import Row, build_chart, describe_finding

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --paper: #fff; --line: #d8dee4 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0f3f6; --soft: #a5afba; --paper: #14181d; --line: #343c46 }
}
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 46rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.5 system-ui, sans-serif }
h1, h2, h3 { line-height: 1.2; text-wrap: balance }
h2 { margin: 2.5rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line) }
h3 { margin: 1.5rem 0 .25rem; font-size: 1rem }
svg { max-width: 100%; height: auto }
.finding { font-weight: 600 }
.soft, summary { color: var(--soft) }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .875rem }
th, td { padding: .15rem .75rem .15rem 0; text-align: left; border-bottom: 1px solid var(--line) }
td.number { text-align: right; font-variant-numeric: tabular-nums }
@media print {
  :root { --ink: #000; --soft: #444; --paper: #fff; --line: #bbb }
  figure, h2, h3 { break-inside: avoid; break-after: avoid }
}
""".strip()  # fmt: skip


class AnsweredQuestion(Struct, frozen=True):
    """A question with the rows that answer it."""

    question: Question
    rows: Sequence[Row]


def render_page(title: str, corpus: Row, answered: Sequence[AnsweredQuestion]) -> str:
    """Return the report of a game with this title, as HTML."""
    by_name = {one.question.name: one for one in answered}
    sections = "\n".join(
        f"<h2>{escape(section.heading)}</h2>\n"
        + "\n".join(_render_question(by_name[question.name]) for question in section.questions)
        for section in SECTIONS
    )
    name = escape(title)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}: what {corpus["matches"]:,} matches show</title>
<style>
{STYLE}
</style>
</head>
<body>
<h1>{name}: what {corpus["matches"]:,} matches show</h1>
{_introduction(corpus)}
{sections}
</body>
</html>
"""


def _introduction(corpus: Row) -> str:
    """Return the paragraphs about the matches behind the page, and how to read it."""
    players = "bots held all seats"
    if corpus["persons"]:
        players = f"people held {corpus['persons']:,} seats"
    analysed = f"{corpus['analysed']:,} of them are analysed"
    if not corpus["analysed"]:
        analysed = "none of them is analysed, so there is nothing about luck"
    return (
        f"<p>{corpus['matches']:,} matches of {corpus['fewest']} to {corpus['most']} seats, with"
        f" {corpus['decisions']:,} decisions, from {corpus['since']} to {corpus['until']};"
        f" {players}, and {analysed}. Matches from given positions, forks and given seeds do not"
        " count, and neither do cooperative matches.</p>\n"
        "<p class=soft>Each number has a 95 % interval: the true value is probably inside it."
        " n is the number of cases. A difference is called clear if the intervals do not"
        " overlap; one of twenty such sentences may still be wrong.</p>"
    )


def _render_question(answered: AnsweredQuestion) -> str:
    """Return a question, its chart, the finding, and the numbers."""
    question = answered.question
    chart = build_chart(question, answered.rows)
    head = f"<h3>{escape(question.title)}</h3>\n<p>{escape(question.text)}</p>"
    finding = f"<p class=finding>{escape(describe_finding(question, chart))}</p>"
    if not chart.marks:
        return f"{head}\n{finding}"
    figure = f"<figure class=wide>{render_svg(chart, question.kind)}</figure>"
    return f"{head}\n{finding}\n{figure}\n{_render_table(chart)}"


def _render_table(chart: Chart) -> str:
    """Return the numbers of a chart, for readers who prefer text or cannot see it."""
    several = chart.series != [""]
    heads = [chart.x, *([""] if several else []), chart.y, "from", "to", "n"]
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "\n".join(f"<tr>{''.join(_cells(mark, several))}</tr>" for mark in chart.marks)
    return (
        "<details><summary>The numbers</summary><div class=wide><table>"
        f"<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div></details>"
    )


def _cells(mark: Mark, several: bool) -> Iterable[str]:
    yield f"<td>{escape(mark.label)}</td>"
    if several:
        yield f"<td>{escape(mark.series)}</td>"
    for number in (mark.value, mark.low or 0, mark.high or 0, mark.n or 0):
        yield f"<td class=number>{format_figure(number)}</td>"
