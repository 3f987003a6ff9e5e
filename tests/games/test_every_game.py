"""What each game must do. The tests find a new game in GAMES, and a new check in its module."""

from __future__ import annotations

from inspect import getmembers, isfunction

import pytest

from tests.games import (
    every_example,
    every_game,
    every_language,
    every_number,
    every_secret,
    every_sentence,
    every_text,
    every_touch,
)
from tests.games.modes import tables

TABLES = [
    pytest.param(
        table.game,
        table.seats,
        id=table.id,
        marks=[
            pytest.mark.xdist_group(table.id),  # they look at the same games
            *(() if table.fewest else [pytest.mark.slow]),  # the same code again
            *([pytest.mark.long] if table.between else ()),
        ],
    )
    for table in tables(all_seats=True)
]
TAKING_SECONDS = {
    every_game.any_choice_of_moves_keeps_the_game_sound,
    every_game.no_choice_is_too_long,
    every_game.ways_lead_to_each_move_and_to_one,
    every_game.what_is_touched_is_in_the_picture,
    every_game.a_position_comes_back_from_json,
    every_secret.events_that_follow_dice_reveal,
    every_secret.games_go_on_from_what_is_imagined,
    every_secret.nothing_leaks,
    every_secret.pictures_leak_nothing,
}
MODULES = (
    every_game,
    every_example,
    every_language,
    every_number,
    every_secret,
    every_sentence,
    every_text,
    every_touch,
)
CHECKS = [
    pytest.param(check, id=name, marks=[pytest.mark.slow] * (check in TAKING_SECONDS))
    for module in MODULES
    for name, check in getmembers(module, isfunction)
    if check.__module__ == module.__name__ and not name.startswith("_")
]
SHORT = 50 // len(TABLES)
LONG = 10_000 // len(TABLES)


@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.parametrize("check", CHECKS)
def test_every_game(check, game, seats):
    check(game, seats)


def play_many(game, seats, seeds):
    for seed in seeds:
        every_game.it_ends_with_places(game, seats, seed)
        every_game.folding_gives_what_deciding_gave(game, seats, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_random_games_end_and_fold(game, seats):
    play_many(game, seats, range(SHORT))


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_thousands_of_random_games_end_and_fold(game, seats):
    play_many(game, seats, range(SHORT, LONG))
