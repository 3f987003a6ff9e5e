"""Each line of the log cites one rule: the one that the code names which caused the event. Recorded
games, in which each cause occurs, do so in test_replays.py.
"""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from domain.engine.codecs.binary_codec import decoder, pack
from domain.engine.dice import Luck
from domain.engine.game import advance, begin, fold, seats_to_move
from tests.games.modes import ALL, tables
from tests.games.record import sample_of, some_move, some_setup


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("table", [pytest.param(one, id=one.id) for one in tables()])
def test_the_log_cites_the_rule_that_the_code_names(table, seed, wrong):
    play_to_the_end(table.game, table.seats, Luck(f"{table.id}/cited/{seed}"))
    assert list(wrong) == []


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
def test_entries_from_before_the_field_are_read(game):
    """Where the rule comes last and has a default, older entries without it get that rule."""
    for kind in (*game.events, *game.answers.steps):
        fields = msgspec.structs.fields(kind)
        if fields and fields[-1].name == "rule" and not fields[-1].required:
            assert fields[-1].default in game.rulebook.rules, kind
            whole = replace(sample_of(kind), rule="")
            older = msgspec.msgpack.encode(msgspec.msgpack.decode(pack(whole))[:-1])
            assert decoder(kind)(older) == replace(whole, rule=fields[-1].default)


def play_to_the_end(game, seats, dice):
    """Play a random game."""
    setup = some_setup(game, seats, dice)
    state = game.blank_state(setup, seats)
    fold(state, begin(game, setup, seats, dice))
    made = 0
    while seats_to_move(state):
        advance(game, state, some_move(game, state, dice, made), dice)
        made += 1
