"""Questions that a corpus answers: each is a file of SQL over the tables, and how to show it.

`annals report` and docs/analytics.md ask the same ones.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Literal

from msgspec import Struct

from service.drawing.charts.chart import Kind

Measure = Literal["mean", "share", "place", "wins", "correlation"]
"""What the numbers of an answer are, besides how many cases there were (`n`): `mean` with
`deviation`; a `share`; the same, of the victory, times the number of `seats`; likewise the mean of
such products with `deviation` and the sum of `seats`, shrunk towards 1 as everywhere in Annals; a
correlation `r`, of which the square is shown.
"""
Finding = Literal["baseline", "extremes", "mostly", "contrast", "values", "course"]
"""What is said of them in words: which lie surely above or below the baseline; the greatest and the
least; the greatest of each group; where winners surely differ from the others; where the values of
an option do; the first and the last. What stands before a colon in a label is its group.
"""


class Question(Struct, frozen=True, kw_only=True):
    """A question: its SQL is in the file of its name."""

    name: str
    title: str
    text: str  # what is counted, and how to read it
    x: str
    y: str
    label: str  # of an answer, from its columns
    measure: Measure
    finding: Finding
    kind: Kind = "points"
    series: str = ""  # of an answer, likewise
    baseline: float | None = None
    analysed: bool = False  # only matches that were analysed have an answer

    @property
    def sql(self) -> str:
        """What is asked of the tables."""
        return sql_of(self.name)


def sql_of(name: str) -> str:
    """The SQL in the file of this name."""
    return files(__package__).joinpath(f"{name}.sql").read_text("utf-8")


class Section(Struct, frozen=True):
    """Questions that belong together."""

    heading: str
    questions: tuple[Question, ...]


SECTIONS = (
    Section("Does it help to be first?", (
        Question(
            name="first_seat",
            title="How often each place in the order of play wins",
            text="Who decides first has place 1, the next one around the table place 2. The number"
            " is 1 if all win equally often: 1.2 means that a fifth more is won than that.",
            x="seats, place", y="times the average", label="{seats} seats, place {turn}",
            measure="place", finding="baseline", baseline=1.0,
        ),
    )),
    Section("Which openings win?", (
        Question(
            name="openings",
            title="How often those win who begin like this",
            text="An opening is the first decision of a seat, whole or just the first thing that is"
            " pointed at; of those that at least ten seats made, the most frequent ones. Strong and"
            " weak bots begin differently, so part of this is who they were.",
            x="opening", y="times the average", label="{opening}",
            measure="wins", finding="baseline", baseline=1.0,
        ),
    )),
    Section("How do games end?", (
        Question(
            name="ends",
            title="How games end",
            text="For what reason the game was over, by the number of seats.",
            x="seats: reason", y="share of the matches", label="{seats} seats: {end_reason}",
            measure="share", finding="mostly", kind="bars",
        ),
    )),
    Section("Luck or skill?", (
        Question(
            name="levels",
            title="How often each level of bots wins among others",
            text="Matches in which bots of several levels met. The further apart the levels are,"
            " the more does skill decide.",
            x="level", y="times the average", label="{level}",
            measure="wins", finding="baseline", baseline=1.0,
        ),
        Question(
            name="luck_and_skill",
            title="How much of the results luck explains, and how much own decisions",
            text="Luck is what draws did to the chance to win of a seat, less what they would do on"
            " average, as far as an evaluation of the position sees it. Shown is the square of the"
            " correlation with the result: 0 explains nothing, 1 all of it. The two do not add up"
            " to 1: there are the decisions of the others, and luck and decisions go together or"
            " against one another. It is only the luck that the evaluation of a game sees at once,"
            " so games cannot be compared by it; where no draw changes a chance nothing is"
            " said of luck.",
            x="seats", y="share that is explained", label="{seats} seats", series="{cause}",
            measure="correlation", finding="extremes", kind="bars", analysed=True,
        ),
    )),
    Section("What do winners do more often?", (
        Question(
            name="points_of_winners",
            title="Where the points of winners come from",
            text="Points in the end by where they come from, winners beside the others; those first"
            " that differ most surely.",
            x="from", y="points", label="{category}", series="{who}",
            measure="mean", finding="contrast",
        ),
        Question(
            name="moves_of_winners",
            title="What winners choose more often",
            text="Which part of the decisions of a seat were of a kind, where there was a choice;"
            " those first that differ most surely.",
            x="kind of move", y="share of the decisions", label="{kind}", series="{who}",
            measure="mean", finding="contrast",
        ),
    )),
    Section("When do games turn?", (
        Question(
            name="leaders",
            title="How often the leader of the moment wins in the end",
            text="Whoever had the most points alone after so many percent of the decisions. Where"
            " the curve rises steeply, games are decided.",
            x="percent of the decisions", y="share that wins", label="{percent:.0f} %",
            measure="share", finding="course", kind="lines",
        ),
        Question(
            name="swings", analysed=True,
            title="How far the chance to win moves with a decision",
            text="The mean of how far the chance of whoever decides goes up or down by it, by the"
            " analysis of the matches.",
            x="percent of the decisions", y="chance to win", label="{percent:.0f} %",
            measure="mean", finding="course", kind="lines",
        ),
    )),
    Section("How often does the lead change?", (
        Question(
            name="lead_changes",
            title="How often somebody else takes the lead",
            text="How often in a match another seat than before had the most points alone.",
            x="seats", y="changes in a match", label="{seats} seats",
            measure="mean", finding="extremes", kind="bars",
        ),
    )),
    Section("What do options change?", (
        Question(
            name="options",
            title="How long matches are by their options",
            text="Each option by itself, whatever the others were.",
            x="option", y="decisions in a match", label="{option}: {value}",
            measure="mean", finding="values",
        ),
        Question(
            name="option_scores",
            title="How many points the best has by the options",
            text="Likewise.",
            x="option", y="points", label="{option}: {value}",
            measure="mean", finding="values",
        ),
    )),
)  # fmt: skip
"""What is asked of a corpus, in this order."""
QUESTIONS = {one.name: one for section in SECTIONS for one in section.questions}
CORPUS = sql_of("corpus")
"""What there is of each game at all."""
