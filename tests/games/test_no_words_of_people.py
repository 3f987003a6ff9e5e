"""No free text of players gets into an entry through a game: no move, option or position accepts a
text that is not from the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from domain.engine.codecs import json_codec
from domain.engine.errors import BadOptions, BadPosition
from domain.engine.game import legal_moves
from domain.engine.starting.starts import read_start
from tests.games.altered import part, replace_at, ways
from tests.games.modes import with_fewest_seats
from tests.games.record import record
from tests.games.seen import find_refusal
from tests.games.test_any_input import plain, read

EVERY = pytest.mark.parametrize("game", with_fewest_seats())
MOMENTS = 3
WORDS = "Ada, 12 Elm Street"


def with_words(data: Any) -> Iterator[Any]:
    """The data with free text in the place of each text, and as an extra name in each object."""
    for way in ((), *ways(data)):
        there = part(data, way)
        if isinstance(there, str):
            yield replace_at(data, way, WORDS)
        if isinstance(there, dict):
            yield replace_at(data, way, {**there, WORDS: next(iter(there.values()), 1)})


@EVERY
def test_a_position_with_words_is_refused(game: Any) -> None:
    played = record(game, game.seats[0], 0)
    for state in played.some_starts(MOMENTS):
        for data in with_words(plain(game.write_position(state))):
            with pytest.raises(BadPosition):
                read_start(game, played.setup, data, played.seats)


@EVERY
def test_a_move_with_words_is_refused(game: Any) -> None:
    for moment in record(game, game.seats[0], 0).some(MOMENTS):
        for move in legal_moves(game, moment.state, moment.move.seat)[:10]:
            for data in with_words(json_codec.to_json(move)):
                found = read(game, moment, data)
                assert found is None or find_refusal(game, moment.state, found)


@EVERY
def test_options_with_words_are_refused(game: Any) -> None:
    options = plain(game.options())
    for data in (*with_words(options), *({**options, name: WORDS} for name in options)):
        with pytest.raises(BadOptions):
            game.setup(json_codec.read_options(game, data), game.seats[0])
