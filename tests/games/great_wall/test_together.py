"""A cooperative game from its last Fall to the victory: GW-16.10, GW-16.12."""

from __future__ import annotations

import pytest

from domain.engine.bots import sight_of
from domain.engine.dice import Luck
from domain.engine.game import awaited, decide, fold
from domain.games.great_wall import GAME
from domain.games.great_wall.bot.hasty import hasty
from domain.games.great_wall.events import course, requests
from domain.games.great_wall.state.table import State
from tests.games.great_wall import invariants
from tests.games.great_wall.game import of
from tests.games.great_wall.together import nearly_won
from tests.games.great_wall.turns import read


def played(state: State, seed: int) -> tuple[State, list[object]]:
    """The game to its end, by bots that decide at a glance."""
    dice, told = Luck(seed), list[object]()
    while awaited(state):
        sight = sight_of(GAME, state, awaited(state)[0], dice)
        events = decide(GAME, state, hasty(sight), dice)
        fold(state, events)
        invariants.hold(state)
        assert read(state) == state
        told += events
    return state, told


@pytest.mark.parametrize("seed", range(3))
def test_with_the_last_request_all_win(seed):
    """GW-16.2, GW-16.12"""
    state, events = played(nearly_won(), seed)
    score = GAME.scoring(state)
    assert (score.reason, score.won, score.winners) == ("requests", True, (0, 1, 2))
    assert len(of(course.YearBegan, events)) == 0
    assert of(requests.RequestsBlamed, events) == []
    [over] = of(course.GameEnded, events)
    assert over.winners == (0, 1, 2)
    assert over.honor == tuple(clan.honor for clan in state.clans)


def test_until_then_nobody_has_won():
    """GW-16.12"""
    score = GAME.scoring(nearly_won())
    assert (score.won, score.winners, score.reason) == (False, (), "")
    assert [line.points for line in score.lines] == [30, 30, 30]
    assert all(sum(line.breakdown.values()) == line.points for line in score.lines)
