"""Options and positions that are read in the same way for every game."""

from __future__ import annotations

import msgspec
import pytest

from domain.engine import codec
from domain.engine.errors import BadOptions, BadPosition
from domain.engine.options import FirstPlayer, first_seat


class Place(msgspec.Struct, forbid_unknown_fields=True):
    seat: int


@pytest.mark.parametrize(("chosen", "seat"), [("random", None), ("seat:0", 0), ("seat:2", 2)])
def test_the_first_player_is_a_seat_or_left_to_chance(chosen: str, seat: int | None) -> None:
    assert first_seat(msgspec.convert(chosen, FirstPlayer), 3) == seat


def test_a_first_player_beyond_the_table_is_refused() -> None:
    with pytest.raises(BadOptions, match="the seats are 0 to 2"):
        first_seat("seat:3", 3)


@pytest.mark.parametrize("chosen", ["seat:", "seat:10", "me", "", "seat:0\n"])
def test_a_first_player_is_written_in_one_way(chosen: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(chosen, FirstPlayer)


def test_a_position_is_read_as_its_record() -> None:
    assert codec.read_position(Place, {"seat": 1}) == Place(1)


@pytest.mark.parametrize("data", [{}, {"seat": "one"}, {"seat": 1, "place": 2}])
def test_what_is_no_position_is_refused(data: dict) -> None:
    with pytest.raises(BadPosition):
        codec.read_position(Place, data)
