"""Fingers on a small board: what is close together comes closer first, or is magnified."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from domain.games import GAMES
from service.page.texts import TEXTS
from tests.page.hands import CONFIRM, Finger
from tests.page.test_deeds import alone, at
from tests.page.visitors import Visitor, play_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

TELEPHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}

LARGE_TELEPHONE = {**TELEPHONE, "viewport": {"width": 390, "height": 844}}

LOWEST_PX = 134
"""The height of a sheet with its grip, two lines and its buttons."""
MOVES = 12
"""Number of moves after which a seat decides that has moved before, and others since."""
AWAY_PX = 30
"""How far from a panel a finger leaves the row: less than half of the width of a panel."""
SCROLL_TO = """(row, [number, missed]) => {
    const { offsetWidth } = row;
    const all = [...row.children].map((one) => one.getBoundingClientRect());
    const { left, width } = all[number];
    const middle = left + width / 2 - row.getBoundingClientRect().left - offsetWidth / 2;
    row.scrollTo({ left: row.scrollLeft + middle + missed, behavior: "instant" });
}"""
"""Scroll a row to one of its panels, and miss it by some pixels."""
IS_CENTRED = """(number) => {
    const row = document.getElementById("own");
    const [one, all] = [row.children[number], row].map((each) => each.getBoundingClientRect());
    const away = one.left + one.width / 2 - all.left - all.width / 2;
    const room = away < 0 ? row.scrollLeft : row.scrollWidth - row.clientWidth - row.scrollLeft;
    return Math.abs(away) < 1 || room < 1;
}"""
"""Whether a panel of the hand is in the middle, or the row ends there."""

SHOWS_WHAT_IS_LIT = """() => [...document.querySelectorAll("#own .can-touch")].some((one) => {
    const { left, right } = one.getBoundingClientRect();
    return left >= 0 && right <= innerWidth;
})"""
"""Whether the row of the hand is scrolled to something that can be touched."""


@pytest.fixture(scope="module")
def both(site: Service) -> Visitor:
    """A player who takes both seats of a table."""
    return Visitor(site, "Fingers")


def test_fingers_on_a_small_board_aim_first_or_hold_a_magnifier(
    site: Service, visit: Visit, both: Visitor
) -> None:
    page = at(site, visit, both, alone(both, "qin"), **TELEPHONE)
    board, path = page.locator("#board > .view"), page.locator("#prompt .named")
    page.locator(".can-touch[data-at^=tile]").first.tap()
    expect(path).to_have_count(1)
    hold(page, ".can-touch[data-at^=space]")
    expect(path).not_to_have_count(1)
    page.click("[data-do=back]")
    expect(path).to_have_count(1)
    before = board.bounding_box()
    page.locator("#board .can-touch").first.tap()  # one of many: they come closer
    expect(path).to_have_count(1)
    after = board.bounding_box()
    assert before
    assert after
    assert after["width"] > 1.2 * before["width"]
    expect(page.locator("#prompt .zoomed")).to_have_text(TEXTS["en"]["zoomed"])
    page.locator("#board .can-touch").first.tap()
    expect(path).not_to_have_count(1)
    expect(page.locator("#prompt .zoomed")).to_have_count(0)
    assert_sheet_shows_buttons_in_each_height(page)


def assert_sheet_shows_buttons_in_each_height(page: Page) -> None:
    """Drag the grip of the sheet down and up, and tap it, after a touch."""
    heights = []
    for down in (150, -90, -400):
        drag_grip(page, down)
        heights.append(page.locator("#bar").get_attribute("data-sheet"))
        expect(page.locator("#prompt")).to_be_in_viewport(ratio=1)
        expect(page.locator("[data-do=back]")).to_be_in_viewport(ratio=1)
    assert heights == ["low", "half", "full"]
    page.locator("#grip").click()  # on a slow machine, a tap of a finger becomes a long press
    expect(page.locator("#bar")).to_have_attribute("data-sheet", "low")


def drag_grip(page: Page, down: int) -> None:
    """Drag the grip of the sheet down by this number of pixels with a finger."""
    box = page.locator("#grip").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    devtools = page.context.new_cdp_session(page)
    for kind, height in (("Start", y), ("Move", y + down / 2), ("Move", y + down)):
        point = {"x": x, "y": height, "id": 0}
        devtools.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": [point]})
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize("game", GAMES)
def test_the_hand_of_a_large_telephone_is_above_the_sheet(
    site: Service, visit: Visit, both: Visitor, game: str
) -> None:
    """Before the first touch, and with a chosen move; the sheet then has no other offers."""
    match = alone(both, game)
    play_match([both], match, MOVES, Random(game))
    page = at(site, visit, both, match, **LARGE_TELEPHONE)
    expect_above(page)
    Finger(page, Random(game)).choose()
    page.locator("#does li").first.wait_for()
    expect(page.locator("[data-do=since]")).to_be_hidden()
    page.evaluate("scrollTo(0, 0)")
    expect_above(page)


@pytest.mark.parametrize("game", GAMES)
def test_the_hand_of_a_small_telephone_is_above_the_sheet_while_it_is_needed(
    site: Service, visit: Visit, both: Visitor, game: str
) -> None:
    """As far as the sheet has room for its prompt and buttons, also once something in the hand is
    touched and a move is chosen. What is the same of two things, such as spaces, is said once.
    """
    page = at(site, visit, both, alone(both, game), **TELEPHONE)
    hand = page.locator("#own .can-touch")
    if not hand.count():
        return expect_row_that_snaps(page)
    assert page.evaluate(SHOWS_WHAT_IS_LIT)
    expect_above(page, LOWEST_PX)
    expect_row_that_snaps(page)
    hand.first.tap()
    if not page.locator(CONFIRM).count():
        Finger(page, Random(game)).choose()
    page.locator("#does li").first.wait_for()
    page.evaluate("scrollTo(0, 0)")
    if page.locator("#own .touched").count():
        expect_above(page, LOWEST_PX, "#does > :first-child")
    expect(page.locator(CONFIRM)).to_be_in_viewport(ratio=1)
    said = page.inner_text("#about").splitlines()
    assert len(said) == len(set(said))
    return None


def expect_row_that_snaps(page: Page) -> None:
    """The panels of the hand are side by side: wherever a finger leaves the row, one is in the
    middle, and the last one can be reached.
    """
    panels = page.locator("#own > .view")
    boxes = [bounding_box(one) for one in panels.all()]
    assert all(one["x"] + one["width"] <= other["x"] for one, other in pairwise(boxes))
    for number in range(panels.count()):
        for missed in (-AWAY_PX, 0, AWAY_PX):
            page.locator("#own").evaluate(SCROLL_TO, [number, missed])
            expect_centred(page, number)


def expect_above(page: Page, lowest_px: float = 0, first: str = "#prompt") -> None:
    """All that the player owns is above the sheet, unless this has its least height, and the sheet
    shows what comes first in it.
    """
    own, bar = (bounding_box(page.locator(one)) for one in ("#own", "#bar"))
    assert own["y"] + own["height"] <= bar["y"] + 1 or bar["height"] <= lowest_px
    expect(page.locator(first)).to_be_in_viewport(ratio=0.5 if lowest_px else 1)


def expect_centred(page: Page, number: int) -> None:
    """A panel is in the middle of the row, as far as the row can be scrolled."""
    page.wait_for_function(IS_CENTRED, arg=number)


def bounding_box(one: Locator) -> FloatRect:
    found = one.bounding_box()
    assert found
    return found


def hold(page: Page, thing: str) -> None:
    """Hold a finger on a thing until a magnifier shows it, and lift it."""
    box = page.locator(thing).first.bounding_box()
    assert box
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": 0}
    devtools = page.context.new_cdp_session(page)
    devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(page.locator(".loupe use")).to_have_attribute("href", "#magnified")
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".loupe")).to_have_count(0)
