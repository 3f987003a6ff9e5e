"""What others did since a player's last move, on the board and in words."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import expect

from service.page.views.match import LOG_ENTRIES
from tests.page.sample import some_of_all
from tests.page.test_deeds import at
from tests.page.test_hot_seat import FIRST_TEXT
from tests.page.visitors import Visitor, await_settled, begin_match, play_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

SEED = "7" * 64
RULE_NUMBER = re.compile(r"[A-Z]{1,3}-\d")
RINGS = "#board .turn .ring"
PLACES = "(all) => all.map((one) => Math.round(one.getBBox().x))"
PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("game", some_of_all("hansa_teutonica"))
def test_who_comes_back_sees_the_same_rings_as_who_stayed(
    site: Service, visit: Visit, game: str
) -> None:
    """Around what others did since the player's last move, for spectators in the last turn; the
    button that plays it says so, and each step, which is still with reduced motion, is told without
    numbers of rules.
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
    came = visit(f"{site.url}/matches/{match}", viewport=PHONE)
    returned = at(site, visit, people[0], match, viewport=PHONE)
    for one in (came, returned):
        expect(one.locator(RINGS)).to_have_count(len(places))
        assert one.locator(RINGS).evaluate_all(PLACES) == places
    returned.click(f"[data-do=since]:has-text('Moves since yours: {others}')")
    newest = people[0].call("GET", path)["version"]
    for version in range(newest - others, newest + 1):
        await_settled(returned, version)
        line = returned.locator(f"#log li[data-version='{version}'] p").first
        told = returned.locator("#happened")
        expect(told).to_be_visible()
        expect(told).to_contain_text(line.evaluate(FIRST_TEXT))
        expect(told).not_to_have_text(RULE_NUMBER)
        returned.locator("[data-do=step]").focus()
        returned.keyboard.press("Enter")
    expect(returned.locator("[data-do=since]")).to_be_visible()
    expect(returned.locator("[data-do=step]")).to_be_hidden()


def test_only_moves_count_as_moves_since_ones_own_however_long_the_log(
    site: Service, visit: Visit
) -> None:
    """An undo and a redo are no moves, nor is a request, and they fill more than the log shows."""
    people = [Visitor(site, name) for name in ("Waits", "Wavers")]
    match = begin_match(people, game="qin", seed=SEED, undo="free")
    path, chance = f"/v1/matches/{match}", Random(0)
    decides = lambda: people[0].call("GET", path)["awaiting"][0]["seat"] == 0  # noqa: E731
    own = 0
    while not (own and decides()):
        own += decides()
        play_match(people, match, 1, chance)

    def wavers() -> None:
        people[1].call("POST", f"{path}/undo")
        people[1].call("POST", f"{path}/redo")

    for _ in range(LOG_ENTRIES // 2):
        wavers()
    page = at(site, visit, people[0], match)
    for waver in (lambda: None, wavers):  # before the page was opened, and since
        waver()
        await_settled(page, people[0].call("GET", path)["version"])
        expect(page.locator("[data-do=since]")).to_have_text("▶ Moves since yours: 1")
        expect(page.locator(RINGS).first).to_be_attached()
