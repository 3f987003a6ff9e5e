"""What others did since a player's last move, on the board and in words."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import expect

from tests.page.sample import one_of_all
from tests.page.test_deeds import at
from tests.page.visitors import Visitor, await_settled, begin_match, play_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

SEED = "7" * 64
RULE_NUMBER = re.compile(r"[A-Z]{1,3}-\d")
RINGS = "#board .turn .ring"
PLACES = "(all) => all.map((one) => Math.round(one.getBBox().x))"
PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("game", one_of_all("hansa_teutonica"))
def test_who_comes_back_sees_the_same_rings_as_who_stayed(
    site: Service, visit: Visit, game: str
) -> None:
    """Around what others did since the player's last move; the button that plays it says so, and
    each step is told without numbers of rules.
    """
    people = [Visitor(site, name) for name in ("Stays", "Acts")]
    match = begin_match(people, game=game, seed=SEED)
    path, chance = f"/v1/matches/{match}", Random(0)
    decides = lambda: people[0].call("GET", path)["awaiting"][0]["seat"] == 0  # noqa: E731
    own, others = 0, 0
    page = at(site, visit, people[0], match)
    while not (own and others and decides()):
        own, others = (own + 1, 0) if decides() else (own, others + 1)
        play_match(people, match, 1, chance)
        await_settled(page, people[0].call("GET", path)["version"])
    expect(page.locator(RINGS).first).to_be_attached()
    places = page.locator(RINGS).evaluate_all(PLACES)
    returned = at(site, visit, people[0], match, viewport=PHONE)
    expect(returned.locator(RINGS)).to_have_count(len(places))
    assert returned.locator(RINGS).evaluate_all(PLACES) == places
    returned.click(f"[data-do=since]:has-text('Moves since yours: {others}')")
    told = returned.locator("#happened")
    expect(told).to_be_visible()
    expect(told).not_to_have_text(RULE_NUMBER)
