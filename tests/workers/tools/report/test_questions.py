"""Every question has a correct answer for every game."""

from __future__ import annotations

import re
from collections import Counter
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from domain.games import GAMES
from tests.workers.tools.report.conftest import ANALYSED_MATCHES, MATCHES, Tiny
from workers.tools.tables.questions import CORPUS, QUESTIONS, SECTIONS
from workers.tools.tables.questions.answers import answer

SQL = Path(__file__).resolve().parents[4] / "workers/tools/tables/questions"


FEWEST = re.compile(r"count\(\*\) >= 10|\bn >= 10")
"""Where SQL leaves out what is too rare to say something of it."""


def with_rare(name: str) -> str:
    """The SQL of a question without its minimum counts."""
    return FEWEST.sub("count(*) >= 1", QUESTIONS[name].sql)


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_question_has_rows_for_every_game(tiny: Tiny, name: str) -> None:
    if name == "levels":
        assert answer(tiny.tables, QUESTIONS[name].sql) == {}  # those of one level meet no other
    elif QUESTIONS[name].needs_analyses:
        assert answer(tiny.tables, QUESTIONS[name].sql) == {}
        assert answer(tiny.analysed, QUESTIONS[name].sql).keys() == {ANALYSED_MATCHES}
    else:
        sql = with_rare(name).replace("(partition by game, option) > 1", "() > 1")
        assert answer(tiny.tables, sql).keys() == GAMES.keys()


@pytest.mark.parametrize(
    ("name", "game"),
    [
        pytest.param(name, game, marks=[pytest.mark.long] * (place % 3 > 0))
        for place, (name, game) in enumerate(zip(QUESTIONS, cycle(GAMES), strict=False))
    ],
)
def test_the_answer_for_one_game_equals_its_part_of_all(tiny: Tiny, name: str, game: str) -> None:
    sql = QUESTIONS[name].sql
    everything = answer(tiny.tables, sql)
    assert same(answer(tiny.tables, sql, game).get(game, [])) == same(everything.get(game, []))


def same(rows: list[Any]) -> list[Any]:
    return [
        {name: round(one, 6) if isinstance(one, float) else one for name, one in row.items()}
        for row in rows
    ]


def test_every_sql_file_has_a_question() -> None:
    assert {path.stem for path in SQL.glob("*.sql")} == {*QUESTIONS, "corpus"}
    assert sum(len(section.questions) for section in SECTIONS) == len(QUESTIONS)


def test_the_totals_are_correct(tiny: Tiny) -> None:
    for game, [row] in answer(tiny.tables, CORPUS).items():
        facts = tiny.facts[game]
        assert row["matches"] == len(facts) == MATCHES
        assert row["decisions"] == sum(one.decisions for one in facts)
        assert row["fewest"] == row["most"] == GAMES[game].seats[0]
        assert row["persons"] == row["analysed"] == 0
    assert answer(tiny.analysed, CORPUS)[ANALYSED_MATCHES][0]["analysed"] == 2


def test_reasons_are_counted_by_the_number_of_seats(tiny: Tiny) -> None:
    for game, rows in answer(tiny.tables, QUESTIONS["ends"].sql).items():
        wanted = Counter((len(one.seats), one.end) for one in tiny.facts[game])
        by_seats = Counter(len(one.seats) for one in tiny.facts[game])
        assert len(rows) == len(wanted)
        for row in rows:
            assert row["n"] == by_seats[row["seats"]]
            assert row["share"] == wanted[row["seats"], row["end_reason"]] / row["n"]


def test_the_wins_of_all_places_add_up_to_one(tiny: Tiny) -> None:
    for game, rows in answer(tiny.tables, QUESTIONS["first_seat"].sql).items():
        assert [row["turn"] for row in rows] == [*range(1, GAMES[game].seats[0] + 1)]
        assert sum(row["share"] for row in rows) == pytest.approx(1)


def test_points_of_winners_are_a_mean(tiny: Tiny) -> None:
    for game, rows in answer(tiny.tables, with_rare("points_of_winners")).items():
        seats = [seat for one in tiny.facts[game] for seat in one.seats]
        for row in rows:
            points = [
                seat.breakdown[row["category"]]
                for seat in seats
                if (seat.place == 1) == (row["who"] == "winners")
                and row["category"] in seat.breakdown
            ]
            assert row["mean"] == pytest.approx(sum(points) / len(points))


def test_shares_of_the_kinds_of_moves_add_up(tiny: Tiny) -> None:
    for rows in answer(tiny.tables, with_rare("moves_of_winners")).values():
        for who in ("winners", "others"):
            assert sum(row["mean"] for row in rows if row["who"] == who) == pytest.approx(1)
