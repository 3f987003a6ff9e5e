"""What a panel of a page needs when it opens is read until it has been read."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Page, Route, expect

from tests.page.visitors import Visitor, await_settled, begin_match, play_match
from tests.page.visits import Visit
from tests.support.patience import eventually
from tests.support.whole_service import Service

NOTE = "Watch the north"
OPEN_ALL = "() => document.querySelectorAll('details').forEach((one) => (one.open = true))"
BROKEN = ("502",)


class Failures:
    """Answers each read of scripts once as a proxy does that cannot reach the service."""

    def __init__(self, page: Page) -> None:
        self.failed: set[str] = set()
        self.missing: set[str] = set()
        """The addresses that have not been read since they failed."""
        page.route("**/*", self._answer)

    def _answer(self, route: Route) -> None:
        url = route.request.url
        if route.request.resource_type == "fetch" and url not in self.failed:
            self.failed.add(url)
            self.missing.add(url)
            route.fulfill(status=502)
        else:
            self.missing.discard(url)
            route.continue_()


def test_what_panels_need_is_read_until_it_has_been_read(site: Service, visit: Visit) -> None:
    """Given a finished match with a note, when all panels open and each read fails once, then the
    note and the analysis are there, and nothing is missing.
    """
    people = [Visitor(site, name) for name in ("Opening Ann", "Opening Bob")]
    match = begin_match(people, game="qin")
    path = f"/v1/matches/{match}"
    play_match(people, match, 2, Random(3))
    people[1].call("POST", f"{path}/resign")
    people[0].call("PUT", f"{path}/notes/1", {"text": NOTE})
    eventually(lambda: people[0].call("GET", path)["status"] == "scored")
    page = visit(f"{site.url}/matches/{match}", storage_state=people[0].state, faults=BROKEN)
    await_settled(page)
    failures = Failures(page)
    page.evaluate(OPEN_ALL)
    expect(page.locator("#notes li span")).to_have_text(NOTE)
    expect(page.locator("#notes form")).to_be_visible()
    page.locator("#analysis[data-known]").wait_for()
    assert {url.rpartition("/")[2] for url in failures.failed} >= {"notes", "analysis"}
    eventually(lambda: page.evaluate("1") and not failures.missing)


def test_no_note_is_written_over_one_that_is_not_shown(site: Service, visit: Visit) -> None:
    """Given a note, when it cannot be read, then there is no form; later the note is in it."""
    ann, bob = people = [Visitor(site, name) for name in ("Noting Eve", "Noting Bob")]
    match = begin_match(people, game="qin")
    version = bob.call("GET", f"/v1/matches/{match}")["version"]
    ann.call("PUT", f"/v1/matches/{match}/notes/{version}", {"text": NOTE})
    held: list[Route] = []
    page = visit(f"{site.url}/matches/{match}", storage_state=ann.state, faults=BROKEN)
    await_settled(page)
    page.route("**/notes", lambda route: route.continue_() if held else held.append(route))
    page.click("#notes summary")
    eventually(lambda: page.evaluate("1") and held)
    expect(page.locator("#notes form")).to_be_hidden()
    held[0].fulfill(status=502)
    expect(page.locator("#notes textarea")).to_have_value(NOTE)
    expect(page.locator("#notes form")).to_be_visible()
