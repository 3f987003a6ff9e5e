"""Large numbers in a position: how large they can be, and that the menu still comes quickly."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import msgspec
import pytest

from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition
from domain.engine.game import seats_to_move
from domain.engine.positions.reader import MAX_NUMBER
from domain.engine.starting.starts import read_start
from tests.games.altered import part, replace_at, ways
from tests.games.modes import with_fewest_seats
from tests.games.record import record
from tests.games.seen import AnyGame

LARGE = (9999, 999, 99, 40, 20)
STARTS = 4
"""From how many parts of a game the positions are."""
MAX_MOVES = 2000
"""More are in no menu, nor are more looked at for one."""
TABLES = with_fewest_seats()


@pytest.mark.parametrize("game", TABLES)
def test_a_number_has_one_limit(game):
    """No type allows numbers that the reader of positions refuses."""
    schema = json_codec.encode(msgspec.json.schema(game.position_type)).decode()
    limits = [int(limit) for limit in re.findall(r'"(?:maximum|minimum)":(-?\d+)', schema)]
    assert max(map(abs, limits), default=0) <= MAX_NUMBER


@pytest.mark.slow
@pytest.mark.parametrize("game", TABLES)
def test_a_position_with_large_numbers_has_no_endless_menu(game):
    seats = game.seats[0]
    played = record(game, seats, 0)
    kinds = {type(state.agenda[-1]): state for state in played.some_starts(STARTS)}
    for state in kinds.values():
        large = enlarge(game, played.setup, seats, state)
        for seat in seats_to_move(large):
            offered = game.answers.offers(large, seat)
            assert len(list(islice(offered, MAX_MOVES + 1))) <= MAX_MOVES


def enlarge(game: AnyGame, setup: Any, seats: int, state: Any) -> Any:
    """The same table, each number as large as the others allow."""
    position = msgspec.json.decode(json_codec.encode(game.write_position(state)))
    for way in [way for way in ways(position) if type(part(position, way)) is int]:
        for number in LARGE:
            try:
                state = read_start(game, setup, replace_at(position, way, number), seats)
            except BadPosition:
                continue
            position = replace_at(position, way, number)
            break
    return state
