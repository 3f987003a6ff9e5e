"""What a player can choose in their hand is in sight on telephones, with the prompt."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import ViewportSize, expect

from domain.games import GAMES
from tests.page.hands import CURTAIN
from tests.page.screens import PHONES
from tests.page.test_deeds import alone, at
from tests.page.visitors import (
    Visitor,
    await_settled,
    begin_match,
    play_match,
    take_device,
)
from tests.page.visits import BLANK, Visit
from tests.support.whole_service import Service

PHONES_AFTER = {0: (PHONES[0], PHONES[3]), 2: (PHONES[1], PHONES[2])}
"""The telephones on which a player looks at their hand, after these numbers of random moves."""
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

IN_SIGHT = """() => [...document.querySelectorAll(".can-touch")].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map((one) => one.dataset.at)"""


@pytest.fixture(scope="module")
def both(site: Service) -> Visitor:
    """A player who takes both seats of a table."""
    return Visitor(site, "Hands")


@pytest.mark.parametrize("game", GAMES)
def test_the_sheet_hides_nothing_that_can_be_chosen_in_the_hand(
    site: Service, visit: Visit, both: Visitor, game: str
) -> None:
    seen = 0
    page = visit(BLANK, storage_state=both.state, has_touch=True, is_mobile=True)
    for moves, phones in PHONES_AFTER.items():
        match = alone(both, game)
        play_match([both], match, moves, Random(game))
        for width, height in phones:
            size = ViewportSize(width=width, height=height)
            page.set_viewport_size(size)
            page.goto(f"{site.url}/matches/{match}")
            await_settled(page)
            if page.locator(CURTAIN).count():
                take_device(page)
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


def test_what_can_be_chosen_beside_map_and_hand_is_in_sight_at_first(
    site: Service, visit: Visit
) -> None:
    """On an upright telephone, where it is far below the map."""
    people = [Visitor(site, name) for name in ("Beside", "The other")]
    match = begin_match(people, game="great_wall")
    play_match(people, match, len(people) * 2, Random(1))  # all have leaders and a card
    [turn] = people[0].call("GET", f"/v1/matches/{match}")["awaiting"]
    width, height = PHONES[0]
    size = ViewportSize(width=width, height=height)
    page = at(site, visit, people[turn["seat"]], match, viewport=size, has_touch=True)
    assert page.locator(".can-touch:not([data-at^='slot:'])").count() == 0
    assert page.evaluate(IN_SIGHT) != []
