"""docs/match.md lists every event of a match with its members, as they are in the code."""

from __future__ import annotations

import re
from pathlib import Path

from domain.match.events import MATCH_EVENTS

GUIDE = Path(__file__).parents[2] / "docs/match.md"


def test_the_guide_has_every_event_with_its_members_and_what_it_says() -> None:
    rows = re.findall(r"^\| `([A-Z]\w+)` \| (.*?) \| (.*) \|$", GUIDE.read_text(), re.MULTILINE)
    listed = [(name, tuple(re.findall(r"`(\w+)`", members)), said) for name, members, said in rows]
    assert listed == [
        (event.__name__, event.__struct_fields__, " ".join((event.__doc__ or "").split()))
        for event in MATCH_EVENTS
    ]
