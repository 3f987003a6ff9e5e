"""A corpus has something of everything, and is the same again whenever it is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.codecs import json_codec
from domain.games import GAMES
from workers.tools.bots.corpus.plans import Corpus, Table, levels_of, table, varied

MANY = 200


def corpus(game: str, *levels: str, seed: int = 1) -> Corpus:
    return Corpus(seed, {game: levels_of(GAMES[game], levels)})


def tables(game: str, *levels: str) -> list[Table]:
    return [table(corpus(game, *levels), game, number) for number in range(MANY)]


@pytest.mark.parametrize("game", GAMES)
def test_the_same_number_is_always_the_same_table(game: str) -> None:
    others = Corpus(1, {name: levels_of(GAMES[name], ()) for name in GAMES})
    assert tables(game) == [table(others, game, number) for number in range(MANY)]


@pytest.mark.parametrize("game", GAMES)
def test_another_number_seed_or_choice_of_levels_is_another_match(game: str) -> None:
    weakest = GAMES[game].levels[0].key
    ids = {one.match for one in [*tables(game), *tables(game, weakest)]}
    other = table(corpus(game, seed=2), game, 0)
    assert len(ids | {other.match}) == 2 * MANY + 1


@pytest.mark.parametrize("game", GAMES)
def test_all_levels_and_numbers_of_seats_come_and_all_values_of_options(game: str) -> None:
    found, rules = tables(game), GAMES[game]
    assert {len(one.levels) for one in found} == set(rules.seats)
    assert {level for one in found for level in one.levels} == {one.key for one in rules.levels}
    for name, values in varied(rules).items():
        assert {one.options.get(name) for one in found} == {None, *values}


@pytest.mark.parametrize("game", GAMES)
def test_half_of_the_matches_are_among_equals_and_half_have_the_usual_options(game: str) -> None:
    found = tables(game)
    for half in (
        [one for one in found if len(set(one.levels)) == 1],
        [one for one in found if not one.options],
    ):
        assert MANY * 0.4 < len(half) < MANY * 0.8


@pytest.mark.parametrize("game", GAMES)
def test_every_table_can_be_had_and_none_makes_a_series(game: str) -> None:
    rules: Any = GAMES[game]
    for one in tables(game):
        setup = rules.setup(json_codec.read_options(rules, one.options), len(one.levels))
        assert not (rules.sequels and rules.sequels.planned(setup))


@pytest.mark.parametrize("game", GAMES)
def test_levels_go_by_key_name_or_label(game: str) -> None:
    rules = GAMES[game]
    first, *_, last = rules.levels
    for name in (last.key, rules.bots()[last.key].upper(), f" {last.label}"):
        assert levels_of(rules, [name, first.key]) == (first.key, last.key)
    assert levels_of(rules, []) == tuple(level.key for level in rules.levels)
