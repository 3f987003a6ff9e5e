"""A game refuses unknown members at any depth, and lists the known ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from domain.engine.codecs import json_codec
from domain.engine.errors import BadMove, BadOptions, BadPosition
from domain.engine.game import Json, legal_moves
from tests.games.modes import with_fewest_seats
from tests.games.record import record
from tests.games.test_any_input import plain

EVERY = pytest.mark.parametrize("game", with_fewest_seats())
MOMENTS = 5
STRANGE = "nobody_knows"


def with_a_stranger(data: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Each place of an object in JSON data, and the data with a strange member there."""
    if isinstance(data, dict):
        yield (), {**data, STRANGE: 1}
        for name, inner in data.items():
            for path, changed in with_a_stranger(inner):
                yield (name, *path), {**data, name: changed}
    elif isinstance(data, list):
        for index, inner in enumerate(data):
            for path, changed in with_a_stranger(inner):
                yield (index, *path), [*data[:index], changed, *data[index + 1 :]]


@EVERY
def test_a_strange_member_of_a_move_is_named_with_its_place(game):
    kinds: dict[type, Json] = {}
    for moment in record(game, game.seats[0], 0).some(MOMENTS):
        for move in legal_moves(game, moment.state, moment.move.seat):
            kinds.setdefault(type(move), json_codec.to_json(move))
    for data in kinds.values():
        for path, changed in with_a_stranger(plain(data)):
            with pytest.raises(BadMove, match="There is no such member; known are") as refusal:
                json_codec.read_move(game, data["seat"], changed)
            assert refusal.value.faults[0].path == (*path, STRANGE)


@EVERY
def test_a_strange_member_of_a_position_is_refused(game):
    played = record(game, game.seats[0], 0)
    for moment in played.some(MOMENTS):
        for _, changed in with_a_stranger(plain(game.write_position(moment.state))):
            with pytest.raises(BadPosition):
                game.read_position(played.setup, changed, played.seats, strict=True)


@EVERY
def test_all_faults_of_options_are_listed_at_once(game):
    wrong = {name: {} for name in game.options.__struct_fields__}
    with pytest.raises(BadOptions) as refusal:
        json_codec.read_options(game, {**wrong, STRANGE: 1})
    assert {fault.path[0] for fault in refusal.value.faults} == {*wrong, STRANGE}
    [strange] = [fault for fault in refusal.value.faults if fault.path == (STRANGE,)]
    assert all(f"`{name}`" in strange.detail for name in wrong)


@EVERY
@pytest.mark.parametrize("data", [{}, {"type": STRANGE}, {"type": None}])
def test_a_move_without_a_type_is_refused_with_the_list_of_types(game, data):
    if not data and len(game.answers.moves) == 1:
        return  # there is no other kind that it could be
    with pytest.raises(BadMove) as refusal:
        json_codec.read_move(game, 0, data)
    faults = [fault for fault in refusal.value.faults if fault.path == ("type",)]
    told = " ".join(fault.detail for fault in faults)
    assert all(f"`{move.__name__}`" in told for move in game.answers.moves)
