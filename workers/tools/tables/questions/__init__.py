"""Questions about a corpus: each is a file of SQL over the tables, with a chart.

`annals report` and docs/analytics-results.md answer the same questions.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Literal

from msgspec import Struct

from service.drawing.charts.chart import Kind

Measure = Literal["mean", "share", "place", "wins", "correlation"]
"""The numbers of an answer, besides the number of cases (`n`):

- `mean` with `deviation`;
- `share`;
- `place`: a share of the victory, times the number of `seats`;
- `wins`: the mean of such products with `deviation` and the sum of `seats`, shrunk towards 1 as
  everywhere in Annals;
- `correlation`: a correlation `r`, shown as its square.
"""
Finding = Literal["baseline", "extremes", "mostly", "contrast", "values", "course"]
"""The sentence about an answer:

- `baseline`: the marks clearly above or below the baseline;
- `extremes`: the greatest and the least;
- `mostly`: the greatest of each group (the part of a label before the colon);
- `contrast`: where winners clearly differ from the others;
- `values`: the options whose values clearly differ;
- `course`: the first and the last.
"""


class Question(Struct, frozen=True, kw_only=True):
    """A question; its SQL is in the file with its name."""

    name: str
    title: str
    text: str  # what the numbers are, and how to read them
    x: str
    y: str
    label: str  # template for a row
    measure: Measure
    finding: Finding
    kind: Kind = "points"
    series: str = ""  # template for a row
    baseline: float | None = None
    needs_analyses: bool = False  # answered only by analysed matches

    @property
    def sql(self) -> str:
        """The query to the tables."""
        return read_sql(self.name)


def read_sql(name: str) -> str:
    """Return the SQL in the file with this name."""
    return files(__package__).joinpath(f"{name}.sql").read_text("utf-8")


class Section(Struct, frozen=True):
    """Questions under one heading."""

    heading: str
    questions: tuple[Question, ...]


SECTIONS = (
    Section("Does it help to go first?", (
        Question(
            name="first_seat",
            title="Wins by place in the order of play",
            text="The seat that decides first has place 1, the next one around the table place 2."
            " The number is 1 if all places win equally often; 1.2 means 20 % more wins.",
            x="seats, place", y="times the average", label="{seats} seats, place {turn}",
            measure="place", finding="baseline", baseline=1.0,
        ),
    )),
    Section("Which openings win?", (
        Question(
            name="openings",
            title="Wins by opening",
            text="An opening is the first decision of a seat: the whole move, or only the first"
            " thing it touches. You see the most frequent ones, each with at least ten seats."
            " Strong and weak bots open differently, so part of the effect is their strength.",
            x="opening", y="times the average", label="{opening}",
            measure="wins", finding="baseline", baseline=1.0,
        ),
    )),
    Section("How do games end?", (
        Question(
            name="ends",
            title="How games end",
            text="The reason of the end, by the number of seats.",
            x="seats: reason", y="share of the matches", label="{seats} seats: {end_reason}",
            measure="share", finding="mostly", kind="bars",
        ),
    )),
    Section("Luck or skill?", (
        Question(
            name="levels",
            title="Wins by level of the bot",
            text="Matches between bots of different levels. The further apart the levels are, the"
            " more skill decides.",
            x="level", y="times the average", label="{level}",
            measure="wins", finding="baseline", baseline=1.0,
        ),
        Question(
            name="luck_and_skill",
            title="How much luck and decisions explain the results",
            text="Luck is how much draws changed the win probability of a seat, compared with the"
            " average draw, by the evaluation of the position. The number is the square of the"
            " correlation with the result: 0 explains nothing, 1 explains everything. The two do"
            " not add up to 1: the other players decide too, and luck and decisions are"
            " correlated. The evaluation of each game sees only immediate luck, so do not compare"
            " games. A game whose draws never change the evaluation has no value for luck.",
            x="seats", y="explained share", label="{seats} seats", series="{cause}",
            measure="correlation", finding="extremes", kind="bars", needs_analyses=True,
        ),
    )),
    Section("What do winners do more often?", (
        Question(
            name="points_of_winners",
            title="Where the points of winners come from",
            text="Final points by category, for winners and for the others; the clearest"
            " differences come first.",
            x="category", y="points", label="{category}", series="{who}",
            measure="mean", finding="contrast",
        ),
        Question(
            name="moves_of_winners",
            title="Moves that winners choose more often",
            text="The share of each kind of move in the decisions of a seat with a choice; the"
            " clearest differences come first.",
            x="kind of move", y="share of the decisions", label="{kind}", series="{who}",
            measure="mean", finding="contrast",
        ),
    )),
    Section("When do games turn?", (
        Question(
            name="leaders",
            title="How often the current leader wins",
            text="The leader is the only seat with the most points after this percentage of the"
            " decisions. Games are decided where the curve is steep.",
            x="percent of the decisions", y="share that wins", label="{percent:.0f} %",
            measure="share", finding="course", kind="lines",
        ),
        Question(
            name="swings", needs_analyses=True,
            title="How much a decision changes the chance to win",
            text="The mean change, up or down, of the win probability of the deciding seat, by the"
            " analysis of the matches.",
            x="percent of the decisions", y="chance to win", label="{percent:.0f} %",
            measure="mean", finding="course", kind="lines",
        ),
    )),
    Section("How often does the lead change?", (
        Question(
            name="lead_changes",
            title="Changes of the lead",
            text="How often per match another seat became the only one with the most points.",
            x="seats", y="changes per match", label="{seats} seats",
            measure="mean", finding="extremes", kind="bars",
        ),
    )),
    Section("What do options change?", (
        Question(
            name="options",
            title="Length of matches by option",
            text="Each option separately, with any values of the others.",
            x="option", y="decisions per match", label="{option}: {value}",
            measure="mean", finding="values",
        ),
        Question(
            name="option_scores",
            title="Points of the winner by option",
            text="Each option separately, with any values of the others.",
            x="option", y="points", label="{option}: {value}",
            measure="mean", finding="values",
        ),
    )),
)  # fmt: skip
"""All questions about a corpus, in order."""
QUESTIONS = {one.name: one for section in SECTIONS for one in section.questions}
CORPUS = read_sql("corpus")
"""The query for the totals of each game."""
