"""The metrics of queries: what can be measured of matches and seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

import msgspec

from domain.engine.game import Game
from projections.statistics.dimensions import Subject

Kind = Literal["count", "advantage", "share", "mean"]
"""How the numbers of a group become one: their count; the frequency of victories relative to the
average; the share of those that are 1; their mean.
"""
CATEGORY_PREFIX = "category."
"""The prefix of numbers that are the points of a category."""
SHARE_PREFIX = "share."
"""The prefix of metrics that are the share of a category in all points."""
CATEGORY_TEXT_PREFIX = "score_"
"""The prefix of the text keys that name the categories of points."""


class Metric(msgspec.Struct, frozen=True):
    """One thing to measure: a stored number, divided by another one if `per` names it."""

    name: str
    subject: Subject
    kind: Kind
    description: str
    unit: str
    number: str
    per: str = ""


ANALYSIS_NUMBERS = ("luck", "accuracy", "error")
"""Numbers that come from the analysis of a match, if it has one."""

NEVER_NEGATIVE = frozenset({"length", "minutes", "decisions", "seconds", "undos"})
"""Numbers that count or measure time: no interval of theirs reaches below 0."""

COMMON_METRICS: tuple[Metric, ...] = (
    Metric("matches", "match", "count", "The number of matches.", "matches", "length"),
    Metric(
        "win_share", "seat", "advantage",
        "How often a seat wins, relative to the average: the share of the victory times the number"
        " of seats. 1.0 is average; `value` is shrunk towards it as if 20 average seats had"
        " been counted before; `raw` is not. Cooperative matches do not count.",
        "times the average", "contested",
    ),
    Metric("win_rate", "seat", "share", "The share of the victory.", "share", "share"),
    Metric("score", "seat", "mean", "Final points.", "points", "points"),
    Metric(
        "margin", "match", "mean",
        "Points of the best seat minus those of the next; without seats that resigned.",
        "points", "margin",
    ),
    Metric("lead", "seat", "mean", "Points minus those of the best other seat.", "points", "lead"),
    Metric(
        "length", "match", "mean", "Decisions of a match, without undone ones.",
        "decisions", "length",
    ),
    Metric(
        "minutes", "match", "mean", "Duration of a match, without outages.", "minutes", "minutes",
    ),
    Metric("decisions", "seat", "mean", "Decisions of a seat.", "decisions", "decisions"),
    Metric(
        "thinking_time", "seat", "mean",
        "Time per decision, from when the match waits for the seat; without outages.",
        "seconds", "seconds", per="decisions",
    ),
    Metric(
        "undo_rate", "seat", "share", "Share of seats that used undo or redo.",
        "share", "undone",
    ),
    Metric("undos", "match", "mean", "Undos and redos of a match.", "undos", "undos"),
    Metric(
        "timeout_rate", "seat", "share", "Share of seats that ran out of time.",
        "share", "timed_out",
    ),
    Metric(
        "resignation_rate", "seat", "share", "Share of seats that resigned.", "share", "resigned",
    ),
    Metric(
        "luck", "seat", "mean",
        "What luck gave a seat, as win probability; over analysed matches.",
        "chance to win", "luck",
    ),
    Metric(
        "accuracy", "seat", "mean",
        "How well a seat chose, from 0 to 100; over analysed matches.",
        "accuracy", "accuracy",
    ),
    Metric(
        "error", "seat", "mean",
        "Win probability lost per choice; over analysed matches.",
        "chance to win", "error",
    ),
)  # fmt: skip
"""The metrics of every game."""


def categories(game: Game[Any]) -> Sequence[str]:
    """Return the categories of points of a game."""
    texts = game.resources.texts["en"]
    return sorted(
        key.removeprefix(CATEGORY_TEXT_PREFIX)
        for key in texts
        if key.startswith(CATEGORY_TEXT_PREFIX)
    )


@cache
def metrics_of(game: Game[Any]) -> Mapping[str, Metric]:
    """Return all metrics of the matches of a game, by name; each category of its scoring
    has two.
    """
    texts = game.resources.texts["en"]
    amounts = [
        Metric(
            f"{CATEGORY_PREFIX}{name}", "seat", "mean",
            f"Scored: {texts[CATEGORY_TEXT_PREFIX + name]}.", "points", f"{CATEGORY_PREFIX}{name}",
        )
        for name in categories(game)
    ]  # fmt: skip
    shares = [
        Metric(
            f"{SHARE_PREFIX}{name}", "seat", "mean",
            f"Scored: {texts[CATEGORY_TEXT_PREFIX + name]}, as a share of the score.",
            "share", f"{CATEGORY_PREFIX}{name}", per="points",
        )
        for name in categories(game)
    ]  # fmt: skip
    return {one.name: one for one in (*COMMON_METRICS, *amounts, *shares)}
