"""Matches that one plays alone, and that all win or lose together, in a real browser."""

from __future__ import annotations

from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from tests.page.conftest import Visit
from tests.page.hands import CONFIRM, Keys
from tests.page.visitors import Visitor, begun, played, settled
from tests.support.whole_service import Service

GAME = "great_wall"
SEED = "17" * 32
MOVES = 8
"""With so many one is past the turn of Qin Jiushao, whatever is chosen."""
TELEPHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}


def opened(site: Service, visit: Visit, person: Visitor, match: str, **options: Any) -> Page:
    """Their page of a match."""
    page = visit(f"{site.url}/matches/{match}", storage_state=person.state, **options)
    settled(page)
    return page


def test_somebody_plays_alone_by_keys_on_a_small_screen(site: Service, visit: Visit) -> None:
    ann = Visitor(site, "Ann")
    match = begun([ann], game=GAME, options={"mode": "solo"}, seed=SEED)
    page = opened(site, visit, ann, match, **TELEPHONE)
    keys = Keys(page, Random(0))
    while keys.moves < MOVES:
        assert keys.move()
    settled(page)
    told = page.locator("#log").inner_text()
    assert "Qin Jiushao moves clerks" in told or "Qin Jiushao recruits" in told
    expect(page.locator("#board")).to_contain_text("Location track")
    expect(page.locator("#seats > li")).to_have_count(1)


def test_a_table_agrees_on_an_order_by_touching_the_cards(site: Service, visit: Visit) -> None:
    ann, bo = people = [Visitor(site, "Ann"), Visitor(site, "Bo")]
    match = begun(people, game=GAME, options={"mode": "coop"}, seed=SEED)
    played(people, match, 4, Random(0))  # leaders and command cards
    shown = ann.call("GET", f"/v1/matches/{match}?as=0")["view"]["step"]["order"]
    hers = opened(site, visit, ann, match, **DESK)
    *firsts, _last = reversed(shown)
    for clan in firsts:
        hers.locator(f'#board .can-touch[data-at="shown:{clan}"]').click()
        if hers.locator(CONFIRM).count():
            break
    hers.locator(CONFIRM).click()
    expect(hers.locator("#log")).to_contain_text("proposes another order")
    his = opened(site, visit, bo, match, **DESK)
    his.locator('#words button[data-touch="agree"]').click()
    his.locator(CONFIRM).click()
    expect(his.locator("#log")).to_contain_text("The command cards are placed in this order")
    expect(hers.locator("#log")).to_contain_text("The command cards are placed in this order")
