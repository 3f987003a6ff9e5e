"""Whatever is sent, a game answers: by doing it, or by refusing it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Dice, Luck, choose
from domain.engine.errors import BadMove, BadOptions
from domain.engine.game import Json, decide, legal_moves
from tests.games.altered import changed, dropped, ways
from tests.games.modes import tables
from tests.games.record import Moment, record, some_options
from tests.games.seen import AnyGame, refused

TABLES = [
    pytest.param(
        table.game,
        table.seats,
        id=table.id,
        marks=[
            pytest.mark.xdist_group(table.id),
            *(() if table.fewest else [pytest.mark.slow]),
        ],
    )
    for table in tables()
]
ODD = (-1, 0, 1, 2, 7, 99, "", "a", "0", None, True, [], {})
"""What stands in the place of what belongs there."""
MOMENTS, TRIES = 6, 30


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_move_put_together_from_others_is_of_a_kind_that_is_listed_or_refused(game, seats):
    dice = Luck(1)
    moments = record(game, seats, 0).some(MOMENTS)
    made = moves_by_kind(game, moments)
    for moment in moments:
        listed = {type(move) for move in legal_moves(game, moment.state, moment.move.seat)}
        for _ in range(TRIES):
            move = read(game, moment, mixed(made, dice))
            if move is not None and refused(game, moment.state, move) is None:
                assert type(move) in listed  # of moves that come to the same, one is listed
                assert decide(game, moment.state, move, Luck(0))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_move_with_something_odd_in_it_is_made_or_refused(game, seats):
    dice = Luck(2)
    for moment in record(game, seats, 0).some(MOMENTS):
        legal = legal_moves(game, moment.state, moment.move.seat)
        for _ in range(TRIES):
            data = json_codec.to_json(choose(dice, legal))
            move = read(game, moment, odd(data, dice))
            if move is not None and refused(game, moment.state, move) is None:
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
        assert game.blank(setup, seats).agenda == []


def moves_by_kind(game: AnyGame, moments: list[Moment]) -> dict[str, list[Json]]:
    """What could be chosen at these moments, by the kind of move."""
    made: dict[str, list[Json]] = {}
    for moment in moments:
        for move in legal_moves(game, moment.state, moment.move.seat):
            data = json_codec.to_json(move)
            made.setdefault(data["type"], []).append(data)
    return made


def mixed(made: dict[str, list[Json]], dice: Dice) -> Json:
    """A move, each part of which is from some move of its kind."""
    same = choose(dice, list(made.values()))
    return {name: choose(dice, same)[name] for name in same[0]}


def odd(data: Any, dice: Dice) -> Any:
    """The same with something else in one place, or with something left out."""
    way, value = choose(dice, list(ways(data))), choose(dice, (*ODD, ...))
    return dropped(data, way) if value is ... else changed(data, way, value)


def read(game: AnyGame, moment: Moment, data: Json) -> Any:
    """The move of whoever decides, None if it cannot be read."""
    try:
        return json_codec.read_move(game, moment.move.seat, data)
    except BadMove:
        return None


def plain(record: Any) -> Any:
    """As JSON has it."""
    return msgspec.json.decode(json_codec.encode(record))
