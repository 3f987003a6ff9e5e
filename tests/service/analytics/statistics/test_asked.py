"""Questions are read from parameters; what is wrong is told with what would be right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from domain.engine.game import Game
from domain.games import GAMES
from service.analytics.statistics.query_parser import ALWAYS, Asked, read, vocabulary_of
from service.runtime.errors import BadQuery

QIN = GAMES["qin"]


def asked(game: Game[Any] | None = QIN, /, **given: str | Sequence[str]) -> Asked:
    texts = {name: [text] if isinstance(text, str) else list(text) for name, text in given.items()}
    return read(texts, vocabulary_of(game), ("matches",))


def faults(game: Game[Any] | None = QIN, /, **given: str | Sequence[str]) -> Mapping[str, str]:
    with pytest.raises(BadQuery) as refused:
        asked(game, **given)
    return dict(refused.value.faults)


def filters(found: Asked) -> Mapping[str, set[str]]:
    return {one.dimension.name: set(one.texts) for one in found.question.filters}


def test_several_are_repeated_or_have_commas_between() -> None:
    for given in ("score,luck", ["score", "luck"], ["score", "score, luck"]):
        found = asked(metric=given, by="seat,seats")
        assert [one.name for one in found.question.metrics] == ["score", "luck"]
        assert [one.name for one in found.question.by] == ["seat", "seats"]


def test_without_a_metric_there_is_a_default() -> None:
    assert [one.name for one in asked().question.metrics] == ["matches"]


@pytest.mark.parametrize("game", [*GAMES.values(), None], ids=lambda one: one.key if one else "any")
def test_every_metric_and_every_dimension_can_be_asked_for(game: Game[Any] | None) -> None:
    known = vocabulary_of(game)
    assert len(known.metrics) >= 10
    assert len(known.dimensions) >= 11
    for metric in known.metrics:
        assert [one.name for one in asked(game, metric=metric).question.metrics] == [metric]
    for name in known.dimensions:
        assert [one.name for one in asked(game, by=name).question.by] == [name]
    for name in known.filters:
        dimension = known.dimensions[name]
        text = dimension.known[0] if dimension.known else "none"
        assert filters(asked(game, **{name: text})) == {name: {text}}


def test_filters_take_several_values() -> None:
    found = asked(seat=["0", "1"], level="li_mu,sun_bin", first=["a,b", "c"])
    assert filters(found) == {
        "seat": {"0", "1"}, "level": {"li_mu", "sun_bin"}, "first": {"a,b", "c"},
    }  # fmt: skip


def test_options_are_asked_for_by_their_names() -> None:
    found = asked(option=["board:lion", "board:bird", 'series:["bird","lion"]'])
    assert filters(found) == {
        "option.board": {"lion", "bird"},
        "option.series": {'["bird","lion"]'},
    }
    assert "`board`" in faults(option="nonsense:1")["option"]
    assert "`board`" in faults(option="board")["option"]
    assert "name a game" in faults(None, option="board:lion")["option"]


@pytest.mark.parametrize("name", ["metric", "by"])
def test_an_unknown_name_is_told_with_all_that_there_are(name: str) -> None:
    known = vocabulary_of(QIN)
    right = known.metrics if name == "metric" else known.dimensions
    said = faults(**{name: "nonsense"})[name]
    assert all(f"`{one}`" in said for one in right)


def test_an_unknown_parameter_is_told_with_all_that_there_are() -> None:
    said = faults(nonsense="1")["nonsense"]
    assert all(f"`{one}`" in said for one in (*ALWAYS, *vocabulary_of(QIN).filters))


@pytest.mark.parametrize(
    ("name", "wrong", "right"),
    [
        ("seat", "4", "`3`"),
        ("seats", "1", "`2`"),
        ("level", "nobody", "`li_mu`"),
        ("who", "ghost", "`person`"),
        ("rating", "high", "`15 to 20`"),
        ("result", "draw", "`shared`"),
        ("end", "never", "`last_pagoda`"),
        ("month", "2026-13", "month"),
        ("rules", "first", "version"),
        ("player", "Ann", "id"),
        ("opponent", "u1", "other seat"),
        ("include", "private", "`fork`"),
        ("since", "2026", "2026-11"),
        ("until", "2026-11-01", "2026-11"),
        ("sort", "name", "`value`"),
        ("order", "up", "`desc`"),
        ("limit", "0", "1000"),
        ("limit", "1001", "1000"),
        ("limit", "many", "1000"),
        ("chart", "pie", "`bars`"),
        ("first", "\n", "first decision"),
    ],
)
def test_what_is_wrong_is_told_with_what_would_be_right(name: str, wrong: str, right: str) -> None:
    assert right in faults(**{name: wrong})[name]


def test_all_faults_are_told_at_once() -> None:
    found = faults(metric="x", by="y", seat="z", limit="w", nonsense="v")
    assert set(found) == {"metric", "by", "seat", "limit", "nonsense"}


def test_there_are_limits() -> None:
    assert "At most 2" in faults(by="seat,seats,month")["by"]
    tigris = GAMES["tigris_euphrates"]
    many = list(vocabulary_of(tigris).metrics)[:21]
    assert "At most 20" in faults(tigris, metric=many)["metric"]
    assert "At most 50" in faults(first=[f"tile:{n}" for n in range(51)])["first"]
    assert "more than once" in faults(limit=["1", "2"])["limit"]
    assert len(faults(metric="x" * 5_000)["metric"]) < 2_000
    unknown = {f"x{number}": "1" for number in range(1_000)}
    assert len(faults(**unknown)) == 5
    assert faults(metric=list(unknown)[:20])["metric"].count("`x") == 5


def test_open_lists_begin_with_what_there_is_most_of() -> None:
    assert (asked(by="first").sort, asked(by="first").descending) == ("n", True)
    assert (asked(by="seat").sort, asked(by="seat").descending) == ("key", False)
    assert asked(by="seat", sort="value").descending
    assert not asked(by="seat", sort="value", order="asc").descending


def test_months_are_lines_unless_something_else_is_wanted() -> None:
    assert asked(by="month").shape == "lines"
    assert asked(by="seat,month").shape == "bars"
    assert asked(by="month", chart="points").shape == "points"


def test_the_same_question_is_the_same() -> None:
    one, other = (asked(metric="score", by="seat", seats=["2", "3"]) for _ in range(2))
    assert hash(one.question) == hash(other.question)
    assert one == other != asked(metric="score", by="seat", seats="2")
