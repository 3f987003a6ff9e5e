"""At night no page is a lamp: nearly all of it is darker than paper, boards and panels included."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from domain.games import GAMES
from tests.page.visitors import Visitor, await_settled, begin_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

SIZES = ((1280, 800), (390, 844))
PAGES = (
    *("/", "/turns", "/settings", "/docs", "/guide"),
    *(f"/{kind}/qin" for kind in ("rules", "new", "leaderboards", "statistics")),
)
MAX_LIGHT = 0.06
"""The share of light pixels: those of letters."""
LIGHT_SHARE = """async (shot) => {
  const image = Object.assign(new Image(), { src: `data:image/png;base64,${shot}` });
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height);
  let light = 0;
  for (let at = 0; at < data.length; at += 4) {
    light += Math.min(data[at], data[at + 1], data[at + 2]) > 195;
  }
  return light / (image.width * image.height);
}"""
"""The share of pixels of a screenshot that are about as light as paper."""


@pytest.fixture(scope="module")
def counter(browser: Browser) -> Iterator[Page]:
    """A blank page that counts pixels."""
    page = browser.new_page()
    yield page
    page.close()


def light_share(page: Page, counter: Page) -> float:
    """The share of light pixels on the screen."""
    share: float = counter.evaluate(LIGHT_SHARE, base64.b64encode(page.screenshot()).decode())
    return share


def test_every_page_is_dark_at_night(site: Service, visit: Visit, counter: Page) -> None:
    ann = Visitor(site, "Night")
    page = visit(f"{site.url}/turns", storage_state=ann.state, color_scheme="dark")
    matches = []
    for game, rules in GAMES.items():
        seats = [{"me": True}, {"bot": rules.levels[0].key}]
        matches.append(f"/matches/{begin_match([ann], game=game, seats=seats)}")
    found = {}
    for address in (*PAGES, *matches):
        page.goto(site.url + address)
        if address in matches:
            await_settled(page)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            found[address, width] = light_share(page, counter)
    assert {one: share for one, share in found.items() if share > MAX_LIGHT} == {}


def test_a_light_page_is_found(site: Service, visit: Visit, counter: Page) -> None:
    page = visit(f"{site.url}/turns", color_scheme="light")
    assert light_share(page, counter) > MAX_LIGHT


def test_a_match_prints_on_white_paper_at_night(site: Service, visit: Visit, counter: Page) -> None:
    ann = Visitor(site, "Night printer")
    match = begin_match([ann], game="qin", seats=[{"me": True}, {"bot": "li_mu"}])
    page = visit(f"{site.url}/matches/{match}", storage_state=ann.state, color_scheme="dark")
    await_settled(page)
    page.emulate_media(media="print", color_scheme="dark")
    page.locator("#log").scroll_into_view_if_needed()
    assert page.evaluate("getComputedStyle(document.querySelector('#log li')).color") == (
        "rgb(38, 34, 28)"
    )
    assert light_share(page, counter) > MAX_LIGHT
