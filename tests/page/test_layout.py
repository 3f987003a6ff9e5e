"""Every match fits a phone, a tablet and a desktop: nothing overflows, and the button that confirms
a move is in reach of a thumb, far from the one that resigns.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from tests.page.conftest import Visit
from tests.page.hands import CONFIRM, Mouse
from tests.page.visitors import Visitor, await_settled, begin_match
from tests.support.whole_service import Service

SIZES: tuple[ViewportSize, ...] = (
    {"width": 360, "height": 640},
    {"width": 768, "height": 1024},
    {"width": 1280, "height": 800},
)
THUMB = 44  # pixels
LINE = 30  # pixels: the text of a seat is one line
FAR = 60
"""Minimum distance in pixels between the buttons that confirm and that resign."""
PHONE: ViewportSize = {"width": 390, "height": 844}
OF_GAMES = ("/rules/{}", "/leaderboards/{}", "/statistics/{}", "/new/{}")
SEED = "3" * 64
BOX = """thing => {
    const { left, top, right, bottom } = thing.getBoundingClientRect();
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return { left, top, right, bottom, free: thing.contains(at) };
}"""
STICKS_OUT = """() => {
    const wide = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= wide) return [];
    return [...document.querySelectorAll("body *")]
        .filter((one) => one.getBoundingClientRect().right > wide + 1).map((one) => one.outerHTML);
}"""


@pytest.fixture(scope="module")
def people(site: Service) -> list[Visitor]:
    return [Visitor(site, "Layout of the table"), Visitor(site, "A name as long as any can be")]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_fits_every_screen(
    site: Service, visit: Visit, people: list[Visitor], game: str
) -> None:
    match = begin_match(people, game=game, seed=SEED)
    seat = people[0].call("GET", f"/v1/matches/{match}")["awaiting"][0]["seat"]
    page = visit(site.url, storage_state=people[seat].state)
    for language in LANGUAGES:
        page.goto(f"{site.url}/matches/{match}?language={language}")
        await_settled(page)
        Mouse(page, Random(0)).choose()
        for size in SIZES:
            page.set_viewport_size(size)
            fits(page, size)


def test_every_other_page_fits_a_phone(site: Service, visit: Visit, people: list[Visitor]) -> None:
    page = visit(site.url, storage_state=people[0].state, viewport=PHONE)
    paths = [path.format(game) for path in OF_GAMES for game in GAMES]
    for path in (*paths, "/turns", "/settings", f"/players/{people[0].id}", "/"):
        page.goto(site.url + path)
        assert page.evaluate(STICKS_OUT) == [], path


def fits(page: Page, size: ViewportSize) -> None:
    """The page fits a screen of this size, with a move that waits for confirmation."""
    page.evaluate("scrollTo(0, 0)")
    assert page.evaluate(STICKS_OUT) == [], size
    for about in page.locator(".about:visible").all():
        assert about.bounding_box()["height"] < LINE, (size, about.inner_text())
    confirm = box(page, CONFIRM)
    assert confirm["free"], (size, confirm)
    assert confirm["top"] >= 0, (size, confirm)
    assert confirm["bottom"] <= size["height"], (size, confirm)
    assert min(confirm["right"] - confirm["left"], confirm["bottom"] - confirm["top"]) >= THUMB
    board, bar = box(page, "#board"), box(page, "#bar")
    covered = bar["top"] if bar["left"] < board["right"] else size["height"]
    seen = min(board["bottom"], covered, size["height"]) - board["top"]
    assert board["top"] >= 0, (size, board)
    assert seen >= 0.35 * size["height"], (size, board, bar)
    page.evaluate("document.getElementById('more').open = true")
    resign = page.locator("button[data-do=resign]")
    resign.scroll_into_view_if_needed()
    confirm, resign_at = box(page, CONFIRM), box(page, "button[data-do=resign]")
    assert apart(confirm, resign_at) >= FAR, (size, confirm, resign_at)
    page.evaluate("document.getElementById('more').open = false")


def box(page: Page, selector: str) -> Any:
    """The position of an element on the screen, and whether its centre is uncovered."""
    return page.locator(selector).evaluate(BOX)


def apart(one: Any, other: Any) -> float:
    """The distance of two boxes in pixels, across or down."""
    across = max(one["left"] - other["right"], other["left"] - one["right"])
    down = max(one["top"] - other["bottom"], other["top"] - one["bottom"])
    return float(max(across, down))
