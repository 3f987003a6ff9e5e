"""Faults of invalid input: the path, and the valid values."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from domain.engine.faults import Fault, find_faults
from tests.support.for_each import for_each


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    """Something inside."""

    color: Literal["red", "blue"]


class Red(msgspec.Struct, tag=True, forbid_unknown_fields=True):
    """One kind."""

    count: Annotated[int, msgspec.Meta(ge=0)]


class Blue(msgspec.Struct, tag=True):
    """Another kind."""


class Whole(msgspec.Struct, forbid_unknown_fields=True):
    """Everything that can be wrong."""

    inner: Inner | None = None
    pair: tuple[int, int] = (0, 0)
    kinds: tuple[Red | Blue, ...] = ()
    word: Literal["off"] | list[Literal["a", "b"]] = "off"
    who: Annotated[str, msgspec.Meta(pattern="^x$", description="`x`, and nothing else.")] = "x"
    plain: Annotated[str, msgspec.Meta(pattern="^x$")] = "x"


def faults_of(data: Any) -> list[Fault]:
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(data, Whole)
    return find_faults(Whole, data, error.value)


@for_each(
    ("data", "path", "detail"),
    [
        ({"inner": {}}, ("inner", "color"), "This is missing."),
        ({"inner": {"color": "pink"}}, ("inner", "color"), "Expected one of `blue`, `red`."),
        ({"inner": 3}, ("inner",), 'It is not of type "object".'),
        (
            {"inner": {"color": "red", "x": 1}},
            ("inner", "x"),
            "There is no such member; known are `color`.",
        ),
        ({"pair": [1]}, ("pair",), "It has less than 2 items."),
        ({"pair": [1, "2"]}, ("pair", 1), 'It is not of type "integer".'),
        ({"pair": [1, 2, 3]}, ("pair",), "It has more than 2 items."),
        ({"kinds": [{"type": "Pink"}]}, ("kinds", 0, "type"), "Expected one of `Red`, `Blue`."),
        ({"kinds": [{}]}, ("kinds", 0, "type"), "Expected one of `Red`, `Blue`."),
        ({"kinds": [{"type": "Red"}]}, ("kinds", 0, "count"), "This is missing."),
        (
            {"kinds": [{"type": "Red", "count": -1}]},
            ("kinds", 0, "count"),
            "It is less than the minimum of 0.",
        ),
        ({"word": ["a", "c"]}, ("word", 1), "Expected one of `a`, `b`."),
        ({"word": 3}, ("word",), 'Expected `off`. Or: It is not of type "array".'),
        ({"who": "y"}, ("who",), "Expected `x`, and nothing else."),
        ({"plain": "y"}, ("plain",), 'It does not match "^x$".'),
    ],
)
def test_a_fault_has_its_place_and_says_what_would_be_right(data, path, detail):
    assert faults_of(data) == [Fault(detail, path)]


def test_several_faults_are_listed_at_once():
    assert {fault.path for fault in faults_of({"pair": [1], "who": "y", "more": 1})} == {
        ("pair",),
        ("who",),
        ("more",),
    }


def test_half_of_a_character_is_named_as_such():
    error = UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
    assert find_faults(Whole, {"who": "\ud800"}, error) == [Fault(f"{error}.")]


def test_what_only_msgspec_refuses_has_its_place_too():
    error = msgspec.ValidationError("Too odd - at `$.pair[1]`")
    assert find_faults(Whole, {}, error) == [Fault("Too odd.", ("pair", 1))]
    error = msgspec.ValidationError("Too odd - at `key` in `$.pair`")
    assert find_faults(Whole, {}, error) == [Fault("Too odd.", ("pair",))]


def test_a_fault_reads_as_a_sentence_behind_its_place():
    assert str(Fault("This is missing.", ("pair", 1))) == "`pair/1`: This is missing."
    assert str(Fault("This is odd.")) == "This is odd."
