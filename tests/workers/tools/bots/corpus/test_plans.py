"""A corpus has something of everything, and is reproducible."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

from domain.engine.codecs import json_codec
from domain.engine.game import Game
from domain.games import GAMES
from workers.tools.bots.corpus.plans import (
    QUICK_WEIGHT,
    Corpus,
    Table,
    levels_of,
    options_to_vary,
    plan_table,
)

MATCHES = 200


def corpus(game: str, *levels: str, seed: int = 1) -> Corpus:
    return Corpus(seed, {game: levels_of(GAMES[game], levels)})


def tables(game: str, *levels: str) -> list[Table]:
    return [plan_table(corpus(game, *levels), game, number) for number in range(MATCHES)]


@pytest.mark.parametrize("game", GAMES)
def test_the_same_number_is_always_the_same_table(game: str) -> None:
    others = Corpus(1, {name: levels_of(GAMES[name], ()) for name in GAMES})
    assert tables(game) == [plan_table(others, game, number) for number in range(MATCHES)]


@pytest.mark.parametrize("game", GAMES)
def test_another_number_seed_or_choice_of_levels_is_another_match(game: str) -> None:
    weakest = GAMES[game].levels[0].key
    ids = {one.match for one in [*tables(game), *tables(game, weakest)]}
    other = plan_table(corpus(game, seed=2), game, 0)
    assert len(ids | {other.match}) == 2 * MATCHES + 1


@pytest.mark.parametrize("game", GAMES)
def test_all_levels_seats_and_option_values_occur(game: str) -> None:
    found, rules = tables(game), GAMES[game]
    assert {len(one.levels) for one in found} == set(rules.seats)
    assert {level for one in found for level in one.levels} == {one.key for one in rules.levels}
    for name, values in options_to_vary(rules).items():
        assert {one.options.get(name) for one in found} == {None, *values}


@pytest.mark.parametrize("game", GAMES)
def test_half_of_the_matches_are_planned_with_equal_bots_and_half_with_default_options(
    game: str,
) -> None:
    """Others have equal bots by chance, or if there is one level."""
    found, rules = tables(game), GAMES[game]
    by_chance = fmean(equal_by_chance(rules, len(one.levels)) for one in found)
    equal = fmean(len(set(one.levels)) == 1 for one in found)
    assert equal == pytest.approx((1 + by_chance) / 2, abs=0.1)
    default = fmean(not one.options for one in found)
    assert default == pytest.approx(0.5 if options_to_vary(rules) else 1, abs=0.1)


def equal_by_chance(rules: Game[Any], seats: int) -> float:
    """The probability that levels drawn for each seat are all the same."""
    weights = [1 if level.deep else QUICK_WEIGHT for level in rules.levels]
    return sum((weight / sum(weights)) ** seats for weight in weights)


@pytest.mark.parametrize("game", GAMES)
def test_every_table_is_valid_and_none_makes_a_series(game: str) -> None:
    rules: Any = GAMES[game]
    for one in tables(game):
        setup = rules.setup(json_codec.read_options(rules, one.options), len(one.levels))
        assert not (rules.series and rules.series.is_series(setup))


@pytest.mark.parametrize("game", GAMES)
def test_levels_go_by_key_name_or_label(game: str) -> None:
    rules = GAMES[game]
    first, last = rules.levels[0], rules.levels[-1]
    for name in (last.key, rules.bot_names()[last.key].upper(), f" {last.label}"):
        assert {*levels_of(rules, [name, first.key])} == {first.key, last.key}
    assert levels_of(rules, []) == tuple(level.key for level in rules.levels)
