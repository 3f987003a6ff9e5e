"""The check of all answers: what it accepts, and what it rejects."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.api.contract import judge, judge_schema

STEP = {"type": "Turn", "seats": [0], "left": 2}
PROBLEM: dict[str, Any] = {
    "type": "/problems/not_found",
    "title": "Not found",
    "status": 404,
    "detail": "There is no such match.",
    "code": "not_found",
    "instance": "1",
}


def test_what_the_contract_describes_passes():
    judge("Problem", PROBLEM)
    judge("TigrisEuphratesPosition", {"game": "tigris_euphrates", "agenda": [STEP]})
    judge_schema({"type": "array", "items": {"$ref": "#/components/schemas/Problem"}}, [PROBLEM])


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ("status", {"status": "404"}),
        ("more", {"more": 1}),
        ("code", {"code": "no_such_code"}),
        ("errors/0", {"errors": [{"detail": "Wrong.", "more": 1}]}),
    ],
)
def test_another_member_or_value_is_a_fault(words: str, changes: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match=words):
        judge("Problem", {**PROBLEM, **changes})


def test_a_missing_member_is_a_fault():
    with pytest.raises(AssertionError, match="title"):
        judge("Problem", {name: value for name, value in PROBLEM.items() if name != "title"})


@pytest.mark.parametrize(
    ("words", "step"),
    [
        ('agenda/0/left: "two"', {**STEP, "left": "two"}),
        ("agenda/0: .*'more'", {**STEP, "more": 1}),
        ('agenda/0: "left"', {"type": "Turn", "seats": [0]}),
        ('agenda/0: "type"', {"seats": [0]}),
        ('agenda/0/type: "Castle"', {"type": "Castle", "seats": [0]}),
        ("agenda/0: 1", 1),
    ],
)
def test_of_several_kinds_the_named_one_reports_the_fault(words: str, step: Any) -> None:
    with pytest.raises(AssertionError, match=words):
        judge("TigrisEuphratesPosition", {"game": "tigris_euphrates", "agenda": [step]})
