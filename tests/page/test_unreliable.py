"""Pages behind a proxy that fails, freezes or is slow, a restart, and a sleep of the machine: 45 s
later they show what fresh pages show.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from random import Random
from signal import SIGKILL
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Visit
from tests.page.proxy import Trouble, below
from tests.page.visitors import OWN_STREAMS, Visitor, await_settled, begin_match, play_match
from tests.support.patience import eventually
from tests.support.whole_service import Service

PATIENCE_S = 45
"""Page time within which a page catches up."""
DELAY_S, SLEEP_S = 5, 3_600
ROUND_TRIP_MS = 60
"""Real time in which a page can use an answer."""
WAITING = 2
"""Number of matches that wait for the visitor at the end: for a move, and for an answer."""
BROKEN = ("net::ERR_", "502", "503", "504")
FIRST = {"first_player": "seat:0"}
SHOWN = r"""() => {
    const without = (element, parts) => {
        const copy = element.cloneNode(true);
        copy.querySelectorAll(parts).forEach((part) => part.remove());
        return copy.textContent.replace(/\s+/g, "");
    };
    const shown = { title: document.title, badge: document.getElementById("badge").textContent };
    for (const id of ["turns-list", "matches", "seats", "result", "log", "asked"]) {
        const element = document.getElementById(id);
        if (element) shown[id] = without(element, "time, [data-clock]");
    }
    for (const id of ["prompt", "offers"]) shown[id] = document.getElementById(id)?.innerText;
    const board = document.querySelector("#board svg")?.outerHTML;
    return { ...shown, board: board?.replace(/ class="fresh"/g, "") };
}"""
"""What a visitor sees of a page, without times."""
COUNT_PENDING = """window.pending = 0;
const send = window.fetch;
window.fetch = (...request) => {
    pending += 1;
    return send(...request).finally(() => (pending -= 1));
};"""
CLOCKS = r"""() => [...document.querySelectorAll("[data-clock]")].map((clock) =>
    clock.textContent.split(":").reduce((all, part) => 60 * all + Number(part), 0))"""
"""The seconds on the clocks of a match."""


class Pages:
    """The pages of a match, of a player's turns and of the lobby, behind a proxy, in a time that
    only a test advances. Each has a browser, so that they do not wait for connections.
    """

    def __init__(self, pages: dict[str, Page], trouble: Trouble) -> None:
        self.pages = pages
        self.trouble = trouble
        self.passed_s = 0

    def pass_second(self) -> None:
        """Let a second pass, after the pages have used what they have received."""
        self.pages["/"].wait_for_timeout(ROUND_TRIP_MS)
        eventually(lambda: self.count_pending() == self.trouble.held)
        self.trouble.pass_time(1)
        for page in self.pages.values():
            page.clock.run_for(1_000)
        self.passed_s += 1

    def count_pending(self) -> int:
        """The number of requests without an answer."""
        return sum(page.evaluate("pending") for page in self.pages.values())

    def catch_up(self, wanted: dict[str, Any]) -> None:
        """Wait until the pages show this; fails after PATIENCE_S."""
        self.passed_s = 0
        while (shown := self.show()) != wanted:
            assert self.passed_s < PATIENCE_S, differences(shown, wanted)
            self.pass_second()

    def show(self) -> dict[str, Any]:
        """What the pages show."""
        return {path: page.evaluate(SHOWN) for path, page in self.pages.items()}


def differences(shown: dict[str, Any], wanted: dict[str, Any]) -> list[Any]:
    """What is shown, and what should be, where they differ."""
    return [
        (path, part, shown[path][part], value)
        for path, parts in wanted.items()
        for part, value in parts.items()
        if shown[path][part] != value
    ]


@pytest.fixture
def trouble() -> Trouble:
    return Trouble()


@pytest.fixture
def address(site: Service, trouble: Trouble) -> Iterator[str]:
    """The address of the service behind the proxy."""
    with below(site.url, "", trouble) as found:
        yield found


def fail(pages: Pages, _site: Service) -> None:
    pages.trouble.fail_each_once()


def freeze(pages: Pages, _site: Service) -> None:
    pages.trouble.freeze()


def slow_down(pages: Pages, _site: Service) -> None:
    pages.trouble.delay(DELAY_S)


def restart(_pages: Pages, site: Service) -> None:
    """The web process ends at once, and a new one starts."""
    for process in site.processes()["web"]:
        os.kill(process, SIGKILL)
    site.insist("GET", "/v1/games")


def sleep(pages: Pages, _site: Service) -> None:
    """Time jumps; what was connected before is not any more, and does not know it."""
    pages.trouble.freeze()
    for page in pages.pages.values():
        page.clock.fast_forward(1_000 * SLEEP_S)


@pytest.mark.parametrize("begin", [fail, freeze, slow_down, restart, sleep])
def test_pages_catch_up(
    begin: Callable[[Pages, Service], None],
    site: Service,
    address: str,
    trouble: Trouble,
    visit: Visit,
) -> None:
    people = [Visitor(site, f"Patient {seat}") for seat in range(2)]
    match = begin_match(people, game="qin", options=FIRST, clock={"bank_s": 2 * SLEEP_S})
    paths = [f"/matches/{match}", "/turns", "/"]
    signed_in = {"storage_state": people[0].state}
    shown = {
        path: visit(address.removesuffix("/") + path, faults=BROKEN, before=stop_time, **signed_in)
        for path in paths
    }
    pages = Pages(shown, trouble)
    await_live(pages)
    begin(pages, site)
    change_everything(site, people, match)
    fresh = {path: visit(site.url + path, **signed_in) for path in paths}
    wanted = {path: what_is_settled(page) for path, page in fresh.items()}
    pages.catch_up(wanted)
    pages.pass_second()
    clocks = [page.evaluate(CLOCKS) for page in (shown[paths[0]], fresh[paths[0]])]
    assert clocks[0] == pytest.approx(clocks[1], abs=PATIENCE_S + 1)


def stop_time(page: Page) -> None:
    page.add_init_script(f"{OWN_STREAMS}; {COUNT_PENDING}")
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)


def await_live(pages: Pages) -> None:
    """Wait until all pages have loaded, and follow what they show."""
    match = next(iter(pages.pages.values()))
    while match.query_selector("#match[data-live=on][data-ready=true]") is None:
        pages.pass_second()
    for _ in range(3):
        pages.pass_second()


def change_everything(site: Service, people: list[Visitor], match: str) -> None:
    """Moves, a request for an undo, another match that waits, and an open table; until all of them
    are in the lists.
    """
    play_match(people, match, 5, Random(0))
    people[1].call("POST", f"/v1/matches/{match}/undo")
    begin_match(people, game="qin", options=FIRST)
    seats = [{"me": True}, {"open": True}]
    table = people[1].call("POST", "/v1/matches", {"game": "qin", "seats": seats})["id"]
    eventually(lambda: len(people[0].call("GET", "/v1/me/turns")["turns"]) == WAITING)
    eventually(lambda: table in str(site.call("GET", "/v1/matches?status=open")))


def what_is_settled(page: Page) -> Any:
    """What a fresh page shows once it has read all."""
    if page.locator("#match").count():
        await_settled(page)
    expect(page).to_have_title(re.compile(rf"\({WAITING}\) "))
    return page.evaluate(SHOWN)
