"""What can be measured of matches and seats: the metrics of questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

import msgspec

from domain.engine.game import Game
from projections.statistics.dimensions import Of

Kind = Literal["count", "advantage", "share", "mean"]
"""How numbers become one: how many there are; how often they win, measured by the average; the part
of them that is 1; their mean.
"""
CATEGORY = "category."
"""How the names of numbers begin that are points of a category."""
SHARE = "share."
"""How the names of metrics begin that are their part of all points."""
HEADING = "score_"
"""How the keys of texts begin that say where points come from."""


class Metric(msgspec.Struct, frozen=True):
    """One thing to measure: a number that is stored; with `per`, for each of another."""

    name: str
    of: Of
    kind: Kind
    says: str
    unit: str
    number: str
    per: str = ""


ANALYSED = ("luck", "accuracy", "error")
"""Numbers that are not facts of a match: its analysis has them, if there is one."""

COMMON: tuple[Metric, ...] = (
    Metric("matches", "match", "count", "How many matches there are.", "matches", "length"),
    Metric(
        "win_share", "seat", "advantage",
        "How often a seat wins, measured by the average: the share of the victory times the number"
        " of seats. 1.0 is the average; `value` is shrunk towards it as if 20 average seats had"
        " been counted before, `raw` is not. Matches in which all play together do not count.",
        "times the average", "contested",
    ),
    Metric("win_rate", "seat", "share", "The share of the victory.", "share", "share"),
    Metric("score", "seat", "mean", "Points in the end.", "points", "points"),
    Metric(
        "margin", "match", "mean",
        "Points of the one with most, less those of the next; without who gave up.",
        "points", "margin",
    ),
    Metric("lead", "seat", "mean", "Points, less those of the best other seat.", "points", "lead"),
    Metric(
        "length", "match", "mean", "Decisions of a match, on the line that was played.",
        "decisions", "length",
    ),
    Metric("minutes", "match", "mean", "How long a match takes.", "minutes", "minutes"),
    Metric("decisions", "seat", "mean", "Decisions of a seat.", "decisions", "decisions"),
    Metric(
        "thinking_time", "seat", "mean", "Time for a decision: from when the seat is asked.",
        "seconds", "seconds", per="decisions",
    ),
    Metric(
        "undo_rate", "seat", "share", "Seats that took something back, or forward again.",
        "share", "undone",
    ),
    Metric("undos", "match", "mean", "Undos and redos of a match.", "undos", "undos"),
    Metric(
        "timeout_rate", "seat", "share", "Seats whose time ran out.", "share", "timed_out",
    ),
    Metric("resignation_rate", "seat", "share", "Seats that gave up.", "share", "resigned"),
    Metric(
        "luck", "seat", "mean",
        "What chance gave a seat, as a chance to win; over the matches that were analysed.",
        "chance to win", "luck",
    ),
    Metric(
        "accuracy", "seat", "mean",
        "How well a seat chose, from 0 to 100; over the matches that were analysed.",
        "accuracy", "accuracy",
    ),
    Metric(
        "error", "seat", "mean",
        "What a seat gave away with a choice; over the matches that were analysed.",
        "chance to win", "error",
    ),
)  # fmt: skip
"""What there is of every game."""


def categories(game: Game[Any]) -> Sequence[str]:
    """Where the points of a game come from."""
    texts = game.texts["en"]
    return sorted(key.removeprefix(HEADING) for key in texts if key.startswith(HEADING))


@cache
def metrics_of(game: Game[Any]) -> Mapping[str, Metric]:
    """All metrics of the matches of a game, by name: each category of its scoring has two."""
    texts = game.texts["en"]
    amounts = [
        Metric(
            f"{CATEGORY}{name}", "seat", "mean", f"Scored: {texts[HEADING + name]}.", "points",
            f"{CATEGORY}{name}",
        )
        for name in categories(game)
    ]  # fmt: skip
    shares = [
        Metric(
            f"{SHARE}{name}", "seat", "mean",
            f"Scored: {texts[HEADING + name]}, for each point of the score.",
            "share", f"{CATEGORY}{name}", per="points",
        )
        for name in categories(game)
    ]  # fmt: skip
    return {one.name: one for one in (*COMMON, *amounts, *shares)}
