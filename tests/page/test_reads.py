"""What pages read in several requests, or at an address of a picture."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.page.past import UNDONE, Past, play_past
from tests.page.visitors import Visitor, await_settled, begin_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

IMAGE_WIDTH = "img => img.decode().then(() => img.naturalWidth)"


@pytest.fixture(scope="module")
def past(site: Service) -> Past:
    return play_past(site)


def test_moves_undone_long_ago_are_marked_too(visit: Visit, past: Past) -> None:
    """The undos of a match come in pages: here the first has none of its own."""
    asked: list[str] = []

    def later(route: Route) -> None:
        asked.append(route.request.url)
        found = route.fetch()
        pages = {"undos": [], "next": 1} if "after=" not in asked[-1] else {}
        route.fulfill(response=found, json={**found.json(), **pages})

    page = visit(past.address, before=lambda page: page.route("**/lines*", later))
    await_settled(page)
    expect(page.locator("#log li.undone")).to_have_attribute("data-version", str(UNDONE))
    assert asked[1].endswith("/lines?after=1")


def test_a_graph_that_is_not_answered_is_read_again(visit: Visit, past: Past) -> None:
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        if refused:
            route.continue_()
            return
        refused.append(route.request.url)
        route.fulfill(status=503, json={"detail": "Later."})

    page = visit(
        past.address,
        before=lambda page: page.route("**/analysis.svg*", refuse_once),
        faults=("503",),
    )
    await_settled(page)
    page.locator("#analysis summary").click()
    page.locator("#analysis[data-known]").wait_for()
    assert refused
    assert page.locator("#strip").evaluate(IMAGE_WIDTH) > 300


def test_the_badge_counts_all_pages_of_turns(site: Service, visit: Visit) -> None:
    """Given a match that waits on the second page, and the first page with others."""

    def in_pages(route: Route) -> None:
        if "after=" in route.request.url:
            route.fulfill(json=first["found"])
            return
        found = route.fetch().json()
        one = found["turns"][0]
        others = [{**one, "match": f"another{number:05}"} for number in range(3)]
        found |= {"turns": others, "next": "later"}
        route.fulfill(json=found)

    ann, bob = Visitor(site, "Turn Reader"), Visitor(site, "Turn Writer")
    match = begin_match([ann, bob], game="qin", options={"first_player": "seat:0"})
    first = {"found": ann.call("GET", "/v1/me/turns")}
    assert [one["match"] for one in first["found"]["turns"]] == [match]
    page = visit(
        f"{site.url}/settings",
        before=lambda page: page.route("**/v1/me/turns*", in_pages),
        storage_state=ann.state,
    )
    page.locator("#badge").get_by_text("4", exact=True).wait_for()
