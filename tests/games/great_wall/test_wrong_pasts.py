"""Positions are refused that tell of deeds which nobody can have done."""

import pytest

from domain.engine.errors import BadPosition
from tests.games.great_wall.test_positions import read

MOVED = {"deed": "moved", "clan": 0, "location": "quarry"}


@pytest.mark.parametrize(
    ("deeds", "reason"),
    [
        ([MOVED] * 4, "at most 3 deeds"),
        ([{**MOVED, "clan": 3}], "clans that there are"),
        ([{**MOVED, "clan": -1}], "clans that there are"),
        ([{**MOVED, "card": "volley"}], "cards that there are"),
        ([{"deed": "played", "clan": 0, "card": "spy"}], "cards that there are"),
        ([{"deed": "played", "clan": 0}], "cards that there are"),
        ([{"deed": "raided", "card": "dragon"}], "cards that there are"),
        ([{"deed": "moved", "clan": 0}], "where a deed was done"),
        ([{**MOVED, "section": "left"}], "where a deed was done"),
        ([{"deed": "breached", "location": "quarry"}], "where a deed was done"),
    ],
)
def test_deeds_that_nobody_can_have_done_are_refused(deeds, reason):
    with pytest.raises(BadPosition, match=reason):
        read(last=deeds)


def test_deeds_are_read():
    hired = {"deed": "hired", "clan": 1}
    state = read(last=[MOVED, hired, {"deed": "hired", "clan": 1, "card": "spy"}])
    assert [deed.card for deed in state.last] == [None, None, "spy"]
