"""A game answers any input: it carries it out, or refuses it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Dice, Luck, choose
from domain.engine.errors import BadMove, BadOptions
from domain.engine.game import Json, decide, legal_moves
from tests.games.altered import drop_at, replace_at, ways
from tests.games.modes import tables
from tests.games.record import Moment, record, some_options
from tests.games.seen import AnyGame, find_refusal

TABLES = [
    pytest.param(
        table.game,
        table.seats,
        id=table.id,
        marks=[
            pytest.mark.xdist_group(table.id),
            *(() if table.fewest else [pytest.mark.long]),
        ],
    )
    for table in tables()
]
ODD = (-1, 0, 1, 2, 7, 99, "", "a", "0", None, True, [], {})
"""Values that belong in no place of a move."""
MOMENTS, TRIES = 4, 10


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_move_put_together_from_others_is_of_a_kind_that_is_listed_or_refused(game, seats):
    dice = Luck(1)
    moments = record(game, seats, 0).some(MOMENTS)
    made = moves_by_kind(game, moments)
    for moment in moments:
        listed = {type(move) for move in legal_moves(game, moment.state, moment.move.seat)}
        for _ in range(TRIES):
            move = read(game, moment, mix_moves(made, dice))
            if move is not None and find_refusal(game, moment.state, move) is None:
                assert type(move) in listed  # the menu lists one of equal moves
                assert decide(game, moment.state, move, Luck(0))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_move_with_something_odd_in_it_is_made_or_refused(game, seats):
    dice = Luck(2)
    for moment in record(game, seats, 0).some(MOMENTS):
        legal = legal_moves(game, moment.state, moment.move.seat)
        for _ in range(TRIES):
            data = json_codec.to_json(choose(dice, legal))
            move = read(game, moment, odd(data, dice))
            if move is not None and find_refusal(game, moment.state, move) is None:
                assert decide(game, moment.state, move, Luck(0))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_options_with_something_odd_in_them_give_a_setup_or_are_refused(game, seats):
    dice = Luck(4)
    for _ in range(TRIES):
        data = odd(plain(some_options(game, dice)), dice)
        try:
            setup = game.setup(json_codec.read_options(game, data), seats)
        except BadOptions:
            continue
        assert game.blank_state(setup, seats).agenda == []


def moves_by_kind(game: AnyGame, moments: list[Moment]) -> dict[str, list[Json]]:
    """The legal moves at these moments, by the kind of move."""
    made: dict[str, list[Json]] = {}
    for moment in moments:
        for move in legal_moves(game, moment.state, moment.move.seat):
            data = json_codec.to_json(move)
            made.setdefault(data["type"], []).append(data)
    return made


def mix_moves(made: dict[str, list[Json]], dice: Dice) -> Json:
    """A move whose parts are from random moves of its kind."""
    same = choose(dice, list(made.values()))
    return {name: choose(dice, same)[name] for name in same[0]}


def odd(data: Any, dice: Dice) -> Any:
    """Return the data with an odd value in one place, or without one part."""
    if not (places := list(ways(data))):  # a game without options
        return {"odd": choose(dice, ODD)}
    way, value = choose(dice, places), choose(dice, (*ODD, ...))
    return drop_at(data, way) if value is ... else replace_at(data, way, value)


def read(game: AnyGame, moment: Moment, data: Json) -> Any:
    """The move of a deciding seat, None if it cannot be read."""
    try:
        return json_codec.read_move(game, moment.move.seat, data)
    except BadMove:
        return None


def plain(record: Any) -> Any:
    """As JSON has it."""
    return msgspec.json.decode(json_codec.encode(record))
