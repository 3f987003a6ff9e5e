"""Several pages of one browser share one player and a limited number of connections."""

from __future__ import annotations

from playwright.sync_api import Page, Request

from domain.games import GAMES
from tests.page.conftest import Visit
from tests.page.visitors import Visitor, await_settled, begin_match
from tests.support.whole_service import Service

GAME = next(iter(GAMES.values()))
NOBODY_LOOKS = """hidden => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_guest_stays_the_same_in_pages_that_do_not_know_it_yet(
    site: Service, visit: Visit
) -> None:
    """Given two pages from before the first match, then both use the same guest, and no token is
    orphaned.
    """
    first = visit(site.url)
    second = first.context.new_page()
    second.goto(site.url)
    assert [play_as(page) for page in (first, second)] == [play_as(first)] * 2


def play_as(page: Page) -> str | None:
    """The player after two clicks in the lobby."""
    if page.locator("#match").count() == 0:
        page.locator(f"button[data-play={GAME.key}]").click()
        page.locator("button[data-level]:visible").first.click()
    await_settled(page)
    return page.locator("html").get_attribute("data-me")


def test_a_hidden_page_leaves_its_connection_to_others(site: Service, visit: Visit) -> None:
    """And it shows the latest state as soon as it becomes visible."""
    people = [Visitor(site, f"Tab {seat}") for seat in range(2)]
    match = begin_match(people, game=GAME.key)
    path = f"/v1/matches/{match}"
    page = visit(f"{site.url}/matches/{match}")
    await_settled(page)

    def of_match(request: Request) -> bool:
        return f"{path}/stream" in request.url

    with page.expect_event("requestfailed", of_match):
        page.evaluate(NOBODY_LOOKS, True)
    now = people[0].call("GET", path)
    mover = people[now["awaiting"][0]["seat"]]
    moves = mover.call("GET", f"{path}/legal-moves")["moves"]
    version = mover.call("POST", f"{path}/moves", {"move": moves[0]})["version"]
    with page.expect_request(of_match):
        page.evaluate(NOBODY_LOOKS, False)
    await_settled(page, version)
