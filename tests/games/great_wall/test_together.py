"""A cooperative game from its last Fall to victory: GW-16.10, GW-16.12."""

from __future__ import annotations

import pytest

from domain.engine.bots import bot_view
from domain.engine.dice import Luck
from domain.engine.game import decide, fold, seats_to_move
from domain.games.great_wall import GAME
from domain.games.great_wall.bot.hasty import hasty_bot
from domain.games.great_wall.events import course, requests
from domain.games.great_wall.state.table import State
from tests.games.great_wall import invariants
from tests.games.great_wall.game import of
from tests.games.great_wall.together import table_nearly_won


def play_out(state: State, seed: int) -> tuple[State, list[object]]:
    """The game to its end, played by hasty bots."""
    dice, told = Luck(seed), list[object]()
    while seats_to_move(state):
        view = bot_view(GAME, state, seats_to_move(state)[0], dice)
        events = decide(GAME, state, hasty_bot(view), dice)
        fold(state, events)
        invariants.check_invariants(state)
        assert GAME.read_position(state.setup, GAME.write_position(state), state.seats) == state
        told += events
    return state, told


@pytest.mark.parametrize("seed", range(3))
def test_with_the_last_request_all_win(seed):
    """GW-16.2, GW-16.12"""
    state, events = play_out(table_nearly_won(), seed)
    score = GAME.scoring(state)
    assert (score.reason, score.won, score.winners) == ("requests", True, (0, 1, 2))
    assert len(of(course.YearBegan, events)) == 0
    assert of(requests.RequestsBlamed, events) == []
    [over] = of(course.GameEnded, events)
    assert over.winners == (0, 1, 2)
    assert over.honor == tuple(clan.honor for clan in state.clans)


def test_before_that_no_seat_has_won():
    """GW-16.12"""
    score = GAME.scoring(table_nearly_won())
    assert (score.won, score.winners, score.reason) == (False, (), "")
    assert [line.points for line in score.lines] == [30, 30, 30]
    assert all(sum(line.breakdown.values()) == line.points for line in score.lines)
