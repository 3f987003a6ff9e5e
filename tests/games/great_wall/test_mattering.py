"""Each question can matter: some answers to it lead to different tables, or to decisions of which
one knows more: GW-1.5.
"""

import pytest

from domain.engine.bots import bot_view
from domain.engine.dice import Luck
from domain.engine.game import new_state, seats_to_move
from domain.engine.play import Play
from domain.games.great_wall import GAME, board
from domain.games.great_wall.bot.hasty import careless_bot, hasty_bot
from domain.games.great_wall.state.agenda import effects
from tests.games.great_wall.mattering import Census, could_any_card_matter, give

TABLES = (
    *(("standard", seats) for seats in (2, 3, 5)),
    ("solo", 1),
    *(("coop", seats) for seats in (2, 4, 5)),
)
FEW_TABLES = (("standard", 3), ("solo", 1), ("coop", 4))
EXCUSED = {
    # who draws first matters if fewer tactic cards are left than are drawn
    ("OrderActivations", "academy", "tea_house"),
    # a player alone: Tea order changes nothing in production
    *(("OrderActivations", *sorted((place, "tea_house"))) for place in board.PRODUCTION),
}
"""Places whose questions matter rarely, or only with other numbers of seats."""


def questions(mode, seats, games):
    """The states of these games in which seats are asked."""
    for number in games:
        dice = Luck(f"matters {mode} {seats} {number}")
        state = new_state(GAME, GAME.setup(GAME.options(mode=mode), seats), seats, dice)
        while waiting := seats_to_move(state):
            yield state
            bot = careless_bot if number % 3 == 2 or not dice.below(4) else hasty_bot
            give(Play(state, dice), bot(bot_view(GAME, state, waiting[0], dice)))


def take_census(games, tables=TABLES):
    """What mattered in this number of games at each of these tables."""
    census = Census()
    for mode, seats in tables:
        for state in questions(mode, seats, range(games)):
            census.count(mode, state)
    assert len(census.shown) > len(census.asked) / 2
    return census


def test_places_that_ask_have_answers_that_differ():
    """GW-1.5"""
    assert not take_census(games=1, tables=FEW_TABLES).find_idle(often=15).keys() - EXCUSED


@pytest.mark.long
def test_places_that_ask_in_many_games_have_answers_that_differ():
    """GW-1.5"""
    census = take_census(games=200)
    assert not census.find_idle(often=30).keys() - EXCUSED


def test_a_card_that_a_seat_may_hold_changes_the_table_when_it_is_asked_for_one():
    """GW-9.4"""
    for mode, seats in FEW_TABLES:
        asked = [
            could_any_card_matter(state, seat)
            for state in questions(mode, seats, range(1))
            if isinstance(state.agenda[-1], effects.React)
            for seat in state.agenda[-1].seats
        ]
        assert asked, (mode, seats)
        assert all(asked), (mode, seats)
