"""Answers as charts and in words; clear differences are distinguished from unclear ones."""

from __future__ import annotations

from typing import Any

import pytest

from workers.tools.tables.questions import QUESTIONS
from workers.tools.tables.questions.answers import build_chart, describe_finding


def finding(name: str, *rows: dict[str, Any]) -> str:
    question = QUESTIONS[name]
    return describe_finding(
        question, build_chart(question, [{"game": "qin", **row} for row in rows])
    )


def first(turn: int, share: float, n: int) -> dict[str, Any]:
    return {"seats": 2, "turn": turn, "share": share, "n": n}


def test_clear_differences_from_the_baseline_are_named() -> None:
    text = finding("first_seat", first(1, 0.6, 1000), first(2, 0.4, 1000))
    assert text.startswith("Clearly above 1: 2 seats, place 1 with 1.2 (1.14 to 1.26, n 1,000).")
    assert "Clearly below 1: 2 seats, place 2 with 0.8" in text
    assert finding("first_seat", first(1, 0.6, 10)) == "None of them clearly differs from 1."


def test_few_cases_have_no_finding() -> None:
    assert finding("first_seat", first(1, 1.0, 3)) == "There are too few matches for an answer."
    assert "--analyse" in finding("swings")


def test_a_few_seats_that_always_won_are_not_clear() -> None:
    level = {"level": "wu_qi", "mean": 2.0, "deviation": 0.0, "n": 4, "seats": 8}
    assert finding("levels", level) == "None of them clearly differs from 1."
    assert finding("levels", level | {"n": 400, "seats": 800}).startswith(
        "Clearly above 1: Wu Qi with 1.9"
    )


def points(who: str, mean: float, category: str = "villages") -> dict[str, Any]:
    return {"category": category, "who": who, "mean": mean, "deviation": 1.0, "n": 100}


def test_clear_contrasts_of_winners_are_named() -> None:
    rows = (points("winners", 5), points("others", 3))
    assert finding("points_of_winners", *rows) == "Winners clearly have more: villages 5 against 3."
    rows = (points("winners", 3), points("others", 3.1))
    assert finding("points_of_winners", *rows).startswith("Winners do not clearly differ")


def test_the_clearest_contrasts_come_first_and_empty_ones_are_left_out() -> None:
    rows = [
        points("winners", 5, "villages"), points("others", 4.9, "villages"),
        points("winners", 9, "provinces"), points("others", 2, "provinces"),
        points("winners", 0, "supply") | {"deviation": 0.0},
        points("others", 0, "supply") | {"deviation": 0.0},
    ]  # fmt: skip
    chart = build_chart(QUESTIONS["points_of_winners"], [{"game": "qin", **row} for row in rows])
    assert chart.labels == ["provinces", "villages"]
    assert chart.series == ["winners", "others"]


def test_values_are_compared_within_an_option() -> None:
    def option(name: str, value: str, mean: float) -> dict[str, Any]:
        return {"option": name, "value": value, "mean": mean, "deviation": 1.0, "n": 50}

    rows = (
        option("board", "bird", 45), option("board", "lion", 60), option("tie", "a", 9),
        option("tie", "b", 9),
    )  # fmt: skip
    assert finding("options", *rows) == "Clearly different: board (lion 60 against bird 45)."


def test_a_correlation_is_shown_as_the_explained_share() -> None:
    rows = [
        {"game": "qin", "seats": 2, "cause": cause, "r": r, "n": 103}
        for cause, r in (("luck", 0.5), ("own decisions", 0.0))
    ]
    luck, own = build_chart(QUESTIONS["luck_and_skill"], rows).marks
    assert (luck.value, luck.low, luck.high) == pytest.approx((0.25, 0.1155, 0.4012), abs=0.01)
    assert (own.value, own.low) == (0, 0)
    few = [{**row, "n": 19} for row in rows]
    assert build_chart(QUESTIONS["luck_and_skill"], few).marks == ()


def test_a_game_without_luck_has_no_finding_about_it() -> None:
    rows = [
        {"game": "qin", "seats": 2, "cause": cause, "r": r, "n": 103}
        for cause, r in (("luck", float("nan")), ("own decisions", 0.5))
    ]
    assert [mark.series for mark in build_chart(QUESTIONS["luck_and_skill"], rows).marks] == [
        "own decisions"
    ]


def test_names_come_from_the_game() -> None:
    end = {"seats": 2, "end_reason": "last_pagoda", "share": 1.0, "n": 9}
    assert finding("ends", end).startswith("Mostly 2 seats: the last pagoda was placed with 1 (")
    other = [{"game": "unknown", **end}]
    assert build_chart(QUESTIONS["ends"], other).labels == ["2 seats: last_pagoda"]


def test_only_the_first_of_many_are_named() -> None:
    rows = [first(turn, 0.6, 1000) for turn in range(1, 8)]
    assert finding("first_seat", *rows).endswith("; and 3 more.")


def test_a_course_has_its_first_and_last_value() -> None:
    rows = [{"percent": 10.0 * tenth, "share": tenth / 10, "n": 100} for tenth in range(10)]
    assert (
        finding("leaders", *rows)
        == "From 0 % with 0 (0 to 0.037, n 100) to 90 % with 0.9 (0.826 to 0.945, n 100)."
    )
