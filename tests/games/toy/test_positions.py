"""A match starts where a round begins; every other position is refused."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition
from domain.engine.game import seats_to_move
from domain.engine.starting.starts import read_start
from tests.engine.toy import GAME
from tests.engine.toy.state.steps import Choose
from tests.games import record
from tests.games.toy import table
from tests.games.toy.table import BEGIN, CHOOSE, NEXT, REFILL
from tests.support.for_each import for_each

TABLE = {**table.TABLE, "bag": [2] * 6, "hands": [[1, 3], [2, 6]]}
"""A table with cards left to draw."""


def read(changes: dict[str, Any]) -> Any:
    return read_start(GAME, GAME.setup(GAME.options(), 2), {**TABLE, **changes}, 2)


def written(state: Any) -> Any:
    """The position of a state as JSON."""
    return json_codec.json_round_trip(GAME.write_position(state))


@for_each("seats", GAME.seats)
@for_each("seed", range(3))
def test_a_match_starts_only_where_a_round_begins(seats, seed):
    """TOY-2.2: everything that a game comes to is read by structure."""
    played = record.record(GAME, seats, seed)
    for state in (*(moment.state for moment in played.moments), played.end):
        position = written(state)
        assert written(GAME.read_position(played.setup, position, seats)) == position
        begun = state.agenda and isinstance(state.agenda[-1], Choose) and not any(state.sealed)
        if begun:
            assert written(read_start(GAME, played.setup, position, seats)) == position
        else:
            with pytest.raises(BadPosition, match=r"fork a match|has ended|`sealed`"):
                read_start(GAME, played.setup, position, seats)


@for_each(
    ("changes", "waiting"),
    [
        ({}, (0, 1)),
        ({"hands": [[], [2, 6]], "agenda": [*BEGIN[:3], {**CHOOSE, "seats": [1]}]}, (1,)),
        ({"round": 3, "agenda": [{**NEXT, "number": 4}, *BEGIN[1:]]}, (0, 1)),
    ],
)
def test_a_game_can_come_to_these(changes, waiting):
    """TOY-2.2"""
    assert seats_to_move(read(changes)) == waiting


@for_each(
    ("words", "changes"),
    [
        ("has ended", {"reason": "rounds"}),
        ("has ended", {"reason": "rounds", "agenda": [], "round": 3, "prize": 0}),
        ("`round` must be 1 to 3", {"round": 0}),
        ("`round` must be 1 to 3", {"round": 4}),
        ("No seat holds a card", {"hands": [[], []]}),
        ('"number":3', {"round": 2}),
        ('"seats":\\[1\\]', {"hands": [[], [2, 6]]}),
        ("fork a match", {"agenda": []}),
        ("fork a match", {"agenda": [NEXT, REFILL, CHOOSE]}),
        ("fork a match", {"agenda": [*BEGIN[:3], {**CHOOSE, "seats": [1, 0]}]}),
        ("There is no seat 2", {"agenda": [*BEGIN[:3], {**CHOOSE, "seats": [0, 1, 2]}]}),
        ("nothing `sealed`", {"sealed": [4, None]}),
        ("`prize` must be 1 to 6", {"prize": 0}),
        ("`prize`: It is greater than the maximum of 6", {"prize": 7}),
        ("more cards of value 1", {"hands": [[1] * 6, [2, 6]]}),
        ("order of their values", {"hands": [[3, 1], [2, 6]]}),
        ("`hands`: Expected 2 items, one for each seat", {"hands": [[1, 3], [2, 6], []]}),
        ("`bag`: Expected 6 items, one for each value", {"bag": [2] * 5}),
        ("points", {"points": [-1, 2]}),
    ],
)
def test_no_game_can_come_to_these(words, changes):
    """TOY-2.1, TOY-2.2, TOY-4.1"""
    with pytest.raises(BadPosition, match=words):
        read(changes)
