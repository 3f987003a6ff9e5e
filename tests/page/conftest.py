"""A running service, and a browser in front of it.

If a page reports an error, reads an unknown member of a response or sends a request to another
host, its test fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.page.chromium import chromium
from tests.page.strict import strict_json
from tests.page.watched import NO_OTHER_HOST, PageWatcher
from tests.service.api.conftest import (  # noqa: F401 - an app in this process, and who calls it
    ann,
    annals,
    app,
    apps,
    bob,
    clock,
    nobody,
    painter,
)
from tests.support.patience import PATIENCE_S
from tests.support.whole_service import Service, running_service

DISABLED_FEATURES = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "PaintHolding"),
    *("HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "AvoidCorsURLLoaderRestartOnRedirect"),
    *("MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PreconnectToSearch"),
    *("LensOverlay", "ThirdPartyStoragePartitioning"),
)
"""Chromium draws suggestions for its own address bar, which no test sees: half of the processor
time of a visit. The other features are those that Playwright disables; this list replaces its own.
"""
LAUNCH = (
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    f"--disable-features={','.join(DISABLED_FEATURES)}",
    NO_OTHER_HOST,
)
WITHOUT_LIMITS = {
    "ANNALS_RATE": "0",
    "ANNALS_RATE_PER_ADDRESS": "0",
    "ANNALS_PROCESSOR_SECONDS": "0",
    "ANNALS_REGISTRATIONS": "0",
    "ANNALS_PICTURE_RATE": "0",
}
"""All visitors come from one address, and many within a few minutes."""
USUAL = {"locale": "en-GB", "color_scheme": "light", "reduced_motion": "reduce"}
"""Options of a context. Motion, drawn without a graphics card, costs a tenth of a match."""
Visit = Callable[..., Page]


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service, as `annals run` starts it; shared by all tests of a process."""
    data: Path = tmp_path_factory.mktemp("site")
    with running_service(data, **WITHOUT_LIMITS, ANNALS_BOT_SECONDS="0.05") as service:
        yield service


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium. It ends with this folder: while it runs, no other test of the process can have an
    event loop.
    """
    expect.set_options(timeout=1000 * PATIENCE_S)
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=chromium(), args=list(LAUNCH))
        yield found
        found.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Opens pages for one test."""
    with visits(browser) as open_page:
        yield open_page


@contextmanager
def visits(browser: Browser) -> Iterator[Visit]:
    """Opens a page in a separate browser, as a new visitor: `visit(url, locale="zh-TW")`.

    Options are those of a Playwright context; `faults` are texts that its errors may contain, and
    `before` gets the page before its first request.
    """
    opened: list[tuple[BrowserContext, PageWatcher]] = []

    def open_page(
        url: str,
        *,
        faults: tuple[str, ...] = (),
        before: Callable[[Page], object] = lambda page: None,
        **options: Any,
    ) -> Page:
        context = browser.new_context(**{**USUAL, **options})
        context.set_default_timeout(1000 * PATIENCE_S)
        context.add_init_script(strict_json())
        watched = PageWatcher(context, faults)
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
