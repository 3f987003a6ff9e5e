"""Options and positions that are read in the same way for every game."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import pytest

from domain.engine.errors import BadOptions, BadPosition
from domain.engine.options import (
    FirstPlayer,
    check_modes,
    first_seat,
    has_effect,
    mode_specific_options,
    only_in_modes,
)
from domain.engine.positions.reader import convert
from tests.support.for_each import for_each


class Options(msgspec.Struct, forbid_unknown_fields=True):
    mode: Literal["alone", "together", "against"] = "against"
    open_hands: bool = False
    rival: Annotated[Literal["mild", "hard"], only_in_modes("alone")] = "mild"
    rounds: Annotated[Annotated[int, msgspec.Meta(ge=1)], only_in_modes("alone", "together")] = 3


class Place(msgspec.Struct, forbid_unknown_fields=True):
    seat: int


def test_an_option_lists_the_only_modes_in_which_it_counts() -> None:
    assert mode_specific_options(Options) == {"rival": ("alone",), "rounds": ("alone", "together")}
    assert [has_effect(Options, "rounds", mode) for mode in ("alone", "together", "against")] == [
        True,
        True,
        False,
    ]
    assert has_effect(Options, "open_hands", "against")


def test_an_option_of_another_mode_is_refused_with_its_modes() -> None:
    with pytest.raises(BadOptions) as refused:
        check_modes(Options(rival="hard", rounds=5))
    assert refused.value.faults == [
        ("It counts only with `mode` `alone`: leave it out otherwise.", ("rival",)),
        (
            "It counts only with `mode` `alone` or `together`: leave it out otherwise.",
            ("rounds",),
        ),
    ]
    with pytest.raises(BadOptions, match="`rival`: It counts only with `mode` `alone`"):
        check_modes(Options("together", rival="hard", rounds=5))


@for_each(
    "options", [Options(open_hands=True), Options("alone", rival="hard", rounds=5), Options()]
)
def test_what_is_as_usual_or_counts_in_the_mode_is_not(options: Options) -> None:
    check_modes(options)


@for_each(("chosen", "seat"), [("random", None), ("seat:0", 0), ("seat:2", 2)])
def test_the_first_player_is_a_seat_or_left_to_chance(chosen: str, seat: int | None) -> None:
    assert first_seat(msgspec.convert(chosen, FirstPlayer), 3) == seat


def test_a_first_player_beyond_the_table_is_refused() -> None:
    with pytest.raises(BadOptions, match="the seats are 0 to 2") as refused:
        first_seat("seat:3", 3)
    assert [fault.path for fault in refused.value.faults] == [("first_player",)]


@for_each("chosen", ["seat:", "seat:10", "me", "", "seat:0\n"])
def test_a_first_player_is_written_in_one_way(chosen: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(chosen, FirstPlayer)


def test_a_position_is_read_as_its_record() -> None:
    assert convert(Place, {"seat": 1}) == Place(1)


@for_each("data", [{}, {"seat": "one"}, {"seat": 1, "place": 2}])
def test_what_is_no_position_is_refused(data: dict) -> None:
    with pytest.raises(BadPosition):
        convert(Place, data)
