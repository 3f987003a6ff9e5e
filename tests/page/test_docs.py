"""The page of the REST interface: it loads the core first, finds operations, and everybody can use
it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

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
GAME = next(iter(GAMES))
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def loaded(site: Service, browser: Browser) -> Iterator[tuple[Page, PageWatcher]]:
    """The page, with all operations shown, for all tests: it takes seconds to load."""
    context = browser.new_context(**USUAL)
    context.set_default_timeout(1000 * PATIENCE_S)
    watched = PageWatcher(context)
    page = context.new_page()
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
    search.fill("listLegalMoves legal")
    expect(docs.locator(PATH)).to_have_count(1)
    assert "legal-moves" in docs.locator(PATH).inner_text()
    search.fill("nonsense")
    expect(docs.locator(PATH)).to_have_count(0)
    search.fill("")
    expect(docs.locator(PATH).first).to_be_visible()


def test_it_is_dark_at_night(docs: Page, counter: Page) -> None:
    docs.emulate_media(color_scheme="dark")
    assert light_share(docs, counter) <= MAX_LIGHT
    docs.emulate_media(color_scheme="light")


def test_everybody_can_use_it(docs: Page) -> None:
    docs.get_by_label("Search").fill("registerPlayer")
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
    """The last test: it leaves the page with the contract of a game."""
    asked: list[str] = docs.evaluate("performance.getEntriesByType('resource').map((r) => r.name)")
    assert [one.partition("/openapi")[2] for one in asked if "openapi" in one] == ["/core.json"]
    with docs.expect_request(f"**/openapi/{GAME}.json"):
        docs.get_by_label("Records of").select_option(GAME)
    expect(docs.locator(".info .url")).to_contain_text(f"/openapi/{GAME}.json")
    expect(docs.locator(OPERATION).first).to_be_visible()
