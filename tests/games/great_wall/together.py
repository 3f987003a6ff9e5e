"""A cooperative game of The Great Wall that is nearly won."""

from __future__ import annotations

from domain.engine.bots import sight_of
from domain.engine.dice import Luck
from domain.engine.game import advance, awaited, legal_moves
from domain.games.great_wall import GAME
from domain.games.great_wall.bot.hasty import hasty
from domain.games.great_wall.state.position import write_position
from domain.games.great_wall.state.steps import year
from domain.games.great_wall.state.steps.requests import DeclareRequests
from domain.games.great_wall.state.table import State
from tests.games.great_wall.game import new_table

OPEN = ("timber_levy", "glory_belongs", "veterans_home")
FULFILLED = ("rites", "quarry_levy", "gold_tribute", "clean_hands", "higher_wall", "taunt_them")


def nearly_won() -> State:
    """Three are rich, and one Request is missing, when they choose command cards: GW-16.2."""
    dice = Luck(1)
    state = new_table(3, dice, mode="coop")
    while not isinstance(state.agenda[-1], year.ChooseCommand):
        advance(GAME, state, legal_moves(GAME, state, awaited(state)[0])[0], dice)
    state.requests, state.fulfilled = OPEN, FULFILLED
    gone = {*OPEN, *FULFILLED}
    state.request_deck = tuple(card for card in state.setup.requests if card not in gone)
    for clan in state.clans:
        clan.resources, clan.honor = (9, 9, 9, 9), 30
        clan.counted = (30, *(0 for _ in clan.counted[1:]))
    return state


def winning() -> State:
    """The same at the beginning of their Winter: GW-16.10."""
    state, dice = nearly_won(), Luck("winning")
    while not isinstance(state.agenda[-1], DeclareRequests):
        advance(GAME, state, hasty(sight_of(GAME, state, awaited(state)[0], dice)), dice)
    return state


NEARLY_WON, WINNING = write_position(nearly_won()), write_position(winning())
