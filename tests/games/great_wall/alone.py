"""Solo tables, on which a player faces Qin Jiushao."""

from __future__ import annotations

from typing import Any

from domain.engine.dice import Luck
from domain.engine.game import advance, legal_moves
from domain.engine.play import Event
from domain.games.great_wall import board
from domain.games.great_wall.events.solo import QinActed
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.table import State
from tests.games.great_wall.game import GAME, new_table, of
from tests.games.great_wall.table import participation_honor, table

REED, QIN = 1, 2
TOKENS = ("gold", "wood", "chi", "wound", "stone")
"""Gold Mine, Lumber Mill, Temple, Barracks, Quarry: the Quarry is the lowest."""
AWAY = {"tea_house": 1, "embassy": 1, "academy": 1}
"""Where clerks of the Reed Clan do not matter."""


def solo_table(
    human: dict[str, Any] | None = None,
    qin: dict[str, Any] | None = None,
    reed: dict[str, Any] | None = None,
    **values: Any,
) -> State:
    """A solo table with these belongings of human, Qin and Reed, and these values."""
    told = {"tokens": TOKENS, "tea": (0, QIN, REED), "indicator": "right", **values}
    return table(
        human or {}, {"clerks": AWAY, **(reed or {})}, qin or {}, seats=1, mode="solo", **told
    )


def deeds_of_qin(events: list[Event[Any]]) -> list[tuple[str, str]]:
    """What Qin did, and by which rule."""
    return [(one.does, one.rule) for one in of(QinActed, events)]


def clerks_at(state: State, clan: int) -> dict[str, int]:
    """By Location, the clerks of a clan."""
    there = zip(board.LOCATIONS, state.clans[clan].clerks, strict=True)
    return {place: count for place, count in there if count}


def table_far_ahead() -> State:
    """The human is rich and far ahead of Qin, and chooses a card in the fifth Year."""
    dice = Luck(1)
    state = new_table(1, dice, mode="solo")
    while not isinstance(state.agenda[-1], steps.ChooseCommand):
        advance(GAME, state, legal_moves(GAME, state, 0)[0], dice)
    human = state.clans[0]
    human.resources, human.honor, human.counted = (9, 9, 9, 9), 200, participation_honor(200)
    state.slot = len(state.setup.slots) - 2
    return state


AHEAD = GAME.write_position(table_far_ahead())
