"""docs/match.md lists the reasons why a match is unrated, as in the code."""

from __future__ import annotations

import re
from inspect import getsource
from pathlib import Path
from typing import get_args

from domain.match.decisions import lobby
from domain.match.state import UnratedReason

GUIDE = Path(__file__).parents[2] / "docs/match.md"


def test_the_guide_has_every_reason_to_be_unrated_those_of_the_opening_first() -> None:
    table = GUIDE.read_text().partition("| `unrated` | because |")[2].partition("\n\n")[0]
    listed = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(listed) == sorted(get_args(UnratedReason))
    known = re.findall(r'"(\w+)"', getsource(lobby._reason_unrated).rpartition('"""')[2])
    of_the_opening = [reason for reason in dict.fromkeys(known) if reason in listed]
    assert listed[: len(of_the_opening)] == of_the_opening
    numbers = {7: "seven"}
    assert f"The first {numbers[len(of_the_opening)]} are known when the table" in GUIDE.read_text()
