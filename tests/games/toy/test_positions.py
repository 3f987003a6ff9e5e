"""Positions that no game of the toy reaches."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.errors import BadPosition
from domain.engine.game import seats_to_move
from tests.engine.toy import GAME

REST = ({"type": "Round", "number": 2}, {"type": "Refill"})
REVEAL = {"type": "Reveal"}
CHOOSE = {"type": "Choose", "seats": [0, 1]}
AGAIN = {"type": "Challenge", "seats": [0], "left": 1}
SHOWN = {"type": "Replace", "by": 0}
COUNTERED = {"type": "Replace", "by": 1}
TABLE: dict[str, Any] = {
    "bag": [2] * 6,
    "hands": [[1, 3], [2, 6]],
    "sealed": [None, None],
    "points": [2, 2],
    "round": 1,
    "prize": 0,
}
CHOOSING = {"prize": 4, "agenda": [*REST, REVEAL, CHOOSE]}
LEFT = {**CHOOSING, "agenda": [*REST, REVEAL, {**CHOOSE, "seats": [1]}]}
OVER = {"round": 3, "agenda": [], "reason": "rounds"}


def answer(seat: int, to: int, card: int) -> dict[str, Any]:
    return {"type": "Respond", "seats": [seat], "to": to, "card": card}


def read(changes: dict[str, Any]) -> Any:
    return GAME.read_position(GAME.setup(GAME.options(), 2), {**TABLE, **changes}, 2)


@pytest.mark.parametrize(
    ("changes", "waiting"),
    [
        (CHOOSING, (0, 1)),
        ({**LEFT, "sealed": [4, None]}, (1,)),
        ({"agenda": [*REST, {**AGAIN, "left": 2}]}, (0,)),
        ({"agenda": [*REST, SHOWN, answer(1, 0, 5)]}, (1,)),
        ({"agenda": [*REST, AGAIN, SHOWN, COUNTERED, answer(0, 1, 5)]}, (0,)),
        (OVER, ()),
        ({"hands": [[], []], "agenda": [], "reason": "cards"}, ()),
    ],
)
def test_a_game_can_come_to_these(changes, waiting):
    assert seats_to_move(read(changes)) == waiting


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ("not like this", {"agenda": []}),
        ("not like this", {**OVER, "round": 2}),
        ("not like this", {**OVER, "sealed": [1, None]}),
        ("has ended has nothing", {**CHOOSING, "reason": "rounds"}),
        ("Rounds are 1 to 3", {**CHOOSING, "round": 4}),
        ("is Round, Refill, Reveal", {**CHOOSING, "agenda": [*REST, CHOOSE]}),
        ("is Round, Refill, Reveal", {**CHOOSING, "round": 2}),
        ("is Round, Refill", {"agenda": [*REST, SHOWN, AGAIN]}),
        ("is Round, Refill, Replace", {"agenda": [*REST, COUNTERED, answer(1, 0, 5)]}),
        ("Refill, Challenge, Replace", {"agenda": [*REST, SHOWN, AGAIN, answer(1, 0, 5)]}),
        ("The `prize` is", {**CHOOSING, "prize": 0}),
        ("The `prize` is", {"agenda": [*REST, AGAIN], "prize": 1}),
        ("waits for seats", {"agenda": [*REST, REVEAL]}),
        ("waits for seats", {**CHOOSING, "agenda": [*REST, REVEAL, {**CHOOSE, "seats": [1, 0]}]}),
        ("waits for seats", {**CHOOSING, "agenda": [*REST, REVEAL, {**CHOOSE, "seats": [2]}]}),
        ("There are 2 challenges", {"agenda": [*REST, {**AGAIN, "left": 3}]}),
        ("to another seat", {"agenda": [*REST, SHOWN, answer(0, 0, 5)]}),
        ("higher than the one before", {"agenda": [*REST, answer(1, 0, 5)]}),
        ("higher than the one before", {"agenda": [*REST, SHOWN, answer(1, 0, 7)]}),
        ("no choice", {"agenda": [*REST, {**SHOWN, "seats": [0]}]}),
        ("chosen by several", {"agenda": [*REST, {**AGAIN, "seats": [0, 1]}]}),
        ("once they were shown", {"agenda": [*REST, AGAIN], "sealed": [1, None]}),
        ("Seat 0 holds cards", {**CHOOSING, "sealed": [4, None]}),
        ("Seat 1 holds cards", {**CHOOSING, "hands": [[1, 3], []]}),
        ("Seat 0 has `sealed`", LEFT),
        ("points", {**CHOOSING, "points": [-1, 2]}),
    ],
)
def test_no_game_can_come_to_these(words, changes):
    """TOY-2.1, TOY-2.2, TOY-2.3, TOY-3.1, TOY-3.2, TOY-4.1"""
    with pytest.raises(BadPosition, match=words):
        read(changes)
