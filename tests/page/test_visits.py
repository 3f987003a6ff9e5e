"""A visitor finds nothing of the one before, whose page they get."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.page.visitors import Visitor
from tests.page.visits import Visit, Visits, paint
from tests.support.whole_service import Service

STORE = "localStorage.setItem('left', 'yes'), sessionStorage.setItem('left', 'yes')"
READ = """() => [
    localStorage.getItem("left"), sessionStorage.getItem("left"), window.left ?? null, innerWidth,
    matchMedia("(prefers-color-scheme: dark)").matches, navigator.onLine,
]"""
LIGHT = "/page/manifest.webmanifest"
"""An address without scripts."""
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


def test_a_listener_does_not_outlive_its_visit(site: Service, visits: Visits) -> None:
    heard: list[object] = []

    def hear(event: object) -> None:
        heard.append(event)

    with visits.begin() as visit:
        page = visit(f"{site.url}/settings")
        page.on("response", hear)
        page.context.on("request", hear)
        page.once("popup", hear)
        page.reload()
        assert heard
    heard.clear()
    with visits.begin() as visit:
        assert visit(f"{site.url}/settings") is page
        assert heard == []


LASTING: dict[str, Callable[[Page], object]] = {
    "a function": lambda page: page.expose_function("left", lambda: None),
    "a header": lambda page: page.set_extra_http_headers({"X-Left": "1"}),
    "a permission": lambda page: page.context.grant_permissions(["notifications"]),
    "the time": lambda page: page.clock.install(),
    "a patience": lambda page: page.set_default_timeout(1),
    "another origin": lambda page: page.goto(page.url.replace("127.0.0.1", "other.test")),
    "a page that is gone": lambda page: page.close(),
    "a context that is gone": lambda page: page.context.close(),
}
"""What stays with a page or its context."""


@pytest.mark.parametrize("leave", LASTING.values(), ids=LASTING)
def test_a_page_with_what_stays_is_not_used_again(
    site: Service, visits: Visits, leave: Callable[[Page], object]
) -> None:
    with visits.begin() as visit:
        page = visit(site.url + LIGHT)
        leave(page)
    with visits.begin() as visit:
        assert visit(site.url + LIGHT) is not page


def test_a_test_that_fails_leaves_no_page(site: Service, visits: Visits) -> None:
    pages: list[Page] = []

    def fail() -> None:
        with visits.begin() as visit:
            pages.append(visit(site.url + LIGHT, is_new=True))
            pages[0].clock.install()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [page.is_closed() for page in pages] == [True]


SCRIPTS: dict[str, Callable[[Page], object]] = {
    "of the page": lambda page: page.add_init_script("window.left = 1"),
    "of the context": lambda page: page.context.add_init_script("window.left = 1"),
}


@pytest.mark.parametrize("prepare", SCRIPTS.values(), ids=SCRIPTS)
def test_a_script_does_not_outlive_its_visit(
    site: Service, visits: Visits, prepare: Callable[[Page], object]
) -> None:
    address = site.url + LIGHT
    with visits.begin() as visit:
        page = visit(address, before=prepare)
        assert page.evaluate("window.left") == 1
    with visits.begin() as visit:
        assert visit(address) is page
        assert page.evaluate(READ) == NOTHING


def test_a_new_page_has_loaded_nothing(site: Service, visits: Visits) -> None:
    address = site.url + LIGHT
    with visits.begin() as visit:
        page = visit(address)
    with visits.begin() as visit:
        assert visit(address, is_new=True) is not page


def test_a_page_is_painted_only_if_a_test_asks_for_it(site: Service, visit: Visit) -> None:
    page = visit(f"{site.url}/settings")
    blank = page.screenshot()
    paint(page)
    assert len(page.screenshot()) > 2 * len(blank)
