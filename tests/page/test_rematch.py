"""Playing again on the page: one touch offers it, and the others see it live."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Page, expect

from tests.page.visitors import Visitor, await_settled, begin_match, play_match
from tests.page.visits import Visit, lead_nowhere
from tests.support.patience import eventually
from tests.support.whole_service import Service

AGAIN, DECLINE, WITHDRAW = (
    f"[data-do={action}-again]" for action in ("play", "decline", "withdraw")
)


def finished(*people: Visitor) -> str:
    """The id of a match that the last of these people lost."""
    match = begin_match(list(people), game="qin")
    people[-1].call("POST", f"/v1/matches/{match}/resign")
    eventually(lambda: people[0].call("GET", f"/v1/matches/{match}")["status"] == "scored")
    return match


def at(site: Service, visit: Visit, person: Visitor, match: str) -> Page:
    """The settled page of a match."""
    page = visit(f"{site.url}/matches/{match}", storage_state=person.state)
    await_settled(page)
    return page


def test_two_people_play_again_by_one_touch_each(site: Service, visit: Visit) -> None:
    one, two = Visitor(site, "Again"), Visitor(site, "Other")
    match = finished(one, two)
    first, second = at(site, visit, one, match), at(site, visit, two, match)
    first.click(AGAIN)
    expect(first.locator("#next")).to_contain_text(f"Waiting for {two.name} to agree.")
    expect(second.locator("#next")).to_contain_text(f"{one.name} wants to play again.")
    second.click(DECLINE)
    expect(first.locator("#next")).to_contain_text(f"{two.name} declined")
    second.click(AGAIN)
    expect(first.locator("#next")).to_contain_text(f"{two.name} wants to play again.")
    second.click(WITHDRAW)
    expect(first.locator(DECLINE)).to_have_count(0)
    first.click(AGAIN)
    expect(second.locator(AGAIN)).to_have_text("Agree")
    second.click(AGAIN)
    new = one.call("GET", f"/v1/matches/{match}")["next_match"]
    for page in (first, second):
        page.wait_for_url(f"**/matches/{new}")
        await_settled(page)
    two.call("POST", f"/v1/matches/{new}/resign")
    row = first.locator("[data-result] tr", has_text="Won of 2 matches")
    expect(row.locator("td")).to_have_text(["2", "0"])
    first.locator("#more > summary").click()
    before = first.get_by_role("link", name="Previous match")
    expect(before).to_be_visible()
    expect(before).to_have_attribute("href", match)
    second.goto(f"{site.url}/matches/{match}")
    second.locator("#more > summary").click()
    expect(second.get_by_role("link", name="Next match")).to_be_visible()


def test_a_match_against_bots_begins_again_at_once(site: Service, visit: Visit) -> None:
    person = Visitor(site, "Alone")
    seats = [{"me": True}, {"bot": "li_mu"}]
    match = begin_match([person], game="qin", seats=seats)
    page = at(site, visit, person, match)
    expect(page.locator("#next:empty")).to_have_count(1)  # it takes no room
    person.call("POST", f"/v1/matches/{match}/resign")
    lead_nowhere(page)
    page.click(AGAIN)
    page.wait_for_url(lambda url: not url.endswith(match))
    new = page.url.rpartition("/")[2]
    assert person.call("GET", f"/v1/matches/{new}")["previous_match"] == match


def test_a_page_is_not_read_again_after_each_move(site: Service, visit: Visit) -> None:
    """Given a page that learns of a move from both streams, then it reads the move, the picture and
    whose turn it is; what follows a match can change only after it.
    """
    people = [Visitor(site, "Reads"), Visitor(site, "Reads too")]
    match = begin_match(people, game="qin")
    page = at(site, visit, people[0], match)
    read: list[str] = []
    page.on("request", lambda request: read.append(request.url.removeprefix(site.url)))
    version = people[0].call("GET", f"/v1/matches/{match}")["version"]
    for move in (1, 2):
        with page.expect_request("**/v1/me/turns"):
            play_match(people, match, 1, Random(move))
        await_settled(page, version + move)
    assert f"/matches/{match}" not in read, read
