"""A running service, and a browser in front of it.

Whatever a page reports as an error fails its test, as does a request to another host.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.page.chromium import chromium
from tests.page.watched import Watched
from tests.service.api.conftest import (  # noqa: F401 - an app in this process, and who calls it
    ann,
    annals,
    app,
    apps,
    bob,
    clock,
    nobody,
    painters,
)
from tests.support.patience import PATIENCE_S
from tests.support.whole_service import Service, running_service

LAUNCH = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")
UNLIMITED = {
    "ANNALS_RATE": "0",
    "ANNALS_RATE_ADDRESS": "0",
    "ANNALS_REGISTRATIONS": "0",
    "ANNALS_PICTURE_RATE": "0",
}
"""All who come to a site come from one address, and many in a few minutes."""
Visit = Callable[..., Page]


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service, as `annals run` starts it; one for all tests of a process."""
    data: Path = tmp_path_factory.mktemp("site")
    with running_service(data, **UNLIMITED, ANNALS_BOT_SECONDS="0.05") as service:
        yield service


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium. It ends with its module: as long as it runs, nothing else in the process can have
    an event loop, as other tests do.
    """
    expect.set_options(timeout=1000 * PATIENCE_S)
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=chromium(), args=list(LAUNCH))
        yield found
        found.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Opens a page in a browser of its own, as somebody new: `visit(url, locale="zh-TW")`.

    Options are those of a context of Playwright; `faults` are words that its errors may have, and
    `before` is told of the page before it asks for anything.
    """
    opened: list[tuple[BrowserContext, Watched]] = []

    def open_page(
        url: str,
        *,
        faults: tuple[str, ...] = (),
        before: Callable[[Page], object] = lambda page: None,
        **options: Any,
    ) -> Page:
        context = browser.new_context(**{"locale": "en-GB", "color_scheme": "light", **options})
        context.set_default_timeout(1000 * PATIENCE_S)
        watched = Watched(context, url, faults)
        opened.append((context, watched))
        page = context.new_page()
        before(page)
        page.goto(url)
        return page

    yield open_page
    for context, _ in opened:
        with suppress(Exception):
            context.close()
    for _, watched in opened:
        watched.check()
