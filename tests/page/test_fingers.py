"""Fingers on a small board: what is close together comes closer first, or is magnified."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from service.page.texts import TEXTS
from tests.page.test_deeds import alone, at
from tests.page.visitors import Visitor
from tests.page.visits import Visit
from tests.support.whole_service import Service

TELEPHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


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
