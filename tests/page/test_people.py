"""Following, blocking and inviting in a real browser: on a profile, and in one's lists."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from domain.engine.sentences import LANGUAGES
from tests.page.test_pages import ORIGIN, show_page
from tests.page.visitors import Visitor
from tests.page.visits import Visit
from tests.service.api.conftest import Api
from tests.support.patience import eventually
from tests.support.whole_service import Service

PHONE = {"width": 320, "height": 640}
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def people(site: Service) -> tuple[Visitor, Visitor]:
    return Visitor(site, "Keeps Lists"), Visitor(site, "Is Listed")


def press(page: Page, action: str) -> None:
    page.locator(f"[data-do={action}]").first.click()


def test_a_player_is_followed_and_invited_with_two_touches(
    site: Service, visit: Visit, people: tuple[Visitor, Visitor]
) -> None:
    ann, bob = people
    page = visit(f"{site.url}/players/{bob.id}", storage_state=ann.state)
    press(page, "follow")
    page.locator("[data-do=unfollow]").wait_for()
    page.locator("header nav").get_by_role("link", name="People").click()
    row = page.locator(f"#follows-{bob.id}")
    expect(row).to_contain_text(bob.name)
    row.get_by_role("button", name=f"Invite {bob.name}").click()
    page.wait_for_url(re.compile("/matches/[a-z0-9]{12}$"))
    match = page.url.rpartition("/")[2]
    seats = bob.call("GET", f"/v1/matches/{match}")["seats"]
    assert [(seat["player"], seat["invited"]) for seat in seats] == [(ann.id, None), (None, bob.id)]
    page.goto(f"{site.url}/people")
    assert row.get_by_text("here now").count() == 0
    bob.call("PUT", "/v1/me/presence", {"shown": True})
    page.reload()
    expect(row).to_contain_text("here now")
    press(page, "presence")
    page.get_by_role("button", name="Hide when I am here").wait_for()
    assert ann.call("GET", "/v1/me/presence") == {"shown": True}
    row.get_by_role("button", name=f"Follow {bob.name} no longer").click()
    expect(page.locator("#follows")).to_have_count(0)
    assert ann.call("GET", "/v1/me/follows")["players"] == []


def test_a_block_asks_first_and_can_be_ended_on_both_pages(
    site: Service, visit: Visit, people: tuple[Visitor, Visitor]
) -> None:
    ann, bob = people
    page = visit(f"{site.url}/players/{bob.id}", storage_state=ann.state)
    for is_sure in (False, True):
        press(page, "block")
        question = page.locator("dialog[open]")
        expect(question).to_contain_text(bob.name)
        question.locator("button.grave" if is_sure else "button:not(.grave)").click()
        question.wait_for(state="detached")
        eventually(
            lambda: len(ann.call("GET", "/v1/me/blocks")["players"]) == is_sure  # noqa: B023
        )
    page.locator("[data-do=unblock]").wait_for()
    other = visit(f"{site.url}/players/{ann.id}", storage_state=bob.state, faults=("404",))
    expect(other.locator("body")).not_to_contain_text(ann.name)
    page.goto(f"{site.url}/people")
    page.get_by_role("button", name=f"Block {bob.name} no longer").click()
    expect(page.locator("#blocks")).to_have_count(0)
    other.reload()
    expect(other.locator("h1")).to_have_text(ann.name)


@pytest.mark.parametrize(
    "language", [pytest.param(one, marks=[pytest.mark.long] * (one != "en")) for one in LANGUAGES]
)
def test_the_lists_fit_a_phone_in_every_language(
    site: Service, visit: Visit, people: tuple[Visitor, Visitor], language: str
) -> None:
    ann, bob = people
    other = Visitor(site, "A Name Of Twenty Eight Chars")
    for one, name in ((bob, "follows"), (other, "blocks")):
        ann.call("PUT", f"/v1/me/{name}/{one.id}")
    at = f"{site.url}/people?language={language}"
    page = visit(at, storage_state=ann.state, viewport=PHONE)
    expect(page.locator("#people li")).to_have_count(2)
    assert page.evaluate(OVERFLOW) <= 0
    for button in page.locator("#people li button").all():
        box = button.bounding_box()
        assert box
        assert box["height"] >= 40
        assert button.get_attribute("aria-label")
    page.keyboard.press("Tab")
    reached = set[str]()
    for _ in range(20):
        reached.add(page.evaluate("document.activeElement.dataset.do ?? ''"))
        page.keyboard.press("Tab")
    assert reached >= {"invite", "unfollow", "unblock"}


def test_nobody_follows_themselves_or_a_bot(client: FlaskClient, ann: Api, bob: Api) -> None:
    followable = f"/players/{bob.id}"
    assert "data-do=" not in show_page(client, followable).text, "signed out"
    client.post("/v1/session", json={"token": ann.token}, headers=ORIGIN)
    assert 'data-do="follow"' in show_page(client, followable).text
    for who in (ann.id, "bot:li_mu"):
        assert "data-do=" not in show_page(client, f"/players/{who}").text
