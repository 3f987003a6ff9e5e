"""However large the numbers of a position are, it is quickly answered what can be done there."""

from __future__ import annotations

from itertools import islice
from typing import Any

import msgspec
import pytest

from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition
from domain.engine.game import awaited
from domain.games import GAMES
from tests.games.altered import changed, part, ways
from tests.games.record import record
from tests.games.seen import AnyGame

LARGE = (9999, 999, 99, 40, 20)
MOST_MOVES = 2000
"""More are in no menu, nor are more looked at for one."""
TABLES = [
    pytest.param(game, id=game.key, marks=pytest.mark.xdist_group(f"{game.key}-{game.seats[0]}"))
    for game in GAMES.values()
]


@pytest.mark.slow
@pytest.mark.parametrize("game", TABLES)
def test_a_position_with_large_numbers_has_no_endless_menu(game):
    seats = game.seats[0]
    played = record(game, seats, 0)
    kinds = {type(moment.state.agenda[-1]): moment.state for moment in played.moments}
    for state in kinds.values():
        large = enlarged(game, played.setup, seats, state)
        for seat in awaited(large):
            offered = game.answers.offered(large, seat)
            assert len(list(islice(offered, MOST_MOVES + 1))) <= MOST_MOVES


def enlarged(game: AnyGame, setup: Any, seats: int, state: Any) -> Any:
    """The same table, each number as large as it can be with those before it."""
    position = msgspec.json.decode(json_codec.encode(game.write_position(state)))
    for way in [way for way in ways(position) if type(part(position, way)) is int]:
        for number in LARGE:
            try:
                state = game.read_position(setup, changed(position, way, number), seats)
            except BadPosition:
                continue
            position = changed(position, way, number)
            break
    return state
