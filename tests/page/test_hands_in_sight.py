"""What a player can choose in their hand is in sight on telephones, with the prompt."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

from domain.games import GAMES
from tests.page.screens import PHONES
from tests.page.test_deeds import alone, at
from tests.page.visitors import Visitor, play_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

MOVES = (0, 2)
"""After these numbers of random moves, a player looks at their hand on each telephone."""
HIDDEN = """() => [...document.querySelectorAll("#own .can-touch")].map((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const middle = [(left + right) / 2, (top + bottom) / 2];
    const isInRow = middle[0] > 0 && middle[0] < innerWidth;
    const isHidden = isInRow && !one.contains(document.elementFromPoint(...middle));
    return isHidden ? one.dataset.at : null;
}).filter(Boolean)"""
"""The lit things of the hand whose middle the sheet, or the edge of the screen, hides; the row may
be scrolled to others.
"""


@pytest.fixture(scope="module")
def both(site: Service) -> Visitor:
    """A player who takes both seats of a table."""
    return Visitor(site, "Hands")


@pytest.mark.parametrize("game", GAMES)
def test_the_sheet_hides_nothing_that_can_be_chosen_in_the_hand(
    site: Service, visit: Visit, both: Visitor, game: str
) -> None:
    seen = 0
    for moves in MOVES:
        match = alone(both, game)
        play_match([both], match, moves, Random(game))
        for width, height in PHONES:
            size = {"width": width, "height": height}
            page = at(site, visit, both, match, viewport=size, has_touch=True, is_mobile=True)
            hidden = page.evaluate(HIDDEN)
            seen += page.locator("#own .can-touch").count()
            assert hidden == [], (
                moves,
                size,
                page.evaluate(
                    "[scrollY, own.offsetTop, own.offsetHeight, bar.getBoundingClientRect().bottom]"
                ),
            )
            expect(page.locator("#prompt")).to_be_in_viewport(ratio=0.9)
    assert seen
