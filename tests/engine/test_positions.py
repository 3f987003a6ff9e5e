"""The reader of positions: what follows from types, and what must hold for those from outside."""

from __future__ import annotations

import re
from typing import Any

import pytest

from domain.engine.codecs import json_codec
from domain.engine.constraints import MidTurn, Table, find_constraint_faults
from domain.engine.contract.schemas import game_schemas
from domain.engine.dice import Luck
from domain.engine.errors import BadPosition
from domain.engine.game import new_state
from domain.engine.positions.differences import find_lost
from domain.engine.starting.starts import read_start
from tests.engine.nim import GAME as NIM
from tests.engine.table import position
from tests.engine.toy import GAME as TOY
from tests.support.for_each import for_each

TURN = {"type": "Turn", "seats": [1]}


def read_nim(**members: Any) -> Any:
    """A heap of stones from which a match starts."""
    setup = NIM.setup(NIM.options(), 2)
    return read_start(NIM, setup, {"heap": 3, "last": 0, "agenda": [TURN], **members}, 2)


def test_a_position_has_all_fields_of_the_state_without_any_code() -> None:
    state = read_nim()
    assert (state.heap, state.last, state.agenda[-1].seats) == (3, 0, (1,))
    written = json_codec.json_round_trip(NIM.write_position(state))
    assert written == {"game": "nim", "heap": 3, "last": 0, "agenda": [TURN]}
    assert "setup" not in TOY.position_type.__struct_fields__


def test_the_record_of_a_state_is_described_by_the_state() -> None:
    members = game_schemas(NIM)["Position"]["properties"]
    assert members["heap"]["description"] == "stones left; by default 7"


@for_each(
    ("members", "fault"),
    [
        ({"heap": 8}, "`heap`: It is greater than the maximum of 7."),
        ({"last": 2}, "`last`: There is no seat 2 on this table. Known are `0`, `1`."),
        (
            {"agenda": [{**TURN, "seats": [2]}]},
            "`agenda/0/seats/0`: There is no seat 2 on this table. Known are `0`, `1`.",
        ),
        (
            {"agenda": [TURN, TURN]},
            "A position begins where a turn begins: `agenda` is Turn."
            " To go on from the middle of a turn, fork a match.",
        ),
        (
            {"agenda": [{**TURN, "seats": [1, 1]}]},
            "`agenda/0/seats`: It names something twice.",
        ),
        (
            {"agenda": [{**TURN, "seats": []}]},
            "A position begins where a turn begins: `agenda` is Turn.",
        ),
        ({"heap": 10**6}, "`heap`: It is greater than the maximum of 7."),
        ({"castle": 1}, "`castle`: There is no such member; known are"),
    ],
)
def test_a_position_from_outside_is_held_to_its_types(members: Any, fault: str) -> None:
    with pytest.raises(BadPosition, match=re.escape(fault)):
        read_nim(**members)


def test_all_faults_of_the_constraints_are_listed() -> None:
    with pytest.raises(BadPosition) as refused:
        position(2, strict=True, bag=[0], points=[0])
    assert [fault.path for fault in refused.value.faults] == [("bag",), ("points",)]


def test_a_recorded_position_is_not_held_to_the_constraints() -> None:
    """A later version may add some."""
    assert position(2, points=[0, 0, 0]).points == [0, 0, 0]
    with pytest.raises(BadPosition, match="Expected 2 items, one for each seat"):
        position(2, strict=True, points=[0, 0, 0])


def test_a_game_without_a_check_starts_with_the_steps_of_its_first_turn() -> None:
    first = new_state(NIM, NIM.setup(NIM.options(), 2), 2, Luck(1))
    assert read_nim(**NIM.write_position(first)).agenda == first.agenda
    with pytest.raises(BadPosition, match="fork a match"):
        read_nim(agenda=[])


@for_each(
    ("given", "written", "faults"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, []),
        ({"a": None, "b": {}, "c": ()}, {"a": 1, "b": {"x": 1}, "c": (1,)}, []),
        ({"a": 1}, {"a": 2}, ["`a`: By the rest of the position, this is `2`."]),
        ({"a": 1, "b": 0}, {}, ["`a`: By the rest of the position, nothing is here."]),
        ((1, 2), (2, 1), []),
        ((1, 1), (1,), ["By the rest of the position, this is `[1]`."]),
        (({"a": 1}, 2), ({"a": 3}, 2), ["`0/a`: By the rest of the position, this is `3`."]),
    ],
)
def test_what_a_table_does_not_show_is_a_fault(given: Any, written: Any, faults: list[str]) -> None:
    """The order of a list may change, and what is left out follows from the rest."""
    assert [str(fault) for fault in find_lost(given, written)] == faults


@for_each("value", [None, 0, False, (), {}, (None, None), (0, 0), {"a": 0}])
def test_what_only_the_middle_of_a_turn_has_is_left_out(value: Any) -> None:
    table = Table(None, 2)
    assert not find_constraint_faults(MidTurn[Any], value, table)
    [fault] = find_constraint_faults(MidTurn[Any], (value, 1), table)
    assert "leave this out" in fault.detail
