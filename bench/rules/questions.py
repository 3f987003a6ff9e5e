"""`python -m bench.rules.questions TABLES` answers the questions of docs/analytics.md from a corpus
of all games, and writes the answers there with their charts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from domain.games import GAMES
from service.drawing.charts.renderer import svg
from workers.tools.tables.questions import CORPUS, SECTIONS, Question, Section
from workers.tools.tables.questions.answers import Row, answers, chart_of, finding_of

DOCS = Path(__file__).resolve().parents[2] / "docs"
HEADING = "## Questions that a corpus answers\n"
FEW = 3
"""So many openings of a game are shown."""


def asked(question: Question, tables: str) -> str:
    """The question in Markdown, with its SQL, what the answer says of each game, and the chart of
    all, which is written.
    """
    found = answers(tables, question.sql)
    rows = [titled(row) for some in found.values() for row in chosen(question, some)]
    chart = chart_of(of_all_games(question), rows)
    name = f"analytics_{question.name}.svg"
    (DOCS / "pictures" / name).write_text(svg(chart, question.kind), "utf-8")
    said = (
        f"- {GAMES[game].title}: {finding_of(question, chart_of(question, found.get(game, ())))}"
        for game in GAMES
    )
    return (
        f"**{question.title}.** {question.text}\n\n```sql\n{question.sql.strip()}\n```\n\n"
        + "\n".join(said)
        + f"\n\n![{question.title}](pictures/{name})\n"
    )


def of_all_games(question: Question) -> Question:
    """The same question with the titles of games in its labels, or as the names of its series."""
    if question.finding == "course":
        return replace(question, series="{title}")
    comma = question.label.startswith("{seats}") or question.finding == "values"
    return replace(question, label=f"{{title}}{', ' if comma else ': '}{question.label}")


def chosen(question: Question, rows: Sequence[Row]) -> Iterator[Row]:
    """The rows of one game for which there is room beside those of others."""
    if question.name == "first_seat":
        return (row for row in rows if row["turn"] == 1)
    return islice(rows, FEW if question.name == "openings" else None)


def titled(row: Row) -> Row:
    """The row with the title of its game."""
    return {**row, "title": GAMES[row["game"]].title}


def section(one: Section, tables: str) -> str:
    """A section in Markdown."""
    parts = "\n".join(asked(question, tables) for question in one.questions)
    return f"### {one.heading}\n\n{parts}"


def about(tables: str) -> str:
    """What there is of each game, as a table in Markdown."""
    rows = [titled(row) for some in answers(tables, CORPUS).values() for row in some]
    lines = [
        f"| {row['title']} | {row['matches']:,} | {row['fewest']} to {row['most']} |"
        f" {row['decisions']:,} | {row['analysed']:,} |"
        for row in rows
    ]
    head = (
        "| game | matches | seats | decisions | of them analysed |\n| --- | --- | --- | --- | --- |"
    )
    return "\n".join([head, *lines, ""])


def main() -> None:
    """Write the part of docs/analytics.md under its heading anew."""
    [tables] = sys.argv[1:]
    page = DOCS / "analytics.md"
    before, _, after = page.read_text("utf-8").partition(HEADING)
    said, _, rest = after.partition("\n| game | matches |")
    after = rest.partition("\n## ")[2]
    parts = [before, HEADING, said, "\n", about(tables), "\n"]
    parts += ["\n".join(section(one, tables) for one in SECTIONS)]
    page.write_text("".join([*parts, *(("\n## ", after) if after else ())]), "utf-8")


if __name__ == "__main__":
    main()
