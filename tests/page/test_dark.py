"""At night no page is a lamp, and on paper each is. test_accessible looks at every page by night,
boards and panels included, and test_docs at the page of the interface.
"""

from __future__ import annotations

from playwright.sync_api import Page

from tests.page.light import MAX_LIGHT, light_share
from tests.page.visitors import Visitor, await_settled, begin_match
from tests.page.visits import Visit
from tests.support.whole_service import Service


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
