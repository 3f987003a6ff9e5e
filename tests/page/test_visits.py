"""A visitor finds nothing of the one before, whose page they get."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.page.visitors import Visitor
from tests.page.visits import Visits
from tests.support.whole_service import Service

STORE = "localStorage.setItem('left', 'yes'), sessionStorage.setItem('left', 'yes')"
READ = """() => [
    localStorage.getItem("left"), sessionStorage.getItem("left"), window.left ?? null, innerWidth,
    matchMedia("(prefers-color-scheme: dark)").matches, navigator.onLine,
]"""
NOTHING = [None, None, None, 1280, False, True]


def leave_everything(page: Page) -> None:
    """Leave all that a test can leave in a context."""
    page.evaluate(STORE)
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(color_scheme="dark")
    page.context.new_page()
    page.route("**/*", lambda route: route.abort())
    page.context.set_offline(True)


def test_a_visitor_finds_nothing_of_the_one_before(site: Service, visits: Visits) -> None:
    address, before = f"{site.url}/settings", Visitor(site, "Before")
    with visits.begin() as visit:
        page = visit(address, storage_state=before.state)
        assert page.get_attribute("html", "data-me") == before.id
        leave_everything(page)
    with visits.begin() as visit:
        assert visit(address) is page
        assert page.get_attribute("html", "data-me") == ""
        assert page.evaluate(READ) == NOTHING
        assert page.context.pages == [page]


def test_a_prepared_page_is_not_used_again(site: Service, visits: Visits) -> None:
    address = f"{site.url}/settings"
    with visits.begin() as visit:
        visit(address, before=lambda page: page.add_init_script("window.left = 1"))
    with visits.begin() as visit:
        assert visit(address).evaluate(READ) == NOTHING
