"""What helps a player at a match: the player aid, and hints against bots."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import ViewportSize, expect

from domain.engine.resources.rulebook import ENGLISH
from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from tests.page.axe import OF_LAYOUT, faults
from tests.page.hands import LIT, READY, Finger, Hand, Mouse
from tests.page.test_layout import DESK, PHONE
from tests.page.test_pages import ORIGIN, show_page
from tests.page.visitors import Visitor, begin_match
from tests.page.visits import Visit
from tests.service.api.conftest import Api
from tests.support.whole_service import Service

SHEET = re.compile(rb"/Type /Page\b")
HINT = "[data-do=hints]"
SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
TELEPHONE: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
AGAINST_BOT = {"game": "qin", "seats": [{"me": True}, {"bot": GAMES["qin"].levels[0].key}]}


@pytest.fixture(scope="module")
def player(site: Service) -> Visitor:
    return Visitor(site, "Helped")


@pytest.fixture(scope="module")
def match(player: Visitor) -> str:
    """The path of a match that gives hints."""
    return f"/matches/{begin_match([player], **AGAINST_BOT, visibility='private')}"


@pytest.mark.parametrize(
    ("kind", "options"),
    [pytest.param(Mouse, {}, id="mouse"), pytest.param(Finger, TELEPHONE, id="finger")],
)
def test_the_player_aid_is_one_touch_away(
    site: Service,
    visit: Visit,
    player: Visitor,
    match: str,
    kind: type[Hand],
    options: dict[str, Any],
) -> None:
    """It opens and closes by a button in sight, on a telephone also sideways, and its numbers open
    their rules.
    """
    page = visit(site.url + match, storage_state=player.state, **options)
    page.wait_for_selector(f"{READY} {LIT}", state="attached")
    hand, aid = kind(page, Random(1)), page.locator("#aid")
    expect(aid).to_be_hidden()
    for size in (PHONE, SIDEWAYS) if options else (DESK,):
        page.set_viewport_size(size)
        expect(page.locator("[popovertarget=aid]").first).to_be_in_viewport(ratio=1)
        hand.touch("[popovertarget=aid]")
        expect(aid).to_be_visible()
        assert faults(page, OF_LAYOUT if options else ()) == []  # the elements are the same
        hand.touch("#aid .row button")
        expect(aid).to_be_hidden()
    page.keyboard.press("h")
    expect(aid).to_be_visible()
    number = aid.locator("a.rule").first.inner_text()
    aid.locator("a.rule").first.click()
    rule = page.locator(f"dialog[open]:has([data-rule='{number}'])")
    expect(rule).to_contain_text(GAMES["qin"].rulebook.rules[number].split(". ")[0])


@pytest.mark.parametrize(
    "language",
    [pytest.param(one, marks=() if one == ENGLISH else pytest.mark.long) for one in LANGUAGES],
)
def test_the_player_aid_of_each_game_prints_on_one_sheet(
    site: Service, visit: Visit, language: str
) -> None:
    page = visit(f"{site.url}/")
    for game in GAMES:
        page.goto(f"{site.url}/rules/{game}/aid?language={language}")
        assert len(SHEET.findall(page.pdf(format="A4"))) == 1, game


def test_a_hint_chooses_its_move_and_leaves_the_decision_to_the_player(
    site: Service, visit: Visit, player: Visitor, match: str
) -> None:
    page = visit(site.url + match, storage_state=player.state)
    page.wait_for_selector(f"{READY} {LIT}", state="attached")
    received = player.call("GET", f"/v1{match}/hints")["hints"]
    page.click(HINT)
    lines = page.locator("#hints li")
    expect(lines).to_have_count(len(received))
    for line, hint in zip(lines.all(), received, strict=True):
        for reason in hint["reasons"]:
            expect(line).to_contain_text(reason)
    lines.nth(1).locator("button").click()
    expect(page.locator("#does li").first).to_have_text(received[1]["sentences"][0]["text"])
    version = player.call("GET", f"/v1{match}")["version"]
    page.click("[data-do=confirm]")
    expect(lines).to_have_count(0)
    made = player.call("GET", f"/v1{match}/events?after={version}&limit=1")["events"][0]
    assert made["move"] == received[1]["move"]


def test_a_rated_match_offers_no_hints(client: FlaskClient, ann: Api) -> None:
    client.post("/v1/session", json={"token": ann.token}, headers=ORIGIN)
    for visibility in ("private", "public"):
        made = ann.post("/v1/matches", {**AGAINST_BOT, "visibility": visibility}).json
        assert (made["unrated"] is None) == (visibility == "public")
        page = show_page(client, f"/matches/{made['id']}").text
        assert ("data-hints" in page) == (visibility == "private")
