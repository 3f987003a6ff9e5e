"""Options that apply only in some modes: a game lists these modes, and others refuse the option."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count, islice

import msgspec
import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import BadOptions
from domain.engine.game import advance, begin, fold, seats_to_move
from domain.engine.options import has_effect, mode_specific_options
from tests.games.modes import ALL, another
from tests.games.record import any_move
from tests.games.seen import AnyGame

MOVES = 80
"""Moves after which every option has made a difference."""
MOVES_PER_LOOK = 8
CASES = [
    pytest.param(
        game,
        mode,
        name,
        id=f"{game.key}-{mode}-{name}",
        marks=pytest.mark.xdist_group(f"options of {game.key} {mode}"),  # they share a match
    )
    for game in ALL
    for mode in game.seats_by_mode
    for name in game.options.__struct_fields__
    if name != "mode"
]


def course(game: AnyGame, options: msgspec.Struct, seats: int) -> Iterator[bytes]:
    """The events of a random match, and the views of some moments; always with the same choices."""
    luck, setup = Luck("options of modes"), game.setup(options, seats)
    state = game.blank_state(setup, seats)
    events = begin(game, setup, seats, luck)
    fold(state, events)
    for number in count():
        viewers = () if number % MOVES_PER_LOOK else (None, *range(seats))
        seen = [game.view(state, viewer) for viewer in viewers]
        yield json_codec.encode([events, seen])
        if not seats_to_move(state):
            return
        events = advance(game, state, any_move(game, state, luck), luck)


@cache
def usual_course(game: AnyGame, mode: str, seats: int) -> list[bytes]:
    """The start of the match with default options."""
    return list(islice(course(game, game.options(mode=mode), seats), MOVES))


@pytest.mark.parametrize(("game", "mode", "name"), CASES)
def test_an_option_counts_in_the_modes_in_which_it_makes_a_difference(
    game: AnyGame, mode: str, name: str
) -> None:
    other = game.options(mode=mode, **{name: another(game, name)})
    differ = any(
        one != two
        for seats in sorted({game.seats_by_mode[mode][0], game.seats_by_mode[mode][-1]})
        for one, two in zip(
            usual_course(game, mode, seats), course(game, other, seats), strict=False
        )
    )
    assert differ == has_effect(game.options, name, mode)


@pytest.mark.parametrize(("game", "mode", "name"), CASES)
def test_an_option_that_means_nothing_in_a_mode_is_refused_unless_it_is_as_usual(
    game: AnyGame, mode: str, name: str
) -> None:
    usual = json_codec.to_json(game.options())[name]
    assert json_codec.read_options(game, {"mode": mode, name: usual})
    options = {"mode": mode, name: another(game, name)}
    if has_effect(game.options, name, mode):
        assert getattr(json_codec.read_options(game, options), name) == options[name]
        return
    with pytest.raises(BadOptions) as refused:
        json_codec.read_options(game, options)
    [fault] = refused.value.faults
    assert fault.path == (name,)
    assert all(f"`{one}`" in fault.detail for one in mode_specific_options(game.options)[name])


@pytest.mark.parametrize("game", ALL, ids=[game.key for game in ALL])
def test_options_name_existing_modes(game: AnyGame) -> None:
    for modes in mode_specific_options(game.options).values():
        assert set(modes) < game.seats_by_mode.keys()
