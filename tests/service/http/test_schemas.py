"""Request bodies are parsed strictly as JSON; nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from marshmallow import Schema, ValidationError, fields, validate

from service.http.schemas import webhooks
from service.http.schemas.accounts import NewPlayer
from service.http.schemas.commands import NewMatch, SeatChoice, UndoAnswer
from service.http.schemas.common import EventsQuery, Strict, ViewQuery


def schemas(kind: type[Schema] = Strict) -> Iterator[type[Schema]]:
    """All schemas of request bodies."""
    assert webhooks.WEBHOOK_BODIES  # they are among them
    for one in kind.__subclasses__():
        yield one
        yield from schemas(one)


def patterns(field: fields.Field[Any]) -> Iterator[str]:
    """The patterns of a field and of its nested fields."""
    inner = (getattr(field, name, None) for name in ("key_field", "value_field", "inner"))
    for one in (field, *filter(None, inner)):
        yield from (
            rule.regex.pattern for rule in one.validators if isinstance(rule, validate.Regexp)
        )


def test_a_pattern_is_about_the_whole_text() -> None:
    """`$` would accept a trailing newline, which would end up in names, headers and logs."""
    found = {
        pattern
        for kind in schemas()
        for field in kind._declared_fields.values()
        for pattern in patterns(field)
    }
    assert {webhooks.HEADER, webhooks.HEADER_VALUE} < found
    assert all(pattern.endswith(r"\Z") for pattern in found)
    with pytest.raises(ValidationError):
        NewPlayer().load({"name": "Ada\n"})


@pytest.mark.parametrize(("sent", "read"), [(3, 3), (3.0, 3), (0, 0), (63, 63), (None, None)])
def test_a_seat_is_a_whole_number_however_json_writes_it(sent: Any, read: int | None) -> None:
    assert SeatChoice().load({"seat": sent}) == {"seat": read}


@pytest.mark.parametrize("sent", [3.5, "3", True, -1, 64, [], 1e300])
def test_another_seat_is_refused(sent: Any) -> None:
    with pytest.raises(ValidationError) as refused:
        SeatChoice().load({"seat": sent})
    assert set(refused.value.messages_dict) == {"seat"}


@pytest.mark.parametrize("sent", [1, 0, "true", "yes", None, []])
def test_only_true_and_false_answer_a_question(sent: Any) -> None:
    assert UndoAnswer().load({"agree": False}) == {"agree": False}
    with pytest.raises(ValidationError):
        UndoAnswer().load({"agree": sent})


@pytest.mark.parametrize(("sent", "read"), [("spectator", None), ("0", 0), ("63", 63)])
def test_a_viewer_is_a_seat_or_a_spectator(sent: str, read: int | None) -> None:
    assert ViewQuery().load({"as": sent}) == {"viewer": read}


@pytest.mark.parametrize("sent", ["64", "-1", "1.0", "", "Spectator", "٣", 0])
def test_a_viewer_must_be_a_valid_seat(sent: Any) -> None:
    with pytest.raises(ValidationError):
        ViewQuery().load({"as": sent})


@pytest.mark.parametrize("sent", ["7.0", "+7", " 7", "", "seven", "9" * 30, 7])
def test_numbers_in_a_query_are_digits(sent: Any) -> None:
    assert EventsQuery().load({"after": "7"})["after"] == 7
    with pytest.raises(ValidationError):
        EventsQuery().load({"after": sent})


def test_letters_that_look_alike_are_one_name() -> None:
    assert NewPlayer().load({"name": "Ａｄａ"}) == {"name": "Ada"}  # noqa: RUF001  full width


@pytest.mark.parametrize(
    ("clock", "message"),
    [
        ({}, "Expected exactly one of `per_move_s` and `bank_s`."),
        ({"per_move_s": 1, "bank_s": 1}, "Expected exactly one of `per_move_s` and `bank_s`."),
        ({"increment_s": 1}, "Expected exactly one of `per_move_s` and `bank_s`."),
        ({"per_move_s": 1, "increment_s": 0}, "`increment_s` needs `bank_s`."),
    ],
)
def test_a_clock_is_of_one_kind(clock: dict[str, int], message: str) -> None:
    with pytest.raises(ValidationError) as refused:
        NewMatch().load({"game": "qin", "seats": [{"me": True}, {"open": True}], "clock": clock})
    assert refused.value.messages_dict == {"clock": {"_schema": [message]}}


@pytest.mark.parametrize("seat", [{}, {"me": True, "open": True}, {"me": False}, {"you": True}])
def test_a_seat_is_one_thing_only(seat: dict[str, bool]) -> None:
    with pytest.raises(ValidationError) as refused:
        NewMatch().load({"game": "qin", "seats": [{"me": True}, seat]})
    assert set(refused.value.messages_dict["seats"]) == {1}


def test_an_unknown_member_is_refused_with_the_valid_ones() -> None:
    with pytest.raises(
        ValidationError, match=r"There is no such member; known are `name`, `guest`\."
    ):
        NewPlayer().load({"name": "Ada", "title": "Lady"})
    with pytest.raises(ValidationError, match=r"There is no such member; none are allowed\."):
        Strict().load({"title": "Lady"})
