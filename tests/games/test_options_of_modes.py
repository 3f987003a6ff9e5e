"""Options that apply only in some modes: a game lists these modes, and others refuse the option."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

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

MOVES = 250
"""Moves after which every option has made a difference."""
CASES = [
    pytest.param(game, mode, name, id=f"{game.key}-{mode}-{name}")
    for game in ALL
    for mode in game.seats_by_mode
    for name in game.options.__struct_fields__
    if name != "mode"
]


def course(game: AnyGame, options: msgspec.Struct, seats: int) -> Iterator[bytes]:
    """The events and views of a random match, always with the same choices."""
    luck, setup = Luck("options of modes"), game.setup(options, seats)
    state = game.blank_state(setup, seats)
    events = begin(game, setup, seats, luck)
    fold(state, events)
    while True:
        seen = [game.view(state, viewer) for viewer in (None, *range(seats))]
        yield json_codec.encode([events, seen])
        if not seats_to_move(state):
            return
        events = advance(game, state, any_move(game, state, luck), luck)


@pytest.mark.parametrize(("game", "mode", "name"), CASES)
def test_an_option_counts_in_the_modes_in_which_it_makes_a_difference(
    game: AnyGame, mode: str, name: str
) -> None:
    usual, other = game.options(mode=mode), game.options(mode=mode, **{name: another(game, name)})
    differ = any(
        one != two
        for seats in sorted({game.seats_by_mode[mode][0], game.seats_by_mode[mode][-1]})
        for one, two in islice(
            zip(course(game, usual, seats), course(game, other, seats), strict=False), MOVES
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
