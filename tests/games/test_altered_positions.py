"""A real position with something changed in it is refused with a sentence, or is one to play on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from importlib import import_module
from itertools import chain, islice
from typing import Any

import msgspec
import pytest

from domain.engine.bots import sight_of
from domain.engine.codecs import json_codec
from domain.engine.dice import Dice, Luck, choose
from domain.engine.errors import BadPosition
from domain.engine.game import advance, any_move, awaited, decide, fold, legal_moves
from tests.games.altered import (
    Way,
    altered,
    counted_otherwise,
    made_huge,
    mixed,
    named_again,
    named_twice,
)
from tests.games.modes import tables
from tests.games.record import LIMIT, Record, record
from tests.games.seen import AnyGame

TABLES = [
    pytest.param(table.game, table.seats, id=table.id, marks=pytest.mark.xdist_group(table.id))
    for table in tables()
]
POSITIONS = 6
"""How many of each game are changed in every place."""
SHORT, LONG = 20, 1000
MIXED, FEW = 40, 5
"""How many positions that were mixed are played on, and for how many moves."""
TRIES = 500
MANY_TRIES = 20_000
GAMES_OF_CHANCE = 3
"""How many games of chance the positions are from."""
LOOKED_AT = 12
"""How many moments of a game are drawn for everybody, besides the first and the last."""
BY_CHANCE = 150
"""After so many moves the weakest bot goes on alone: chance may never end a game."""


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_list_names_nothing_twice(game, seats):
    """But for those in which the same may be several times."""
    open_ways = left_open(game).AGAIN
    for setup, position in looked_at(game, seats):
        others = chain(named_twice(position), named_again(position))
        assert accepted_ones(game, setup, seats, others, open_ways) == []


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_number_that_follows_from_others_is_no_other_number(game, seats):
    """But for those that nothing else on the table tells."""
    open_ways = left_open(game).NUMBERS
    for setup, position in looked_at(game, seats):
        others = counted_otherwise(position)
        assert accepted_ones(game, setup, seats, others, open_ways) == []


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_no_number_is_huge(game, seats):
    """What takes as many steps as a number says would keep the service busy for ever."""
    for setup, position in looked_at(game, seats):
        assert accepted_ones(game, setup, seats, made_huge(position), ()) == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_position_that_was_altered_is_refused_or_played_to_its_end(game, seats):
    for seed in range(SHORT):
        try_one(game, seats, seed)


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_so_it_is_with_many_positions(game, seats):
    for seed in range(SHORT, LONG):
        try_one(game, seats, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_what_comes_of_a_mixed_position_is_read_again(game, seats):
    """Two positions that were mixed are refused at once, or can be written at any time."""
    played_on = (seed for seed in range(TRIES) if try_mixed(game, seats, seed))
    assert len(list(islice(played_on, MIXED))) == MIXED


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_so_it_is_with_many_mixed_positions(game, seats):
    for seed in range(MANY_TRIES):
        try_mixed(game, seats, seed)


def left_open(game: AnyGame) -> Any:
    """What a game leaves open, as ways with stars."""
    return import_module(f"tests.games.{game.key}.left_open")


def looked_at(game: AnyGame, seats: int) -> Iterable[tuple[Any, Any]]:
    """Some positions of some games, with the setup of each."""
    for seed in range(GAMES_OF_CHANCE):
        played, dice = record(game, seats, seed), Luck(f"changed {seed}")
        yield from ((played.setup, written(played, dice)) for _ in range(POSITIONS))


def accepted_ones(
    game: AnyGame,
    setup: Any,
    seats: int,
    others: Iterable[tuple[Way, Any]],
    open_ways: Iterable[str],
) -> list[str]:
    """The ways in which a position was changed and not refused, but for those that are open."""
    found = set()
    for way, position in others:
        told = "/".join(map(str, way))
        if not any(fnmatchcase(told, pattern) for pattern in open_ways):
            found |= {told} if accepted(game, setup, position, seats) is not None else set()
    return sorted(found)


def try_one(game: AnyGame, seats: int, seed: int) -> bool:
    """Alter a position by this seed, and play on if it is accepted; whether it was."""
    dice = Luck(f"altered {game.key} {seats} {seed}")
    played = record(game, seats, dice.below(GAMES_OF_CHANCE))
    position = altered(written(played, dice), dice)
    return go_on_from(position, play_on, played, seed, dice)


def try_mixed(game: AnyGame, seats: int, seed: int) -> bool:
    """Mix two positions by this seed, and make some moves if it is accepted; whether it was."""
    dice = Luck(f"mixed {game.key} {seats} {seed}")
    played = record(game, seats, dice.below(GAMES_OF_CHANCE))
    position = mixed(written(played, dice), written(played, dice), dice)
    return go_on_from(position, play_a_little, played, seed, dice)


def go_on_from(
    position: Any, play: Callable[..., None], played: Record, seed: int, dice: Dice
) -> bool:
    """Play on from a position if it is accepted; whether it was."""
    game, setup, seats = played.game, played.setup, played.seats
    if (state := accepted(game, setup, position, seats)) is None:
        return False
    try:
        play(game, setup, state, seats, dice)
    except Exception as fault:
        fault.add_note(f"{game.key} {seats} {seed}: {json_codec.encode(position).decode()}")
        raise
    return True


def accepted(game: AnyGame, setup: Any, position: Any, seats: int) -> Any:
    """The table of a position, None if it is refused."""
    try:
        return game.read_position(setup, position, seats)
    except BadPosition:
        return None


def written(played: Record, dice: Dice) -> Any:
    """The position of some moment of a game, or of its end, as JSON has it."""
    states = [played.end] if dice.below(10) == 0 else [m.state for m in played.moments]
    return msgspec.json.decode(json_codec.encode(played.game.write_position(choose(dice, states))))


def play_on(game: AnyGame, setup: Any, state: Any, seats: int, dice: Dice) -> None:
    """Everybody can see it all the time, whoever has to decide can, and it ends with winners."""
    looks = 1 + dice.below(8)
    draw(game, state, seats)
    for made in range(LIMIT):
        if not (waiting := awaited(state)):
            break
        assert game.read_position(setup, game.write_position(state), seats).agenda == state.agenda
        go_on(game, state, waiting, dice, made)
        if made % looks == 0 and made < looks * LOOKED_AT:
            draw(game, state, seats)
    draw(game, state, seats)
    assert not awaited(state)
    score = game.scoring(state)
    assert score.winners or score.won is False


def play_a_little(game: AnyGame, setup: Any, state: Any, seats: int, dice: Dice) -> None:
    """After each of some moves by chance it is a position like others."""
    for _ in range(FEW):
        if not (waiting := awaited(state)):
            break
        advance(game, state, choose(dice, menu(game, state, choose(dice, waiting))), dice)
        again = game.read_position(setup, game.write_position(state), seats)
        assert again.agenda == state.agenda


def go_on(game: AnyGame, state: Any, waiting: tuple[int, ...], dice: Dice, made: int) -> None:
    """Make a move in place, by chance or by a bot of some level."""
    seat = choose(dice, waiting)
    legal = menu(game, state, seat)
    assert legal
    move = choose(dice, legal)
    if made > BY_CHANCE or dice.below(4) == 0:
        level = game.levels[dice.below(2) if made <= BY_CHANCE else 0]
        move = level.bot(sight_of(game, state, seat, dice))
    if made < 3:
        fold(state, decide(game, state, move, dice))
    else:
        advance(game, state, move, dice)


def menu(game: AnyGame, state: Any, seat: int) -> list[Any]:
    """What is legal, however that is found; what is drawn is one of it."""
    legal = legal_moves(game, state, seat)
    assert legal == list(game.answers.legal(state, seat))
    assert any_move(game, state, seat, Luck(len(legal))) in legal
    return legal


def draw(game: AnyGame, state: Any, seats: int) -> None:
    """A picture and a text for everybody."""
    for seat in (None, *range(seats)):
        view = game.view(state, seat)
        assert game.svg(view)
        assert game.text(view)
        assert json_codec.encode(view)
    assert game.scoring(state).lines
