"""What people do at the page of a match besides moving: seats of their own, looking back, checking,
and giving up.
"""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Page

from domain.games import GAMES
from tests.page.conftest import Visit
from tests.page.hands import Mouse
from tests.page.visitors import Visitor, begun, settled
from tests.whole_service import Service

REFUSED = ("400", "403", "404", "412", "422", "ERR_FAILED")
MOVES = 4


@pytest.fixture
def alone(site: Service, visit: Visit) -> Page:
    """A match of Qin that one plays against oneself, after a few moves."""
    one = Visitor(site, "Alone")
    match = one.call("POST", "/v1/matches", {"game": "qin", "seats": [{"me": True}] * 2})["id"]
    page = visit(f"{site.url}/matches/{match}", storage_state=one.state, faults=REFUSED)
    hand = Mouse(page, Random(1))
    for _ in range(MOVES):
        hand.move()
    settled(page, 1 + MOVES)
    return page


@pytest.mark.parametrize("game", GAMES)
def test_one_plays_all_seats(site: Service, visit: Visit, game: str) -> None:
    one = Visitor(site, "Both")
    match = one.call("POST", "/v1/matches", {"game": game, "seats": [{"me": True}] * 2})["id"]
    page = visit(f"{site.url}/matches/{match}", storage_state=one.state)
    hand = Mouse(page, Random(game))
    for _ in range(MOVES):
        assert hand.move()
    settled(page, 1 + MOVES)


def test_one_looks_back_by_slider_keys_and_link(alone: Page) -> None:
    alone.click("[data-do=earlier]")
    settled(alone, MOVES)
    assert alone.url.endswith(f"#v={MOVES}")
    assert alone.locator(".can-touch").count() == 0
    alone.keyboard.press("Home")
    settled(alone, 1)
    alone.keyboard.press("ArrowRight")
    settled(alone, 2)
    alone.reload()
    settled(alone, 2)
    alone.locator("#moment").fill("3")
    settled(alone, 3)
    alone.locator("#log li[data-version='2'] [data-do=log-show]").click()
    settled(alone, 2)
    alone.click("[data-do=now]")
    settled(alone, 1 + MOVES)
    alone.locator(".can-touch").first.wait_for()


@pytest.mark.parametrize("moment", ["v=-1", "v=99", "v=x", "as=7", "as=nobody", "v=2&as=7"])
def test_a_link_that_leads_nowhere_leads_to_the_match(alone: Page, moment: str) -> None:
    alone.goto(f"{alone.url.partition('#')[0]}#{moment}")
    alone.reload()
    settled(alone, 2 if "v=2" in moment else 1 + MOVES)


def test_two_tabs_take_one_move_back_once(alone: Page) -> None:
    other = alone.context.new_page()
    other.goto(alone.url)
    settled(other, 1 + MOVES)
    other.route("**/stream?**", lambda route: route.abort())
    other.reload()
    settled(other, 1 + MOVES)
    alone.click("[data-do=undo]")
    settled(alone, 2 + MOVES)
    other.click("[data-do=undo]")
    other.locator("#why").get_by_text(re.compile(".")).wait_for()
    alone.reload()
    settled(alone, 2 + MOVES)


def test_what_was_undone_is_marked_and_can_be_redone(alone: Page) -> None:
    alone.click("[data-do=undo]")
    settled(alone, 2 + MOVES)
    undone = alone.locator("#log li.undone")
    assert undone.get_attribute("data-version") == str(1 + MOVES)
    alone.click("[data-do=redo]")
    settled(alone, 3 + MOVES)
    assert undone.count() == 0


def test_why_something_cannot_be_chosen_is_said_with_its_rule(alone: Page) -> None:
    alone.locator(".can-touch[data-at^=tile]").first.click()
    lit = alone.locator(".can-touch").evaluate_all("(all) => all.map((one) => one.dataset.at)")
    corners = ("a1", "a13", "b1", "b13", "a2")
    far = next(name for name in corners if f"space:{name}" not in lit)
    alone.locator(f".view > svg [data-at='space:{far}']").click(force=True)
    alone.locator("#why a.rule").click()
    rule = alone.locator("dialog[open] [data-rule]").inner_text()
    assert GAMES["qin"].rulebook.rules[rule] in alone.locator("dialog[open]").inner_text()


def test_what_comes_to_the_same_can_be_touched_too(site: Service, visit: Visit) -> None:
    one = Visitor(site, "Same")
    terms = {"game": "hansa_teutonica", "seats": [{"me": True}] * 3}
    match = one.call("POST", "/v1/matches", terms)["id"]
    page = visit(f"{site.url}/matches/{match}", storage_state=one.state)
    page.locator(".can-touch[data-at='supply:trader']").click()
    lit = page.locator(".can-touch").evaluate_all("(all) => all.map((one) => one.dataset.at)")
    drawn = page.locator(".view > svg [data-at^='post:']")
    posts = drawn.evaluate_all("(all) => all.map((one) => one.dataset.at)")
    routes = {name.rpartition(":")[0] for name in lit}
    other = next(name for name in posts if name.rpartition(":")[0] in routes and name not in lit)
    page.locator(f".view > svg [data-at='{other}']").click(force=True)
    page.locator("#does li").first.wait_for()
    page.click("[data-do=confirm]")
    settled(page, 2)


def test_a_move_is_made_at_once_if_one_likes(alone: Page) -> None:
    alone.evaluate("localStorage.setItem('annals.confirm', 'never')")
    hand = Mouse(alone, Random(2))
    for _ in range(3):  # a tile and two spaces
        if alone.locator(f"#match[data-version='{1 + MOVES}'] .can-touch").count():
            hand.touch(".can-touch")
    settled(alone, 2 + MOVES)


def test_who_gives_up_is_asked_first_and_then_sees_all(site: Service, visit: Visit) -> None:
    people = [Visitor(site, name) for name in ("Gives", "Takes")]
    page = visit(f"{site.url}/matches/{begun(people, game='qin')}", storage_state=people[0].state)
    settled(page)
    page.click("#more summary")
    page.click("[data-do=resign]")
    page.locator("dialog button").first.click()
    assert page.get_attribute("#match", "data-status") == "active"
    page.click("[data-do=resign]")
    page.click("dialog button.grave")
    page.locator("#match[data-status=scored][data-live=over] [data-result]").wait_for()
    assert page.locator("#eyes option").count() == 4
    page.click("[data-do=check]")
    page.locator("#checked .good").first.wait_for()


def test_one_goes_on_from_an_earlier_version(alone: Page) -> None:
    before = alone.url
    alone.click("[data-do=earlier]")
    settled(alone, MOVES)
    alone.click("#more summary")
    alone.click("[data-do=fork]")
    alone.wait_for_url(lambda url: url.partition("#")[0] != before.partition("#")[0])
    settled(alone)
