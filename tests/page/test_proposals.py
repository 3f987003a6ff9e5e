"""Ending and pausing a match by agreement on the page: on a large screen and on a phone; a
spectator sees an end.
"""

from __future__ import annotations

from random import Random
from typing import Any

from playwright.sync_api import Page, ViewportSize, expect

from tests.page.test_deeds import at
from tests.page.visitors import Visitor, await_settled, begin_match, play_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

SEED = "7" * 64
REFUSED = ("409", "Conflict")
LARGE: ViewportSize = {"width": 1_280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}


def propose(page: Page) -> None:
    """Propose to end the match, after the question whether to."""
    if not page.locator("[data-do=propose-end]").is_visible():
        page.click("#more summary")
    page.click("[data-do=propose-end]")
    page.click("dialog[open] button.grave")


def button(page: Page, name: str) -> Any:
    return page.locator("#proposal").get_by_role("button", name=name)


def test_two_players_end_a_match_by_agreement(site: Service, visit: Visit) -> None:
    people = [Visitor(site, name) for name in ("Proposes", "Agrees")]
    match = begin_match(people, game="qin", seed=SEED)
    if people[0].call("GET", f"/v1/matches/{match}")["awaiting"][0]["seat"]:
        people.reverse()  # the list says that a match asks who does not have to move
    asks, answers = (
        at(site, visit, who, match, viewport=screen)
        for who, screen in zip(people, (LARGE, PHONE), strict=True)
    )
    watches = at(site, visit, Visitor(site, "Watches"), match)
    expect(asks.locator("#proposal")).to_be_hidden()
    asks.click("#more summary")
    expect(asks.locator("[data-do=propose-end]")).to_be_visible()
    expect(asks.locator("[data-do=pause]")).to_be_hidden()  # the match has no clock
    propose(asks)
    expect(asks.locator("#proposal")).to_contain_text("You propose to end the match")
    expect(asks.locator("#proposal")).to_contain_text(people[1].name)
    for page in (answers, watches):
        expect(page.locator("#proposal")).to_contain_text(f"{people[0].name} proposes to end")
    lists = visit(f"{site.url}/turns", storage_state=people[1].state)
    expect(lists.locator(f"#m-{match}").get_by_role("link", name="End the match?")).to_be_visible()
    expect(watches.locator("#proposal button")).to_have_count(0)
    for screen in (LARGE, PHONE):
        answers.set_viewport_size(screen)
        expect(button(answers, "Decline")).to_be_in_viewport()
    button(answers, "Agree").click()
    for page in (asks, answers, watches):
        expect(page.locator("#prompt")).to_contain_text("All players agreed to end this match")
        expect(page.locator("#proposal")).to_be_hidden()
    expect(asks.locator("#log")).to_contain_text("all players agreed to end it")
    lists.reload()
    expect(lists.locator(f"#m-{match}")).to_contain_text("ended by agreement")


def test_a_proposal_is_withdrawn_declined_and_lapses_with_a_move(
    site: Service, visit: Visit
) -> None:
    people = [Visitor(site, name) for name in ("Wavers", "Plays on")]
    match = begin_match(people, game="qin", seed=SEED)
    path = f"/v1/matches/{match}"
    first = people[0].call("GET", path)["awaiting"][0]["seat"]
    asks, answers = (
        at(site, visit, people[seat], match, faults=REFUSED) for seat in (first, 1 - first)
    )
    propose(asks)
    play_match(people, match, 1, Random(0))
    for page in (asks, answers):
        await_settled(page, people[0].call("GET", path)["version"])
        expect(page.locator("#proposal")).to_be_hidden()
    propose(answers)
    button(answers, "Withdraw").click()
    expect(asks.locator("#proposal")).to_be_hidden()
    propose(answers)
    expect(answers.locator("#why")).to_contain_text("before you propose this again")
    expect(asks.locator("#proposal")).to_be_hidden()


def test_two_players_pause_a_match_and_one_resumes_it(site: Service, visit: Visit) -> None:
    people = [Visitor(site, name) for name in ("Wants a break", "Agrees to it")]
    match = begin_match(people, game="qin", seed=SEED, clock={"per_move_s": 86_400})
    asks, answers = (
        at(site, visit, who, match, viewport=screen)
        for who, screen in zip(people, (PHONE, LARGE), strict=True)
    )
    asks.click("#more summary")
    asks.click("[data-do=pause]")
    expect(answers.locator("#proposal")).to_contain_text("proposes to pause the match")
    button(answers, "Agree").click()
    for page in (asks, answers):
        expect(page.locator("#proposal")).to_contain_text("It goes on by itself in 7 days")
        expect(page.locator("[data-do=pause]")).to_be_hidden()
    button(asks, "Resume").click()
    for page in (asks, answers):
        expect(page.locator("#proposal")).to_be_hidden()
    await_settled(answers, people[0].call("GET", f"/v1/matches/{match}")["version"])
    expect(asks.locator("[data-do=pause]")).to_be_visible()
