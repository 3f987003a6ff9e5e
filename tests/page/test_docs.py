"""The page of the REST interface: it loads the core first, finds operations, and everybody can use
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from domain.games import GAMES
from tests.page.axe import OF_COLOURS, faults
from tests.page.light import MAX_LIGHT, light_share
from tests.page.test_accessible import ENLARGED
from tests.page.test_layout import STICKS_OUT
from tests.page.visits import USUAL
from tests.page.watched import PageWatcher
from tests.support.patience import PATIENCE_S
from tests.support.whole_service import Service

OPERATION = ".opblock"
PATH = ":is(.opblock-tag-section, .operations-virtual) .opblock-summary-path"
"""Paths of operations, not of webhooks; of many operations only those in sight are drawn."""
REGISTER = "#operations-players-registerPlayer"
SOME = "/players$|/games$|/games/"
"""The paths of some operations."""
GAME = next(iter(GAMES))
SHORT = {
    "openapi": "3.1.0",
    "info": {"title": "A short contract", "version": "1"},
    "paths": {"/v1/players": {"post": {"operationId": "registerPlayer", "responses": {}}}},
}
pytestmark = pytest.mark.slow


@pytest.fixture(
    scope="module", params=[pytest.param(SOME, id="some"), pytest.param("", marks=pytest.mark.long)]
)
def loaded(
    request: pytest.FixtureRequest, site: Service, browser: Browser
) -> Iterator[tuple[Page, PageWatcher]]:
    """The page with some operations, for all tests; all take the browser seconds."""

    def shorten(route: Route) -> None:
        answer = route.fetch()
        contract = answer.json()
        paths = contract["paths"]
        contract["paths"] = {at: paths[at] for at in paths if re.search(request.param, at)}
        assert len(contract["paths"]) > 2
        route.fulfill(response=answer, json=contract)

    context = browser.new_context(**USUAL)
    context.set_default_timeout(1000 * PATIENCE_S)
    watched = PageWatcher(context)
    page = context.new_page()
    page.route("**/openapi/core.json", shorten)
    page.goto(f"{site.url}/docs")
    expect(page.locator(OPERATION).first).to_be_visible()
    yield page, watched
    context.close()


@pytest.fixture
def docs(loaded: tuple[Page, PageWatcher]) -> Iterator[Page]:
    """The page as the test before left it; if it has reported an error, the test fails."""
    page, watched = loaded
    yield page
    watched.check()


def test_the_search_finds_operations_by_all_of_its_words(docs: Page) -> None:
    search = docs.get_by_label("Search")
    search.fill("nonsense")
    expect(docs.locator(PATH)).to_have_count(0)
    search.fill("registerPlayer player")
    expect(docs.locator(PATH)).to_have_count(1)
    assert "players" in docs.locator(PATH).inner_text()


def test_everybody_can_use_it_and_it_is_dark_at_night(docs: Page, counter: Page) -> None:
    docs.emulate_media(color_scheme="dark")
    assert light_share(docs, counter) <= MAX_LIGHT
    docs.emulate_media(color_scheme="light")
    docs.locator(f"{REGISTER} .opblock-summary-control").click()
    docs.locator(".try-out__btn").click()
    docs.locator(".execute").click()
    expect(docs.locator(".live-responses-table").first).to_be_visible()
    found = faults(docs)
    assert found == [], found
    docs.emulate_media(color_scheme="dark")
    docs.set_viewport_size(ENLARGED)
    found = faults(docs, OF_COLOURS)
    assert found == [], found
    assert docs.evaluate(STICKS_OUT) == []


def test_the_core_comes_first_and_a_game_when_it_is_chosen(docs: Page) -> None:
    """The last test: it leaves the page with the contract of a game, which has one operation: to
    show a whole one takes the browser seconds.
    """
    asked: list[str] = docs.evaluate("performance.getEntriesByType('resource').map((r) => r.name)")
    assert [one.partition("/openapi")[2] for one in asked if "openapi" in one] == ["/core.json"]
    docs.route(f"**/openapi/{GAME}.json", lambda route: route.fulfill(json=SHORT))
    with docs.expect_request(f"**/openapi/{GAME}.json"):
        docs.get_by_label("Records of").select_option(GAME)
    expect(docs.locator(".info .url")).to_contain_text(f"/openapi/{GAME}.json")
    expect(docs.locator(OPERATION)).to_have_count(1)
