"""What each game must do. The tests find a new game in GAMES, and a new check in its module.

One test makes all checks of a module, because thousands of tests would take longer to collect and
report than to run. The traceback of a failure names the check.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import getmembers, isfunction, signature
from itertools import cycle
from types import ModuleType

import pytest

from domain.engine.dice import Luck
from domain.engine.sentences import LANGUAGES
from tests.games import (
    every_example,
    every_game,
    every_language,
    every_number,
    every_panel,
    every_secret,
    every_sentence,
    every_shown,
    every_text,
    every_touch,
)
from tests.games.modes import ALL, tables
from tests.games.record import record
from tests.games.seen import AnyGame

TABLES = [
    pytest.param(
        table.game,
        table.seats,
        id=table.id,
        marks=[
            pytest.mark.xdist_group(table.id),  # they look at the same games
            *([pytest.mark.long] if table.between else ()),
        ],
    )
    for table in tables(all_seats=True)
]
FOR_FEW = (every_example, every_language, every_number, every_sentence, every_shown, every_touch)
"""Modules whose checks look at the fewest seats; at more seats, `make test-long` makes them."""
FOR_MANY = (every_game, every_panel, every_secret, every_text)
"""Modules whose checks look at the most seats, of which more must not learn what one knows; in
modes beside the usual one at the fewest, since what many seats know is the same code.
"""
CASES = [
    pytest.param(
        module,
        table.game,
        table.seats,
        id=f"{module.__name__.rpartition('.')[2]}-{table.id}",
        marks=[pytest.mark.xdist_group(table.id), *([] if looked_at else [pytest.mark.long])],
    )
    for table in tables(all_seats=True)
    for modules, looked_at in (
        (FOR_FEW, table.fewest),
        (FOR_MANY, table.most if table.is_usual else table.fewest),
    )
    for module in modules
]
SHORT = 50 // len(TABLES)
LONG = 10_000 // len(TABLES)
PANEL_MOMENTS = 60


def checks(module: ModuleType, parameter: str) -> list[Callable[[AnyGame, int], None]]:
    """The checks of a module that take this parameter: `seats`, or `_seats` if their number makes
    no difference.
    """
    return [
        check
        for name, check in getmembers(module, isfunction)
        if check.__module__ == module.__name__ and not name.startswith("_")
        if parameter in signature(check).parameters
    ]


@pytest.mark.parametrize(("module", "game", "seats"), CASES)
def test_every_game(module, game, seats):
    for check in checks(module, "seats"):
        check(game, seats)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
def test_every_game_at_any_number_of_seats(game):
    for module in (*FOR_FEW, *FOR_MANY):
        for check in checks(module, "_seats"):
            check(game, game.seats[0])


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


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_pictures_leak_nothing(game, seats):
    """Drawn of another table that looks the same to the viewer, they are the same. They follow from
    the view, which `nothing_leaks` compares.
    """
    for number, moment in enumerate(record(game, seats, 0).some(2)):
        seat = number % seats
        other = game.imagine(moment.state, seat, Luck(1))
        for viewer in (seat, None):
            views = [game.view(state, viewer) for state in (other, moment.state)]
            assert len({game.render_svg(view, game.words()) for view in views}) == 1
            assert len({game.render_text(view, game.words()) for view in views}) == 1


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_more_moments_of_a_random_game(game, seats):
    every_game.a_position_comes_back_from_json(game, seats, count=24)
    every_secret.nothing_leaks(game, seats, count=12, tried=10_000)
    every_touch.a_touch_of_a_place_where_a_move_begins_leads_to_it(game, seats, touched=100)


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.parametrize("turn", range(1, len(LANGUAGES)))
def test_each_moment_in_each_language(game, seats, turn):
    every_panel.panels_fit_the_screen(game, seats, turn)
    every_shown.players_see_no_ids(game, seats, turn)
    every_language.pictures_speak_the_language(game, seats, turn)
    every_language.pictures_have_initials_of_the_language(game, seats, turn)


def draw_whole_game(game, seats, language, seed):
    """Pictures of many moments, by turns for each seat and for spectators."""
    played, words = record(game, seats, seed), game.words(language)
    states = [*(moment.state for moment in played.some(PANEL_MOMENTS)), played.end]
    for state, viewer in zip(states, cycle(played.viewers)):
        yield game.render_svg(game.view(state, viewer), words)


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_panels_fit_the_screen_in_whole_games(game, seats):
    for seed, language in enumerate(game.resources.texts):
        every_panel.check_pictures(game, draw_whole_game(game, seats, language, seed))
