"""Queries are parsed from parameters; errors list the valid values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from domain.engine.game import Game
from domain.games import GAMES
from service.analytics.statistics.query_parser import (
    COMMON_PARAMETERS,
    ParsedQuery,
    parse,
    vocabulary_of,
)
from service.runtime.errors import BadQuery

QIN = GAMES["qin"]


def parse_query(game: Game[Any] | None = QIN, /, **given: str | Sequence[str]) -> ParsedQuery:
    texts = {name: [text] if isinstance(text, str) else list(text) for name, text in given.items()}
    return parse(texts, vocabulary_of(game), ("matches",))


def faults(game: Game[Any] | None = QIN, /, **given: str | Sequence[str]) -> Mapping[str, str]:
    with pytest.raises(BadQuery) as refused:
        parse_query(game, **given)
    return dict(refused.value.faults)


def filters(found: ParsedQuery) -> Mapping[str, set[str]]:
    return {one.dimension.name: set(one.texts) for one in found.query.filters}


def test_several_are_repeated_or_have_commas_between() -> None:
    for given in ("score,luck", ["score", "luck"], ["score", "score, luck"]):
        found = parse_query(metric=given, by="seat,seats")
        assert [one.name for one in found.query.metrics] == ["score", "luck"]
        assert [one.name for one in found.query.by] == ["seat", "seats"]


def test_without_a_metric_there_is_a_default() -> None:
    assert [one.name for one in parse_query().query.metrics] == ["matches"]


@pytest.mark.parametrize("game", [*GAMES.values(), None], ids=lambda one: one.key if one else "any")
def test_every_metric_and_every_dimension_can_be_queried(game: Game[Any] | None) -> None:
    known = vocabulary_of(game)
    assert len(known.metrics) >= 10
    assert len(known.dimensions) >= 11
    for metric in known.metrics:
        assert [one.name for one in parse_query(game, metric=metric).query.metrics] == [metric]
    for name in known.dimensions:
        assert [one.name for one in parse_query(game, by=name).query.by] == [name]
    for name in known.filters:
        dimension = known.dimensions[name]
        text = dimension.allowed[0] if dimension.allowed else "none"
        assert filters(parse_query(game, **{name: text})) == {name: {text}}


def test_filters_take_several_values() -> None:
    found = parse_query(seat=["0", "1"], level="li_mu,sun_bin", first=["a,b", "c"])
    assert filters(found) == {
        "seat": {"0", "1"}, "level": {"li_mu", "sun_bin"}, "first": {"a,b", "c"},
    }  # fmt: skip


def test_options_are_queried_by_their_names() -> None:
    found = parse_query(option=["board:lion", "board:bird", 'series:["bird","lion"]'])
    assert filters(found) == {
        "option.board": {"lion", "bird"},
        "option.series": {'["bird","lion"]'},
    }
    assert "`board`" in faults(option="nonsense:1")["option"]
    assert "`board`" in faults(option="board")["option"]
    assert "name a game" in faults(None, option="board:lion")["option"]


@pytest.mark.parametrize("name", ["metric", "by"])
def test_an_unknown_name_gets_the_known_ones(name: str) -> None:
    known = vocabulary_of(QIN)
    right = known.metrics if name == "metric" else known.dimensions
    said = faults(**{name: "nonsense"})[name]
    assert all(f"`{one}`" in said for one in right)


def test_an_unknown_parameter_gets_the_known_ones() -> None:
    said = faults(nonsense="1")["nonsense"]
    assert all(f"`{one}`" in said for one in (*COMMON_PARAMETERS, *vocabulary_of(QIN).filters))


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
def test_an_invalid_query_lists_the_valid_values(name: str, wrong: str, right: str) -> None:
    assert right in faults(**{name: wrong})[name]


def test_all_faults_are_reported_at_once() -> None:
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
    assert (parse_query(by="first").sort, parse_query(by="first").descending) == ("n", True)
    assert (parse_query(by="seat").sort, parse_query(by="seat").descending) == ("key", False)
    assert parse_query(by="seat", sort="value").descending
    assert not parse_query(by="seat", sort="value", order="asc").descending


def test_months_are_lines_unless_something_else_is_wanted() -> None:
    assert parse_query(by="month").shape == "lines"
    assert parse_query(by="seat,month").shape == "bars"
    assert parse_query(by="month", chart="points").shape == "points"


def test_the_same_question_is_the_same() -> None:
    one, other = (parse_query(metric="score", by="seat", seats=["2", "3"]) for _ in range(2))
    assert hash(one.query) == hash(other.query)
    assert one == other != parse_query(metric="score", by="seat", seats="2")
