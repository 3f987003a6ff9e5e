"""Clocks of a match show the time of the service, also where the browser shows what it has kept."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.page.test_deeds import alone, at
from tests.page.visitors import OWN_STREAMS, Visitor, await_settled, begin_match, play_match
from tests.page.visits import Visit
from tests.support.patience import eventually
from tests.support.whole_service import Service

BANK_S, WAIT_S, LITTLE_S = 600, 7, 585
NOW = re.compile('data-now="([^"]*)"')
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
KEPT_S = 300
"""By how much the time in a page is wrong."""
STREAM = "**/stream?sentences=*"
"""The address of the stream of a match."""
COLLECT_TICKS = """window.ticks = [];
{
    const start = setInterval;
    window.setInterval = (tick, ms) => ticks.push(tick) && start(tick, ms);
}"""
"""A script with which a test can let a clock tick."""
TICK = "ticks.forEach((tick) => tick())"
SUBSCRIBE_TWICE = """async (now) => {
    window.EventSource = class extends EventTarget {
        constructor() {
            super();
            window.opened = this;
        }
        close() {}
    };
    const [{ src }] = document.querySelectorAll("script[type=module][src]");
    const { subscribe } = await import(src.replace(/[^/]+$/, "live/streams.js"));
    const stream = { key: "two", address: location.href, after: "1", kinds: [] };
    const heard = [];
    subscribe(stream, () => {});
    opened.onopen();
    opened.dispatchEvent(new MessageEvent("beat", { data: JSON.stringify({ now }) }));
    subscribe(stream, (message) => heard.push(message));
    return heard.filter(({ kind }) => kind === "beat").map(({ data }) => data.now);
}"""
"""The times that a second subscriber of a stream hears at once."""


@pytest.fixture(scope="module")
def both(site: Service) -> Visitor:
    """A player who takes both seats of a table."""
    return Visitor(site, "Both")


def test_the_clock_of_the_player_to_move_runs(site: Service, visit: Visit, both: Visitor) -> None:
    match = alone(both, "qin", clock={"bank_s": BANK_S})
    page = at(
        site, visit, both, match, faults=("ERR_INTERNET_DISCONNECTED",),
        before=lambda page: page.clock.install(),
    )  # fmt: skip
    thinks = page.locator("#seats .decides [data-clock]")
    waits = page.locator("#seats li:not(.decides) [data-clock]")
    page.clock.run_for(1_000)
    first = seconds(thinks)
    assert first <= BANK_S - 1
    page.clock.run_for(1_000 * WAIT_S)
    assert first - seconds(thinks) >= WAIT_S - 1
    expect(waits).to_have_text("10:00")
    usual, ticks = page.viewport_size, page.locator("#ticks")
    expect(ticks).to_be_hidden()  # the seats are in sight
    for width, height in ((640, 360), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        expect(ticks).to_be_in_viewport()
        assert abs(seconds(ticks) - seconds(thinks)) <= 1
    assert usual
    page.set_viewport_size(usual)
    assert page.locator("[data-clock].little").count() == 0
    page.context.set_offline(True)  # or the page asks the service what time it really is
    page.clock.fast_forward(1_000 * LITTLE_S)
    page.clock.run_for(1_000)
    expect(page.locator("#seats .little")).to_have_count(1)
    page.clock.fast_forward(1_000 * BANK_S)
    page.clock.run_for(1_000)
    expect(thinks).to_have_text("00:00")
    expect(waits).to_have_text("10:00")


def test_one_touch_gives_the_others_time(site: Service, visit: Visit) -> None:
    """Only while they think, and nothing of one's own."""
    people = [Visitor(site, name) for name in ("Thinks", "Waits")]
    match = begin_match(people, game="qin", clock={"bank_s": BANK_S})
    thinks = people[0].call("GET", f"/v1/matches/{match}")["awaiting"][0]["seat"]
    page = at(site, visit, people[1 - thinks], match)
    give = page.locator("[data-do=give]")
    expect(give).to_have_text("Give the others 15 seconds more")
    give.click()
    expect(page.locator("#log li").first).to_contain_text("15 seconds more to think.")
    [given, _] = people[0].call("GET", f"/v1/matches/{match}/events")["events"][-1]["events"]
    assert (given["type"], given["seat"], given["ms"]) == ("TimeGiven", thinks, 15_000)
    expect(give).to_be_visible()
    while people[0].call("GET", f"/v1/matches/{match}")["awaiting"][0]["seat"] == thinks:
        play_match(people, match, 1, Random(0))
    await_settled(page, people[0].call("GET", f"/v1/matches/{match}")["version"])
    expect(give).to_be_hidden()


def test_a_clock_does_not_trust_the_time_in_a_page(
    site: Service, visit: Visit, both: Visitor
) -> None:
    """A browser may show a page that it has kept."""
    match = alone(both, "qin", clock={"bank_s": BANK_S})

    def keep(route: Route) -> None:
        found = route.fetch()
        body, times = NOW.subn(make_wrong, found.text())
        assert times == 1
        route.fulfill(response=found, body=body)

    page = at(site, visit, both, match, before=lambda page: page.route(f"**/matches/{match}", keep))
    thinks = page.locator("#seats .decides [data-clock]")
    expect(thinks).to_contain_text(":")  # the script has begun
    eventually(lambda: seconds(thinks) > BANK_S - KEPT_S)


def test_after_back_a_clock_waits_for_the_time_of_the_service(
    site: Service, visit: Visit, both: Visitor
) -> None:
    """The browser shows the page as it was, with the time of then. A page that joins a stream hears
    the time at once: its clock would wait for the next heartbeat.
    """
    streams: list[Route] = []

    def prepare(page: Page) -> None:
        page.add_init_script(f"{OWN_STREAMS}; {COLLECT_TICKS}")

    page = at(site, visit, both, alone(both, "qin", clock={"bank_s": BANK_S}), before=prepare)
    thinks = page.locator("#seats .decides [data-clock]")
    expect(thinks).to_contain_text(":")
    page.goto(f"{site.url}/settings")
    [heard] = page.evaluate(SUBSCRIBE_TWICE, NOON.isoformat())
    assert heard >= 1_000 * NOON.timestamp()
    page.route(STREAM, lambda route: streams.append(route))
    page.go_back()
    await_settled(page)
    page.evaluate(TICK)
    expect(thinks).to_have_text("")
    eventually(lambda: page.wait_for_timeout(0) or streams)
    streams[0].continue_()
    expect(thinks).to_contain_text(":")


def make_wrong(found: re.Match[str]) -> str:
    """The time in a page, later by KEPT_S."""
    later = datetime.fromisoformat(found[1]) + timedelta(seconds=KEPT_S)
    return f'data-now="{later.isoformat()}"'


def seconds(clock: Any) -> int:
    """The seconds on a clock."""
    minutes, rest = clock.inner_text().split(":")
    return 60 * int(minutes) + int(rest)
