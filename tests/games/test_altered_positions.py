"""A real position with changes is refused with a sentence, or can be played on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from importlib import import_module
from itertools import chain, cycle, islice
from typing import Any

import msgspec
import pytest

from domain.engine.bots import bot_view
from domain.engine.codecs import json_codec
from domain.engine.dice import Dice, Luck, choose
from domain.engine.errors import BadPosition
from domain.engine.game import advance, decide, fold, legal_moves, random_move, seats_to_move
from domain.engine.play import Seat
from domain.engine.starting.starts import read_start
from tests.games.altered import (
    Way,
    alter,
    mix,
    with_duplicates,
    with_huge_numbers,
    with_numbers_changed_by_one,
    with_repeats,
)
from tests.games.modes import tables
from tests.games.record import MAX_MOVES, Record, record
from tests.games.seen import AnyGame

TABLES = [
    pytest.param(table.game, table.seats, id=table.id, marks=pytest.mark.xdist_group(table.id))
    for table in tables()
]
FEWEST = [
    pytest.param(
        table.game,
        table.seats,
        id=table.id,
        marks=[pytest.mark.xdist_group(table.id), *([] if table.fewest else [pytest.mark.long])],
    )
    for table in tables()
]
"""More seats have the same members; `make test-long` looks at them, too."""
POSITIONS = [1, pytest.param(24, marks=pytest.mark.long)]
"""Positions of each table that are changed in every place."""
SHORT, LONG = 1, 1000
MIXED, FEW = 2, 5
"""Mixed positions to play on from, and moves to play from each."""
TRIES = 500
MANY_TRIES = 20_000
GAMES_OF_CHANCE = 2
"""How many games of chance the positions are from."""
MOMENTS_PER_GAME = 4
"""Moments of a game to draw for one viewer after the other, besides the first, which all viewers
see, and the last.
"""
MAX_RANDOM_MOVES = 150
"""After this many moves the weakest bot plays all further ones: random moves may never end a game.
"""


@pytest.mark.parametrize("count", POSITIONS)
@pytest.mark.parametrize(("game", "seats"), FEWEST)
def test_a_list_names_nothing_twice(game, seats, count):
    """Except lists that may contain equal items."""
    open_ways = read_open_ways(game).AGAIN
    for setup, position in sample_positions(game, seats, count):
        others = chain(with_duplicates(position), with_repeats(position))
        assert list_accepted(game, setup, seats, others, open_ways) == [], say_what_to_mend(game)


@pytest.mark.parametrize("count", POSITIONS)
@pytest.mark.parametrize(("game", "seats"), FEWEST)
def test_a_number_that_follows_from_others_is_no_other_number(game, seats, count):
    """Except numbers that follow from nothing else on the table."""
    open_ways = read_open_ways(game).NUMBERS
    for setup, position in sample_positions(game, seats, count):
        others = with_numbers_changed_by_one(position)
        assert list_accepted(game, setup, seats, others, open_ways) == [], say_what_to_mend(game)


@pytest.mark.parametrize("count", POSITIONS)
@pytest.mark.parametrize(("game", "seats"), FEWEST)
def test_no_number_is_huge(game, seats, count):
    """A loop over such a number would block the service for ever."""
    for setup, position in sample_positions(game, seats, count):
        assert list_accepted(game, setup, seats, with_huge_numbers(position), ()) == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), FEWEST)
def test_a_position_that_was_altered_is_refused_or_played_to_its_end(game, seats):
    for seed in range(SHORT):
        try_one(game, seats, seed)


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_so_it_is_with_many_positions(game, seats):
    for seed in range(SHORT, LONG):
        try_one(game, seats, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), FEWEST)
def test_positions_after_a_mixed_position_are_read_back(game, seats):
    """A mix of two positions is refused at once, or every later position reads back."""
    played_on = (seed for seed in range(TRIES) if try_mixed(game, seats, seed))
    assert len(list(islice(played_on, MIXED))) == MIXED


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_so_it_is_with_many_mixed_positions(game, seats):
    for seed in range(MANY_TRIES):
        try_mixed(game, seats, seed)


def read_open_ways(game: AnyGame) -> Any:
    """The paths that a game does not check, with stars."""
    return import_module(f"tests.games.{game.key}.left_open")


def say_what_to_mend(game: AnyGame) -> str:
    """What the author of a game can do if it accepts another value at a path."""
    return (
        f"Refuse this in domain/games/{game.key}/rules/start.py, or list the path in"
        f" tests/games/{game.key}/left_open.py."
    )


def sample_positions(game: AnyGame, seats: int, count: int) -> Iterable[tuple[Any, Any]]:
    """Some positions of some games, with the setup of each."""
    for number in range(count):
        played = record(game, seats, number % GAMES_OF_CHANCE)
        yield played.setup, write_some_position(played, Luck(f"changed {number}"))


def list_accepted(
    game: AnyGame,
    setup: Any,
    seats: int,
    others: Iterable[tuple[Way, Any]],
    open_ways: Iterable[str],
) -> list[str]:
    """The paths of changes that the game accepted, except those that it does not check, such as
    the history, which no match starts with.
    """
    found, history = set(), game.position_type.history
    for way, position in others:
        told = "/".join(map(str, way))
        if way[0] not in history and not any(fnmatchcase(told, pattern) for pattern in open_ways):
            found |= {told} if read_if_legal(game, setup, position, seats) is not None else set()
    return sorted(found)


def try_one(game: AnyGame, seats: int, seed: int) -> bool:
    """Alter a position by this seed, play on if the game accepts it, and return whether it did."""
    dice = Luck(f"altered {game.key} {seats} {seed}")
    played = record(game, seats, dice.below(GAMES_OF_CHANCE))
    position = alter(write_some_position(played, dice), dice)
    return go_on_from(position, play_on, played, seed, dice)


def try_mixed(game: AnyGame, seats: int, seed: int) -> bool:
    """Mix two positions by this seed, make some moves if the game accepts it, and return whether it
    did.
    """
    dice = Luck(f"mixed {game.key} {seats} {seed}")
    played = record(game, seats, dice.below(GAMES_OF_CHANCE))
    position = mix(write_some_position(played, dice), write_some_position(played, dice), dice)
    return go_on_from(position, play_a_little, played, seed, dice)


def go_on_from(
    position: Any, play: Callable[..., None], played: Record, seed: int, dice: Dice
) -> bool:
    """Play on from a position if the game accepts it, and return whether it did."""
    game, setup, seats = played.game, played.setup, played.seats
    if (state := read_if_legal(game, setup, position, seats)) is None:
        return False
    try:
        play(game, setup, state, seats, dice)
    except Exception as fault:
        fault.add_note(f"{game.key} {seats} {seed}: {json_codec.encode(position).decode()}")
        raise
    return True


def read_if_legal(game: AnyGame, setup: Any, position: Any, seats: int) -> Any:
    """The table of a position, None if the game refuses it."""
    try:
        return read_start(game, setup, position, seats)
    except BadPosition:
        return None


def write_some_position(played: Record, dice: Dice) -> Any:
    """The position of a random moment of a game at which a match may start, as JSON."""
    state = played.any_start(dice)
    return msgspec.json.decode(json_codec.encode(played.game.write_position(state)))


def play_on(game: AnyGame, setup: Any, state: Any, seats: int, dice: Dice) -> None:
    """Play to the end: every seat can always see the table, deciding seats can act, and players
    win.
    """
    looks = 1 + dice.below(8)
    viewers = [None, *range(seats)]
    turns = cycle(viewers)
    draw(game, state, viewers)
    for made in range(MAX_MOVES):
        if not (waiting := seats_to_move(state)):
            break
        again = game.read_position(setup, game.write_position(state), seats)
        assert again.agenda == state.agenda
        go_on(game, state, waiting, dice, made)
        if made % looks == 0 and made < looks * MOMENTS_PER_GAME:
            assert all(json_codec.encode(game.view(state, seat)) for seat in viewers)
            draw(game, state, [next(turns)])
    draw(game, state, viewers[:2])
    assert not seats_to_move(state)
    score = game.scoring(state)
    assert score.winners or score.won is False


def play_a_little(game: AnyGame, setup: Any, state: Any, seats: int, dice: Dice) -> None:
    """Make some random moves; each leads to a position that reads back."""
    for _ in range(FEW):
        if not (waiting := seats_to_move(state)):
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
    if made > MAX_RANDOM_MOVES or dice.below(4) == 0:
        level = game.levels[dice.below(2) if made <= MAX_RANDOM_MOVES else 0]
        move = level.bot(bot_view(game, state, seat, dice))
    if made < 3:
        fold(state, decide(game, state, move, dice))
    else:
        advance(game, state, move, dice)


def menu(game: AnyGame, state: Any, seat: int) -> list[Any]:
    """The legal moves, of which a random draw gives one."""
    legal = legal_moves(game, state, seat)
    assert random_move(game, state, seat, Luck(len(legal))) in legal
    return legal


def draw(game: AnyGame, state: Any, viewers: Iterable[Seat | None]) -> None:
    """Render the picture and the text for these viewers."""
    for seat in viewers:
        view = game.view(state, seat)
        assert game.render_svg(view, game.words())
        assert game.render_text(view, game.words())
        assert json_codec.encode(view)
    assert game.scoring(state).lines
