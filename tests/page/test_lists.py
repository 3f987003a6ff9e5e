"""Lists of matches: invitations that players decline, and rows that change while someone reads."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from domain.games import GAMES
from tests.page.visitors import Visitor
from tests.page.visits import Visit
from tests.support.patience import eventually
from tests.support.whole_service import Service

GAME = next(iter(GAMES))
TOP = "(one) => one.getBoundingClientRect().top"


@pytest.fixture
def ann(site: Service) -> Visitor:
    return Visitor(site, "List Ann")


@pytest.fixture
def bob(site: Service) -> Visitor:
    return Visitor(site, "List Bob")


def open_table(host: Visitor, *others: dict[str, Any], **terms: str) -> str:
    """The id of a table with a seat for its host, and these others."""
    body = {"game": GAME, "seats": [{"me": True}, *others], **terms}
    match: str = host.call("POST", "/v1/matches", body)["id"]
    return match


def await_invitation(player: Visitor, match: str) -> None:
    """Wait until the lists have the invitation."""
    path = "/v1/matches?status=open"
    eventually(lambda: match in [one["id"] for one in player.call("GET", path)["matches"]])


def test_an_invited_player_declines_in_a_list_and_the_host_reads_it(
    site: Service, visit: Visit, ann: Visitor, bob: Visitor
) -> None:
    """By keyboard; the row goes, the badge counts it no more, and no script is needed to read."""
    match = open_table(ann, {"invite": bob.name}, visibility="private")
    await_invitation(bob, match)
    host = visit(f"{site.url}/matches/{match}", storage_state=ann.state)
    page = visit(f"{site.url}/turns", storage_state=bob.state)
    row, badge = page.locator(f"#m-{match}"), page.locator("#badge")
    expect(row.locator(".chips")).to_contain_text(f"{bob.name} · invited")
    expect(badge).to_have_text("1")
    row.get_by_role("button", name="Decline").press("Enter")
    page.locator("dialog[open] button:not(.grave)").click()
    expect(row).to_have_count(1)
    row.get_by_role("button", name="Decline").press("Enter")
    page.locator("dialog[open] button.grave").press("Enter")
    expect(row).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.locator("#toasts")).to_contain_text("You declined")
    expect(badge).to_have_text("")
    expect(host.locator("#table")).to_contain_text(f"{bob.name} declined")
    expect(host.get_by_role("button", name="Start with bots")).to_be_visible()
    host.goto(f"{site.url}/turns")
    expect(host.locator(f"#m-{match} .chips")).to_contain_text(f"{bob.name} declined")


def test_an_invited_player_declines_at_the_table_and_others_may_sit(
    site: Service, visit: Visit, ann: Visitor, bob: Visitor
) -> None:
    match = open_table(ann, {"invite": bob.name}, {"open": True})
    await_invitation(bob, match)
    stranger = visit(f"{site.url}/matches/{match}")
    expect(stranger.locator("[data-do=decline]")).to_have_count(0)
    expect(stranger.locator("[data-do=join]")).to_have_count(1)
    page = visit(f"{site.url}/matches/{match}", storage_state=bob.state)
    page.locator("[data-do=decline]").click()
    page.locator("dialog[open] button.grave").click()
    page.wait_for_url("**/turns")
    expect(stranger.locator("[data-do=join]")).to_have_count(2)


def test_a_list_offers_new_rows_while_someone_aims_at_it_and_else_changes_by_itself(
    site: Service, visit: Visit, ann: Visitor, bob: Visitor
) -> None:
    """Nothing moves before they want it; screen readers hear of it, and a key leads to it."""
    first = open_table(ann, {"open": True})
    page = visit(site.url, storage_state=bob.state)
    link = page.locator(f"#m-{first} a").first
    link.focus()
    at = link.evaluate(TOP)
    second = open_table(ann, {"open": True})
    offer = page.locator("[role=status]").get_by_role("button", name="The list has changed")
    expect(offer).to_be_visible()
    assert page.locator(f"#m-{second}").count() == 0
    assert link.evaluate(TOP) == at
    page.keyboard.press("Shift+Tab")
    expect(offer).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f"#m-{second} a").first).to_be_focused()
    expect(offer).to_have_count(0)
    third = open_table(ann, {"open": True})
    expect(offer).to_be_visible()
    page.locator("h1").click()
    page.locator(f"#m-{second} a").first.blur()
    expect(page.locator(f"#m-{third}")).to_be_visible()
    expect(offer).to_have_count(0)
