"""Talk on the page of a match: live, for the players alone, by keyboard, and said to screen readers
without a flood.
"""

from __future__ import annotations

from playwright.sync_api import Page, ViewportSize, expect

from tests.page.hands import READY
from tests.page.test_admin import operator_of
from tests.page.visitors import Visitor, begin_match
from tests.page.visits import Visit
from tests.support.patience import eventually
from tests.support.whole_service import Service

PHONE: ViewportSize = {"width": 360, "height": 640}
IS_NARROW = """(one) => one.scrollWidth <= one.clientWidth
    && one.getBoundingClientRect().right <= innerWidth"""


def open_talk(page: Page) -> None:
    page.wait_for_selector(READY, state="attached")
    page.focus("#talk summary")
    page.keyboard.press("Enter")
    expect(page.locator("#talk [name=phrase] option")).to_have_count(21)


def fail_once(page: Page) -> None:
    page.route("**/talk/unread.js", lambda route: route.fulfill(status=502), times=1)


def test_players_talk_live(site: Service, visit: Visit) -> None:
    """Given two players of a match, when one says a phrase with the keyboard, then the other gets
    it in their language, and a screen reader hears it once; a spectator has another room.
    """
    ann, bob = people = [Visitor(site, name) for name in ("Talking Ann", "Talking Bob")]
    match = begin_match(people, game="qin")
    address = f"{site.url}/matches/{match}"
    one = visit(address, storage_state=ann.state)
    other = visit(address, storage_state=bob.state, locale="zh-TW")
    for page in (one, other):
        open_talk(page)
    one.focus("#talk [name=phrase]")
    one.select_option("#talk [name=phrase]", "good_luck")
    one.keyboard.press("Tab")
    one.keyboard.press("Enter")
    expect(one.locator("#talk li > span")).to_have_text("Good luck!")
    expect(other.locator("#talk li > span")).to_have_text("祝你好運！")
    expect(other.locator("#talk [aria-live=polite]")).to_contain_text("祝你好運！")
    path = f"/v1/matches/{match}/talk/players"
    eventually(lambda: bob.call("GET", path)["last_read"] == 1)
    one.set_viewport_size(PHONE)
    assert one.locator("#talk").evaluate(IS_NARROW)
    one.click("#talk li button")
    one.click("dialog .grave")
    expect(other.locator("#talk li")).to_have_count(0)
    cid = Visitor(site, "Watching Cid")
    third = visit(address, storage_state=cid.state)
    open_talk(third)
    expect(third.locator("#talk li")).to_have_count(0)
    expect(third.locator("#talk form")).to_contain_text("The players read this after the end.")


def test_what_is_unread_has_a_badge(site: Service, visit: Visit) -> None:
    """Given a message, when the other player comes, then lists mark the match and a badge counts
    it, and without a reload the next one, although its script comes at the second try, until they
    read both; once they have muted the author, they are gone.
    """
    ann, bob = people = [Visitor(site, name) for name in ("Loud Ann", "Quiet Bob")]
    match = begin_match(people, game="qin")
    path = f"/v1/matches/{match}/talk/players"
    ann.call("POST", path, {"phrase": "hello"})
    lists = visit(f"{site.url}/turns", storage_state=bob.state)
    expect(lists.locator(f"#m-{match}")).to_contain_text("new messages")
    page = visit(
        f"{site.url}/matches/{match}", storage_state=bob.state, before=fail_once, faults=("502",)
    )
    badge = page.locator("#talk .badge")
    expect(badge).to_have_text("1")
    ann.call("POST", path, {"phrase": "good_luck"})
    expect(badge).to_have_text("2")
    ann.call("DELETE", f"{path}/1")
    expect(badge).to_have_text("1")
    open_talk(page)
    expect(page.locator("#talk li > span")).to_have_text("Good luck!")
    expect(badge).to_be_empty()
    eventually(lambda: bob.call("GET", path)["unread"] == 0)
    page.focus("#talk summary")
    page.keyboard.press("Enter")
    ann.call("POST", path, {"phrase": "hello"})
    expect(badge).to_have_text("1")
    page.keyboard.press("Enter")
    expect(page.locator("#talk li > span")).to_have_text(["Good luck!", "Hello!"])
    mute(page, ann)
    expect(page.locator("#talk li")).to_have_count(0)
    page.click("#talk [data-muted]")
    page.get_by_role("button", name=ann.name, exact=True).click()
    expect(page.locator("#talk li > span")).to_have_text(["Good luck!", "Hello!"])


def mute(page: Page, author: Visitor) -> None:
    page.locator("#talk li button").first.click()
    page.get_by_role("button", name=f"Mute {author.name}").click()


def test_an_operator_mutes_and_dismisses(site: Service, visit: Visit) -> None:
    """Given a reported message, when an operator mutes its author for some days, they can say
    nothing; when the report is dismissed, the list is empty of it, and the list of players has the
    mute, until it is lifted.
    """
    ada, people = operator_of(site), [Visitor(site, name) for name in ("Rude Ann", "Hurt Bob")]
    match = begin_match(people, game="qin")
    path = f"/v1/matches/{match}/talk/players"
    people[0].call("POST", path, {"phrase": "bad_luck"})
    page = visit(f"{site.url}/matches/{match}", storage_state=people[1].state)
    open_talk(page)
    page.click("#talk li button")
    page.get_by_role("button", name="Report").click()
    eventually(lambda: ada.call("GET", "/v1/admin/reports")["reports"])
    admin = visit(f"{site.url}/admin/reports", storage_state=ada.state)
    report = admin.locator("#section li", has_text=people[0].name)
    expect(report.locator("strong")).to_contain_text("Bad luck!")
    report.get_by_role("button", name="Mute", exact=True).click()
    admin.fill("dialog input", "gloating")
    admin.select_option("dialog select", "7")
    admin.click("dialog .grave")
    expect(report).to_contain_text("Muted: gloating · ends in 7 days")
    assert people[0].call("GET", path)["can_say"] == "nothing"
    report.get_by_role("button", name="Dismiss").click()
    expect(report).to_have_count(0)
    admin.goto(f"{site.url}/admin/players?query={people[0].id}")
    player = admin.locator("#section li", has_text="Muted: gloating · ends in 7 days")
    player.get_by_role("button", name="Lift the mute").click()
    expect(player).to_have_count(0)
    assert people[0].call("GET", path)["can_say"] == "phrases"
