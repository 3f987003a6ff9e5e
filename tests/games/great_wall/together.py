"""A cooperative game of The Great Wall just before victory."""

from __future__ import annotations

from domain.engine.dice import Luck
from domain.engine.game import advance, legal_moves, seats_to_move
from domain.games.great_wall import GAME
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.table import State
from tests.games.great_wall.game import new_table

OPEN = ("timber_levy", "glory_belongs", "veterans_home")
FULFILLED = ("rites", "quarry_levy", "gold_tribute", "clean_hands", "higher_wall", "taunt_them")


def table_nearly_won() -> State:
    """Three rich players who choose command cards need one more Request: GW-16.2."""
    dice = Luck(1)
    state = new_table(3, dice, mode="coop")
    while not isinstance(state.agenda[-1], steps.ChooseCommand):
        advance(GAME, state, legal_moves(GAME, state, seats_to_move(state)[0])[0], dice)
    state.requests, state.fulfilled = OPEN, FULFILLED
    gone = {*OPEN, *FULFILLED}
    state.request_deck = tuple(card for card in state.setup.requests if card not in gone)
    for clan in state.clans:
        clan.resources, clan.honor = (9, 9, 9, 9), 30
        clan.counted = (30, *(0 for _ in clan.counted[1:]))
    return state


NEARLY_WON = GAME.write_position(table_nearly_won())
