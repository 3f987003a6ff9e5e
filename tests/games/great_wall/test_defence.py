"""Bots of the two easier levels defend the Wall: GW-13.3 to GW-13.6."""

from collections import Counter

import pytest

from domain.engine.bots import bot_view
from domain.engine.dice import Luck
from domain.engine.game import advance, new_state, seats_to_move
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.bot import defence
from domain.games.great_wall.state.agenda import clerks
from tests.games.great_wall.course import begin
from tests.games.great_wall.table import horde, table
from tests.support.for_each import for_each

EASIER = GAME.levels[:2]
RICH = {"resources": {"wood": 5, "stone": 5, "gold": 5}}
THREAT = {"barricades": {}, "hordes": {"left": [horde("heavy_cavalry_left")]}}


@for_each(
    "move",
    [
        moves.BuildWall(0, "left"),
        moves.BuildBarricade(0, "left"),
        moves.MoveClerk(0, "builders"),
        moves.MoveClerk(0, "quarry"),
    ],
)
def test_what_helps_against_a_breach_looks_better(move):
    near, calm = table(RICH, **THREAT), table(RICH)
    assert defence.adjust(near, 0, move) > max(0, defence.adjust(calm, 0, move))


@pytest.mark.parametrize("level", EASIER, ids=lambda level: level.key)
def test_the_easier_levels_build_where_a_breach_threatens(level):
    """Also when they are careless: it is their Wall."""
    step = clerks.Build((0,), left=1, barricades=("left", "center"), walls=("center",))
    state = begin(table(RICH, active=0, **THREAT), step)
    chosen = {level.bot(bot_view(GAME, state, 0, Luck(luck))) for luck in range(40)}
    assert chosen == {moves.BuildBarricade(0, "left")}


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_standard_tables_of_the_easiest_level_seldom_end_by_shame(seats):
    ends = Counter(_play(EASIER[0].bot, seats, number) for number in range(40))
    assert ends["shame"] <= ends.total() / 2


@pytest.mark.long
def test_standard_tables_of_the_second_level_seldom_end_by_shame():
    ends = Counter(_play(EASIER[1].bot, 3, number) for number in range(16))
    assert ends["shame"] <= ends.total() / 2


def _play(bot, seats, number):
    """How a standard game of this bot ends."""
    dice = Luck(f"defence {seats} {number}")
    state = new_state(GAME, GAME.setup(GAME.options(), seats), seats, dice)
    while waiting := seats_to_move(state):
        advance(GAME, state, bot(bot_view(GAME, state, waiting[0], dice)), dice)
    return state.ended
