"""Notes of a player at a match: written at a step, and found again there."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.hands import READY
from tests.page.test_interruptions import begin_match
from tests.page.visitors import Visitor
from tests.page.visits import Visit
from tests.support.whole_service import Service


def test_a_note_is_kept_at_its_step(site: Service, visit: Visit) -> None:
    ann = Visitor(site, "Noting Ann")
    page = visit(begin_match(site, ann, "qin"), storage_state=ann.state)
    page.wait_for_selector(READY, state="attached")
    page.click("#notes summary")
    page.fill("#notes textarea", "Watch <b>the north</b>")
    page.click("#notes form button")
    kept = page.locator("#notes li")
    expect(kept.locator("span")).to_have_text("Watch <b>the north</b>")
    page.reload()
    page.click("#notes summary")
    expect(kept).to_have_count(1)
    expect(page.locator("#notes textarea")).to_have_value("Watch <b>the north</b>")
    kept.locator("button").last.click()
    expect(kept).to_have_count(0)
