"""Answers as charts and in words: what is sure is told from what is not."""

from __future__ import annotations

from typing import Any

import pytest

from workers.tools.tables.questions import QUESTIONS
from workers.tools.tables.questions.answers import chart_of, finding_of


def said(name: str, *rows: dict[str, Any]) -> str:
    question = QUESTIONS[name]
    return finding_of(question, chart_of(question, [{"game": "qin", **row} for row in rows]))


def first(turn: int, share: float, n: int) -> dict[str, Any]:
    return {"seats": 2, "turn": turn, "share": share, "n": n}


def test_what_lies_beside_the_baseline_is_told_if_it_is_sure() -> None:
    sure = said("first_seat", first(1, 0.6, 1000), first(2, 0.4, 1000))
    assert sure.startswith("Surely above 1: 2 seats, place 1 with 1.2 (1.14 to 1.26, n 1,000).")
    assert "Surely below 1: 2 seats, place 2 with 0.8" in sure
    assert said("first_seat", first(1, 0.6, 10)) == "None of them differs surely from 1."


def test_of_few_cases_nothing_is_said() -> None:
    assert said("first_seat", first(1, 1.0, 3)) == "There is nothing to be said of this yet."
    assert "--analyse" in said("swings")


def test_few_seats_that_always_won_are_not_taken_for_sure() -> None:
    level = {"level": "wu_qi", "mean": 2.0, "deviation": 0.0, "n": 4, "seats": 8}
    assert said("levels", level) == "None of them differs surely from 1."
    assert said("levels", level | {"n": 400, "seats": 800}).startswith(
        "Surely above 1: Wu Qi with 1.9"
    )


def points(who: str, mean: float, category: str = "villages") -> dict[str, Any]:
    return {"category": category, "who": who, "mean": mean, "deviation": 1.0, "n": 100}


def test_where_winners_differ_is_told() -> None:
    rows = (points("winners", 5), points("others", 3))
    assert said("points_of_winners", *rows) == "Winners have surely more: villages 5 against 3."
    rows = (points("winners", 3), points("others", 3.1))
    assert said("points_of_winners", *rows).startswith("Winners do not differ surely")


def test_what_differs_most_surely_comes_first_and_what_nobody_has_is_left_out() -> None:
    rows = [
        points("winners", 5, "villages"), points("others", 4.9, "villages"),
        points("winners", 9, "provinces"), points("others", 2, "provinces"),
        points("winners", 0, "supply") | {"deviation": 0.0},
        points("others", 0, "supply") | {"deviation": 0.0},
    ]  # fmt: skip
    chart = chart_of(QUESTIONS["points_of_winners"], [{"game": "qin", **row} for row in rows])
    assert chart.labels == ["provinces", "villages"]
    assert chart.series == ["winners", "others"]


def test_values_of_an_option_are_compared_with_one_another_alone() -> None:
    def option(name: str, value: str, mean: float) -> dict[str, Any]:
        return {"option": name, "value": value, "mean": mean, "deviation": 1.0, "n": 50}

    rows = (
        option("board", "bird", 45), option("board", "lion", 60), option("tie", "a", 9),
        option("tie", "b", 9),
    )  # fmt: skip
    assert said("options", *rows) == "Surely different: board (lion 60 against bird 45)."


def test_a_correlation_is_told_as_the_share_that_it_explains() -> None:
    rows = [
        {"game": "qin", "seats": 2, "cause": cause, "r": r, "n": 103}
        for cause, r in (("luck", 0.5), ("own decisions", 0.0))
    ]
    luck, own = chart_of(QUESTIONS["luck_and_skill"], rows).marks
    assert (luck.value, luck.low, luck.high) == pytest.approx((0.25, 0.1155, 0.4012), abs=0.01)
    assert (own.value, own.low) == (0, 0)
    few = [{**row, "n": 19} for row in rows]
    assert chart_of(QUESTIONS["luck_and_skill"], few).marks == ()


def test_of_a_game_without_luck_nothing_is_said_of_it() -> None:
    rows = [
        {"game": "qin", "seats": 2, "cause": cause, "r": r, "n": 103}
        for cause, r in (("luck", float("nan")), ("own decisions", 0.5))
    ]
    assert [mark.series for mark in chart_of(QUESTIONS["luck_and_skill"], rows).marks] == [
        "own decisions"
    ]


def test_names_are_those_of_the_game_as_far_as_it_has_any() -> None:
    end = {"seats": 2, "end_reason": "last_pagoda", "share": 1.0, "n": 9}
    assert said("ends", end).startswith("Mostly 2 seats: last pagoda placed with 1 (")
    other = [{"game": "unknown", **end}]
    assert chart_of(QUESTIONS["ends"], other).labels == ["2 seats: last_pagoda"]


def test_of_many_only_the_first_are_named() -> None:
    rows = [first(turn, 0.6, 1000) for turn in range(1, 8)]
    assert said("first_seat", *rows).endswith("; and 3 more.")


def test_a_course_is_told_from_its_first_to_its_last() -> None:
    rows = [{"percent": 10.0 * tenth, "share": tenth / 10, "n": 100} for tenth in range(10)]
    assert (
        said("leaders", *rows)
        == "From 0 % with 0 (0 to 0.037, n 100) to 90 % with 0.9 (0.826 to 0.945, n 100)."
    )
