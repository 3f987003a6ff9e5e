"""Every match fits a phone, a tablet and a desktop: nothing overflows, and the button that confirms
a move is in reach of a thumb, far from the one that resigns.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize

from domain.games import GAMES
from tests.page.hands import CONFIRM, Mouse
from tests.page.visitors import Visitor, await_settled, begin_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

IN_CHINESE = [
    pytest.param(game, marks=() if last else pytest.mark.long)
    for game, last in zip(GAMES, [*[False] * (len(GAMES) - 1), True], strict=True)
]
"""Games whose match is seen in Chinese; test_every_game sees all in English, which has the longest
texts. In both Chinese scripts they take the same room.
"""
DESK: ViewportSize = {"width": 1280, "height": 800}
SIZES: tuple[ViewportSize, ...] = (
    {"width": 360, "height": 640},
    {"width": 768, "height": 1024},
    DESK,
)
THUMB = 44  # pixels
LINE = 30  # pixels: the text of a seat is one line
RESIGN = "button[data-do=resign]"
FAR = 60
"""Minimum distance in pixels between the buttons that confirm and that resign."""
PHONE: ViewportSize = {"width": 390, "height": 844}
SEED = "3" * 64
PLACES = """names => {
    const place = (thing) => {
        const { left, top, right, bottom, height } = thing.getBoundingClientRect();
        const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return { left, top, right, bottom, height, free: thing.contains(at) };
    };
    return names.map((name) => [...document.querySelectorAll(name)]
        .filter((one) => one.checkVisibility()).map(place));
}"""
"""The places on the screen of the visible elements of each selector, and whether their centres are
uncovered.
"""
STICKS_OUT = """() => {
    const wide = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= wide) return [];
    return [...document.querySelectorAll("body *")]
        .filter((one) => one.getBoundingClientRect().right > wide + 1).map((one) => one.outerHTML);
}"""

CUT = """() => {
    const lists = [...document.querySelectorAll("select")].filter((one) => one.checkVisibility());
    const widths = () => lists.map((one) => one.getBoundingClientRect().width);
    const rooms = widths();
    lists.forEach((one) => one.style.setProperty("width", "max-content"));
    const needed = widths();
    lists.forEach((one) => one.style.removeProperty("width"));
    return lists.filter((_, at) => rooms[at] && rooms[at] < needed[at] - 1)
        .map((one) => `${one.name}: ${[...one.options].map(({ text }) => text)}`);
}"""
"""The lists with a choice that is wider than their box; all are widened at once, because each
change lays out the page again.
"""
CHARTS_ARE_SHOWN = """() => [...document.querySelectorAll(".chart")].every((chart) => {
    const { currentSrc, complete, naturalWidth } = chart.querySelector("img");
    const isNarrow = matchMedia(chart.querySelector("source").media).matches;
    const isShown = complete && naturalWidth && [currentSrc.includes("narrow"), naturalWidth < 400]
        .every((one) => one === isNarrow);
    if (!isShown) chart.scrollIntoView();
    return isShown;
})"""
"""Whether all charts are shown; scrolls to the first that is not, which loads it."""
CHART_SIZES = """(charts) => charts.map((chart) => {
    const { naturalWidth, clientWidth } = chart.querySelector("img");
    return [naturalWidth, clientWidth, chart.scrollWidth - chart.clientWidth];
})"""
"""Of each chart the width of the drawing, its width on the screen, and how much its frame cuts off.
"""
WIDTHS = (360, 481, 768, 1024)

TEXT_LENGTHS = """() => {
  const texts = [...document.querySelectorAll("#board text")];
  const key = (one) => `${one.textContent} ${one.getAttribute("font-size")}`;
  return Object.fromEntries(texts.map((one) => [key(one), one.getComputedTextLength()]));
}"""
"""The lengths of the texts on the map, in the unit of the picture."""


@pytest.fixture(scope="module")
def people(site: Service) -> list[Visitor]:
    return [Visitor(site, "Layout of the table"), Visitor(site, "A name as long as any can be")]


@pytest.mark.parametrize("game", IN_CHINESE)
def test_a_match_in_chinese_fits_every_screen(
    site: Service, visit: Visit, people: list[Visitor], game: str
) -> None:
    match = begin_match(people, game=game, seed=SEED)
    seat = people[0].call("GET", f"/v1/matches/{match}")["awaiting"][0]["seat"]
    address = f"{site.url}/matches/{match}?language=zh-Hant"
    page = visit(address, storage_state=people[seat].state)
    await_settled(page)
    fits_every_screen(page)


def fits_every_screen(page: Page) -> None:
    """The page of a match fits all screens, with a move that waits for confirmation."""
    Mouse(page, Random(0)).choose()
    lengths = []
    for size in SIZES:
        page.set_viewport_size(size)
        fits(page, size)
        lengths.append(page.evaluate(TEXT_LENGTHS))
    for text, length in lengths[0].items():  # boxes are as wide as texts should be
        assert all(one.get(text, length) == pytest.approx(length, rel=0.01) for one in lengths), (
            text
        )


def test_rules_of_every_game_fit_a_phone(site: Service, visit: Visit) -> None:
    """The test below looks at forms, and test_accessible at a page of each other kind."""
    page = visit(f"{site.url}/turns", viewport=PHONE)
    for game in GAMES:
        page.goto(f"{site.url}/rules/{game}")
        assert page.evaluate(STICKS_OUT) == [], game


def test_no_choice_in_a_form_is_cut(site: Service, visit: Visit) -> None:
    """At any width, also in lists that are folded at first."""
    page, found = visit(f"{site.url}/turns"), {}
    for path in ("/", "/settings", *(f"/new/{game}" for game in GAMES)):
        page.goto(site.url + path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            found[path, width] = page.evaluate(CUT) + page.evaluate(STICKS_OUT)
    assert {at: cut for at, cut in found.items() if cut} == {}


def fits(page: Page, size: ViewportSize) -> None:
    """The page fits a screen of this size, with a move that waits for confirmation."""
    page.evaluate("scrollTo(0, 0)")
    assert page.evaluate(STICKS_OUT) == [], size
    abouts, [confirm], [board], [bar] = places(page, ".about", CONFIRM, "#board", "#bar")
    assert all(about["height"] < LINE for about in abouts), (size, abouts)
    assert confirm["free"], (size, confirm)
    assert confirm["top"] >= 0, (size, confirm)
    assert confirm["bottom"] <= size["height"], (size, confirm)
    assert min(confirm["right"] - confirm["left"], confirm["bottom"] - confirm["top"]) >= THUMB
    covered = bar["top"] if bar["left"] < board["right"] else size["height"]
    seen = min(board["bottom"], covered, size["height"]) - board["top"]
    assert board["top"] >= 0, (size, board)
    assert seen >= min(board["height"], 0.35 * size["height"]), (size, board, bar)
    page.evaluate("document.getElementById('more').open = true")
    page.locator(RESIGN).scroll_into_view_if_needed()
    [confirm], [resign] = places(page, CONFIRM, RESIGN)
    assert apart(confirm, resign) >= FAR, (size, confirm, resign)
    page.evaluate("document.getElementById('more').open = false")


def places(page: Page, *selectors: str) -> Any:
    """The places on the screen of the visible elements of each selector."""
    return page.evaluate(PLACES, selectors)


def apart(one: Any, other: Any) -> float:
    """The distance of two boxes in pixels, across or down."""
    across = max(one["left"] - other["right"], other["left"] - one["right"])
    down = max(one["top"] - other["bottom"], other["top"] - one["bottom"])
    return float(max(across, down))


def test_charts_fit_their_frame_with_legible_letters(site: Service, visit: Visit) -> None:
    """At each width, also on a phone; the smallest letters of a drawing have 11 px."""
    page = visit(f"{site.url}/statistics/qin")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(CHARTS_ARE_SHOWN)
        sizes = page.locator(".chart").evaluate_all(CHART_SIZES)
        assert sizes
        for drawn, shown, overflow in sizes:
            assert (overflow, shown >= drawn) == (0, True), (width, drawn, shown)
