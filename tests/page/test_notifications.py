"""Notifications are offered where they can come."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.visitors import Visitor
from tests.page.visits import Visit
from tests.support.whole_service import Service

NONE_FROM_PAGES = "window.Notification = class { constructor() { throw new TypeError(); } }"
"""As Chrome on Android does it."""


@pytest.fixture
def ann(site: Service) -> Visitor:
    return Visitor(site, "Notified Ann")


def test_notifications_that_never_come_are_not_offered(site: Service, visit: Visit) -> None:
    port = site.url.rpartition(":")[2]
    elsewhere = visit(f"http://annals.test:{port}/settings")
    phone = visit(f"{site.url}/settings", before=lambda page: page.add_init_script(NONE_FROM_PAGES))
    for page in (elsewhere, phone):
        expect(page.locator("[data-pref=motion]")).to_be_visible()
        expect(page.locator("[data-pref=notify]")).to_be_hidden()


def test_a_player_who_blocks_notifications_reads_so(
    site: Service, visit: Visit, ann: Visitor
) -> None:
    page = visit(f"{site.url}/settings", storage_state=ann.state)
    page.locator("[data-pref=notify]").select_option("on")
    page.locator(".toast").wait_for()
    assert page.locator("[data-pref=notify]").input_value() == "off"
