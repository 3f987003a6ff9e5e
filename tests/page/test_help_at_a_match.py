"""What helps a player at a match: the player aid, and hints against bots."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import expect

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from tests.page.axe import OF_LAYOUT, faults
from tests.page.hands import LIT, READY, Finger, Hand, Mouse
from tests.page.test_layout import PHONE
from tests.page.visitors import Visitor, begin_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

SHEET = re.compile(rb"/Type /Page\b")
HINT = "[data-do=hints]"
SIDEWAYS = {"width": 844, "height": 390}
AGAINST_BOT = {"game": "qin", "seats": [{"me": True}, {"bot": GAMES["qin"].levels[0].key}]}


@pytest.fixture(scope="module")
def player(site: Service) -> Visitor:
    return Visitor(site, "Helped")


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        pytest.param(Mouse, {}, id="mouse"),
        *(
            pytest.param(
                Finger, {"viewport": size, "has_touch": True, "is_mobile": True}, id=f"finger-{at}"
            )
            for at, size in (("upright", PHONE), ("sideways", SIDEWAYS))
        ),
    ],
)
def test_the_player_aid_is_one_touch_away(
    site: Service, visit: Visit, player: Visitor, kind: type[Hand], options: dict[str, object]
) -> None:
    """It opens and closes by a button in sight, and its numbers open their rules."""
    match = begin_match([player], **AGAINST_BOT, visibility="private")
    page = visit(f"{site.url}/matches/{match}", storage_state=player.state, **options)
    page.wait_for_selector(f"{READY} {LIT}", state="attached")
    hand, aid = kind(page, Random(1)), page.locator("#aid")
    expect(aid).to_be_hidden()
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_player_aid_of_each_game_prints_on_one_sheet(
    site: Service, visit: Visit, language: str
) -> None:
    page = visit(f"{site.url}/")
    for game in GAMES:
        page.goto(f"{site.url}/rules/{game}/aid?language={language}")
        assert len(SHEET.findall(page.pdf(format="A4"))) == 1, game


def test_a_hint_chooses_its_move_and_leaves_the_decision_to_the_player(
    site: Service, visit: Visit, player: Visitor
) -> None:
    match = begin_match([player], **AGAINST_BOT, visibility="private")
    page = visit(f"{site.url}/matches/{match}", storage_state=player.state)
    page.wait_for_selector(f"{READY} {LIT}", state="attached")
    received = player.call("GET", f"/v1/matches/{match}/hints")["hints"]
    page.click(HINT)
    lines = page.locator("#hints li")
    expect(lines).to_have_count(len(received))
    for line, hint in zip(lines.all(), received, strict=True):
        for reason in hint["reasons"]:
            expect(line).to_contain_text(reason)
    lines.nth(1).locator("button").click()
    expect(page.locator("#does li").first).to_have_text(received[1]["sentences"][0]["text"])
    version = player.call("GET", f"/v1/matches/{match}")["version"]
    page.click("[data-do=confirm]")
    expect(lines).to_have_count(0)
    made = player.call("GET", f"/v1/matches/{match}/events?after={version}&limit=1")["events"][0]
    assert made["move"] == received[1]["move"]


def test_a_rated_match_offers_no_hints(site: Service, visit: Visit, player: Visitor) -> None:
    match = begin_match([player], **AGAINST_BOT)
    assert player.call("GET", f"/v1/matches/{match}")["unrated"] is None
    page = visit(f"{site.url}/matches/{match}", storage_state=player.state)
    page.wait_for_selector(f"{READY} {LIT}", state="attached")
    expect(page.locator(HINT)).to_be_hidden()
    player.call("POST", f"/v1/matches/{match}/resign")
