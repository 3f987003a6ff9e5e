"""A player's turns in a real browser: signs on every page, and lists that change as they come."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.page.test_tables import GAME, IS_MARKED, MARK_PAGE, open_table, row
from tests.page.visitors import OWN_STREAMS, Visitor, begin_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

AWAY = "Object.defineProperty(document, 'hidden', { get: () => true })"
COUNT_NOTIFICATIONS = """window.notified = [];
window.Notification = new Proxy(Notification, {
    construct: (made, [title, { body, tag, data }]) => {
        if (data) throw new DOMException("", "DataCloneError");
        window.notified.push([title, body, tag]);
        return {};
    },
    get: (made, name) => (name === "permission" ? "granted" : made[name]),
})"""
"""Counts notifications instead of showing them. They are permitted, but a browser without windows
says `denied`.
"""


@pytest.fixture
def ann(site: Service) -> Visitor:
    return Visitor(site, "Turn Ann")


@pytest.fixture
def bob(site: Service) -> Visitor:
    return Visitor(site, "Turn Bob")


def test_a_turn_is_announced_on_every_page(
    site: Service, visit: Visit, ann: Visitor, bob: Visitor
) -> None:
    """By the badge, the title, the icon, and a notification if the player wants that."""
    page = visit(
        f"{site.url}/settings",
        before=lambda page: (page.add_init_script(AWAY), page.add_init_script(COUNT_NOTIFICATIONS)),
        storage_state=ann.state,
        permissions=["notifications"],
    )
    tab = page.context.new_page()
    tab.add_init_script(COUNT_NOTIFICATIONS)
    tab.goto(f"{site.url}/rules/{GAME}")
    calm = [read_announcements(one) for one in (page, tab)]
    assert [badge for badge, *_ in calm] == ["", ""]

    match = begin_match([bob, ann], game="qin", options={"first_player": "seat:0"})
    for version in (1, 3):
        move(bob, match)
        for one, (_, title, icon) in zip((page, tab), calm, strict=True):
            one.locator("#badge").get_by_text("1", exact=True).wait_for()
            assert read_announcements(one)[1] == f"(1) {title}"
            assert read_announcements(one)[2] != icon
        assert read_notifications(page) == (
            [] if version == 1 else [["Annals", "Your turn", match]]
        )
        assert read_notifications(tab) == [], "who looks at the page needs no other sign"
        move(ann, match)
        for one, quiet in zip((page, tab), calm, strict=True):
            one.locator("#badge:empty").wait_for(state="attached")
            assert read_announcements(one) == quiet
        page.locator("[data-pref=notify]").select_option("on")


def read_announcements(page: Page) -> tuple[str | None, str, str | None]:
    """What shows whose turn it is: badge, title, icon."""
    icon = page.locator("link[rel=icon]").get_attribute("href")
    return page.locator("#badge").text_content(), page.title(), icon


def read_notifications(page: Page) -> Any:
    return page.evaluate("window.notified")


def move(who: Visitor, match: str) -> None:
    """Make the first legal move."""
    path = f"/v1/matches/{match}"
    first = who.call("GET", f"{path}/legal-moves")["moves"][0]
    who.call("POST", f"{path}/moves", {"move": first})


def test_turns_are_listed_as_they_come(
    site: Service, visit: Visit, ann: Visitor, bob: Visitor
) -> None:
    page = visit(f"{site.url}/turns", storage_state=ann.state)
    page.evaluate(MARK_PAGE)
    match = begin_match([bob, ann], game="qin", options={"first_player": "seat:0"})
    row(page, match).wait_for()
    assert row(page, match).locator("a.main").count() == 0
    move(bob, match)
    row(page, match).locator("a.main").wait_for()
    assert page.evaluate(IS_MARKED)
    row(page, match).locator("a.main").click()
    page.wait_for_url(f"**/matches/{match}")


@pytest.mark.parametrize(("path", "stream"), [("/", "lobby"), ("/turns", "me")])
def test_what_changes_while_a_page_loads_is_not_missed(
    site: Service, visit: Visit, ann: Visitor, path: str, stream: str
) -> None:
    """A list is older than the stream that updates it: a table is opened between them."""
    made: list[str] = []

    def open_first(asked: Route) -> None:
        made.append(open_table(ann, {"open": True}))
        asked.continue_()

    def intercept(page: Page) -> None:
        page.add_init_script(OWN_STREAMS)
        page.route(f"**/v1/{stream}/stream*", open_first)

    page = visit(
        site.url + path,
        before=intercept,
        storage_state=ann.state,
    )
    while not made:
        page.wait_for_timeout(20)
    row(page, made[0]).wait_for()
