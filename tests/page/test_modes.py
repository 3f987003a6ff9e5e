"""Solo and cooperative matches in a real browser."""

from __future__ import annotations

from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from domain.games import GAMES
from tests.page.hands import CONFIRM, Keys
from tests.page.visitors import Visitor, await_settled, begin_match, play_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

GAME = "great_wall"
SEED = "17" * 32
BY_KEYS, MOVES = 1, 7
"""Numbers of moves, by keys and then over REST, which always reach past the turn of Qin Jiushao."""
TELEPHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}


def open_page(site: Service, visit: Visit, person: Visitor, match: str, **options: Any) -> Page:
    """The player's page of a match."""
    page = visit(f"{site.url}/matches/{match}", storage_state=person.state, **options)
    await_settled(page)
    return page


def test_a_solo_match_by_keys_on_a_small_screen(site: Service, visit: Visit) -> None:
    ann = Visitor(site, "Ann")
    match = begin_match([ann], game=GAME, options={"mode": "solo"}, seed=SEED)
    page = open_page(site, visit, ann, match, **TELEPHONE)
    goal = GAMES[GAME].goal_in(mode="solo")
    expect(page.locator("#bar #goal")).to_have_text(goal)
    keys = Keys(page, Random(0))
    while keys.moves < BY_KEYS:
        assert keys.move()
    await_settled(page)
    play_match([ann], match, MOVES, Random(0))
    await_settled(page, ann.call("GET", f"/v1/matches/{match}")["version"])
    expect(page.locator("#goal")).to_be_hidden()
    expect(page.locator("#more")).to_contain_text(goal)
    received = page.locator("#log").inner_text()
    assert "Qin Jiushao moves clerks" in received or "Qin Jiushao recruits" in received
    expect(page.locator("#beside")).to_contain_text("Location track")
    expect(page.locator("#seats > li")).to_have_count(1)


def test_a_table_agrees_on_an_order_by_touching_the_cards(site: Service, visit: Visit) -> None:
    ann, bo = people = [Visitor(site, "Ann"), Visitor(site, "Bo")]
    match = begin_match(people, game=GAME, options={"mode": "coop"}, seed=SEED)
    play_match(people, match, 4, Random(0))  # leaders and command cards
    shown = ann.call("GET", f"/v1/matches/{match}?as=0")["view"]["step"]["order"]
    hers = open_page(site, visit, ann, match, **DESK)
    *firsts, _last = reversed(shown)
    for clan in firsts:
        hers.locator(f'.view .can-touch[data-at="shown:{clan}"]').click()
        if hers.locator(CONFIRM).count():
            break
    hers.locator(CONFIRM).click()
    expect(hers.locator("#log")).to_contain_text("proposes another order")
    his = open_page(site, visit, bo, match, **DESK)
    his.locator('#words button[data-touch="agree"]').click()
    his.locator(CONFIRM).click()
    expect(his.locator("#log")).to_contain_text("The command cards resolve in this order")
    expect(hers.locator("#log")).to_contain_text("The command cards resolve in this order")
