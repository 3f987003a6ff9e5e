"""The operator's page in a real browser, over a whole service."""

from __future__ import annotations

import re
from contextlib import closing

from playwright.sync_api import Page, expect

from service.accounts.operators import Operators
from service.runtime.redis_urls import own_redis_url
from service.store.redis_client import connect
from tests.page.axe import OF_COLOURS, faults
from tests.page.test_layout import PHONE, STICKS_OUT
from tests.page.visitors import Visitor, begin_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

SECTIONS = ("", "/players", "/matches", "/webhooks", "/backups", "/settings", "/actions")
WRONG_TIME = re.compile(r"\b(since|until|for|last) (\w+ \w+ ago|in \w+ \w+|now)")
REASON = "Abusive table names"


def operator_of(site: Service) -> Visitor:
    """A player who operates the service."""
    ada = Visitor(site, "Operating Ada")
    with closing(connect(own_redis_url(site.data))) as redis:
        Operators(redis).add(ada.id)
    return ada


def check_sections(site: Service, page: Page) -> None:
    """Every section can be used in both schemes of colours, and fits a phone."""
    page.set_viewport_size(PHONE)
    for section in SECTIONS:
        page.goto(f"{site.url}/admin{section}")
        page.emulate_media(color_scheme="light")
        assert faults(page) == [], section
        assert page.evaluate(STICKS_OUT) == [], section
        assert WRONG_TIME.search(page.inner_text("main")) is None, section
        page.emulate_media(color_scheme="dark")
        assert faults(page, OF_COLOURS) == [], section


def close_match(site: Service, page: Page, match: str) -> None:
    """The operator closes a match, which needs a reason, and adds a note to their log."""
    page.goto(f"{site.url}/admin/matches?query={match}")
    page.get_by_role("button", name="Close").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Close").click()
    dialog.get_by_role("combobox").select_option(label="Because of a fault")
    dialog.get_by_role("textbox", name="A note").fill("Bob asked twice")
    dialog.get_by_role("button", name="Close").click()
    expect(page.locator("#section")).to_contain_text("closed")
    page.goto(f"{site.url}/admin/actions")
    expect(page.locator("#section")).to_contain_text("fault Bob asked twice")


def test_an_operator_bans_a_player_and_lifts_the_ban(site: Service, visit: Visit) -> None:
    ada, bob = operator_of(site), Visitor(site, "Banned Bob")
    match = begin_match([bob, Visitor(site, "Other")], game="qin")
    page = visit(f"{site.url}/settings", storage_state=ada.state)
    page.get_by_role("link", name="Operate this service").click()
    running = re.compile(r"^keeper for \d+ (second|minute)s? ")
    expect(page.get_by_role("row", name=running)).to_be_visible()
    page.get_by_role("link", name="Players", exact=True).press("Enter")
    page.get_by_role("searchbox").fill(bob.id)
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_url(f"**?query={bob.id}")  # the list before the search has them too
    page.locator(f"#p-{bob.id}").get_by_role("button", name="Ban").press("Enter")
    page.get_by_role("textbox", name="Why do you ban").press("Enter")  # without a reason
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("textbox", name="Why do you ban").fill(REASON)
    page.get_by_role("textbox", name="Why do you ban").press("Enter")
    expect(page.locator("#section")).to_contain_text(f"Banned: {REASON}")
    status, refused = site.call("GET", "/v1/me", Authorization=f"Bearer {bob.token}")
    assert (status, refused["code"]) == (403, "banned")
    assert ada.call("GET", f"/v1/matches/{match}")["status"] != "active"
    page.get_by_role("button", name="Lift the ban").click()
    page.get_by_role("dialog").get_by_role("button", name="Lift the ban").click()
    expect(page.get_by_role("button", name="Ban", exact=True)).to_be_visible()
    assert bob.call("GET", "/v1/me")["name"] == bob.name
    close_match(site, page, begin_match([bob, ada], game="qin"))
    check_sections(site, page)
    expect(page.locator("#section")).to_contain_text(REASON)  # in the log of operators
