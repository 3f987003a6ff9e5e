"""A running service, and a browser in front of it.

If a page reports an error, reads an unknown member of a response or sends a request to another
host, its test fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.page.chromium import chromium
from tests.page.visits import Visit, Visits
from tests.page.watched import NO_OTHER_HOST
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


@pytest.fixture(scope="package")
def counter(browser: Browser) -> Iterator[Page]:
    """A blank page that counts pixels."""
    page = browser.new_page()
    yield page
    page.close()


@pytest.fixture
def blank(counter: Page) -> Page:
    """The same page, without what a test before has shown there."""
    counter.goto("about:blank")
    return counter


@pytest.fixture(scope="package")
def visits(browser: Browser) -> Visits:
    """The visits of the browser."""
    return Visits(browser)


@pytest.fixture
def visit(visits: Visits) -> Iterator[Visit]:
    """Opens pages for one test."""
    with visits.begin() as open_page:
        yield open_page


@pytest.fixture
def client(app: Flask) -> FlaskClient:  # noqa: F811 - the fixture above
    """A browser without a session."""
    return app.test_client()
