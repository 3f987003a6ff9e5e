"""Pages behind a proxy that fails, freezes or is slow, a restart, and a sleep of the machine: 45 s
later they show what fresh pages show.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.proxy import Trouble, below
from tests.page.traffic import jump, pass_time, read_traffic, stop_time, stop_time_with_worker
from tests.page.visitors import Visitor, await_settled, begin_match, play_match
from tests.page.visits import Visits
from tests.support.patience import eventually
from tests.support.whole_service import Service

PATIENCE_S = 45
"""Page time within which a page catches up."""
DELAY_S, SLEEP_S = 5, 3_600
BANK_S = 10 * SLEEP_S
TICK_S = 1
"""How much page time passes at once. Answers come at the end of a tick: with longer ones, a chain
of requests takes longer than it would, and some pages do not catch up.
"""
LOOK_EVERY = 5
"""Number of ticks after which a test looks at the pages again; PATIENCE_S is a multiple of it."""
AHEAD_S = 2 * PATIENCE_S
"""How far the time of the pages may run ahead of that of the service between two of its beats."""
MOVES = 6
"""Number of moves after which the visitor is to move again."""
BROKEN = ("net::ERR_", "500", "502", "503", "504", "522")
LIVE_MATCH = "#match[data-live=on][data-ready=true]"
FIRST = {"first_player": "seat:0"}
SHOW = r"""() => {
    const without = (element, parts) => {
        const copy = element.cloneNode(true);
        copy.querySelectorAll(parts).forEach((part) => part.remove());
        return copy.textContent.replace(/\s+/g, "");
    };
    const shown = { title: document.title, badge: document.getElementById("badge").textContent };
    for (const id of ["turns-list", "matches", "table", "seats", "result", "log", "asked"]) {
        const element = document.getElementById(id);
        if (element) shown[id] = without(element, "time, [data-clock], noscript");
    }
    for (const id of ["prompt", "offers"]) shown[id] = document.getElementById(id)?.innerText;
    shown.unread = document.querySelector("#talk .badge")?.textContent;
    const board = document.querySelector("#board svg")?.outerHTML;
    return JSON.stringify({ ...shown, board: board?.replace(/ class="fresh"/g, "") });
}"""
"""What a visitor sees of a page, without times."""
IS_WANTED = f"() => ({SHOW})() === window.wanted"
CLOCKS = r"""() => [...document.querySelectorAll("[data-clock]")].map((clock) =>
    clock.textContent.split(":").reduce((all, part) => 60 * all + Number(part), 0))"""
"""The seconds on the clocks of a match."""


class Pages:
    """The pages of a match, of a player's turns and of the lobby, behind a proxy, in a time that
    only a test advances. Each has a browser, so that they do not wait for connections. The first
    opens its streams itself; the others use a shared worker.
    """

    def __init__(self, pages: list[tuple[str, Page]], trouble: Trouble) -> None:
        self.trouble = trouble
        self._pages = pages
        self._matches = [page for _, page in pages if page.locator("#match").count()]
        self.passed_s = 0
        """The time that has passed since the pages began to catch up."""

    def pass_time(self) -> None:
        """Let TICK_S pass, after the pages have used what the proxy has sent them."""
        eventually(self._have_settled)
        self.trouble.pass_time(TICK_S)
        for _, page in self._pages:
            pass_time(page, TICK_S)
        self.passed_s += TICK_S

    def jump(self, seconds: int) -> None:
        """Let the time of the pages jump, as when the machine sleeps."""
        for _, page in self._pages:
            jump(page, seconds)

    def await_live(self) -> None:
        """Wait until all pages have loaded, and follow what they show."""
        while not all(page.query_selector(LIVE_MATCH) for page in self._matches):
            self.pass_time()
        for _ in range(2):
            self.pass_time()

    def catch_up(self, wanted: dict[str, str], clocks: list[int]) -> None:
        """Wait until the pages show this, and clocks that are not later; fails after PATIENCE_S.

        If a tick takes longer than it should, the time of the pages is behind until a beat.
        """
        self.passed_s = 0
        for path, page in self._pages:
            page.evaluate("(wanted) => { window.wanted = wanted; }", wanted[path])
        while not all(page.evaluate(IS_WANTED) for _, page in self._pages):
            assert self.passed_s < PATIENCE_S, self._differences(wanted)
            for _ in range(LOOK_EVERY):
                self.pass_time()
        while not self._have_clocks(clocks):
            assert self.passed_s < PATIENCE_S, (self._clocks(), clocks)
            self.pass_time()

    def _have_clocks(self, clocks: list[int]) -> bool:
        """Whether each page of the match has these clocks, or as they are some time later."""
        return all(
            true - AHEAD_S <= seconds <= true + 1
            for shown in self._clocks()
            for seconds, true in zip(shown, clocks, strict=True)
        )

    def _clocks(self) -> list[list[int]]:
        """The seconds on the clocks of each page of the match."""
        return [page.evaluate(CLOCKS) for page in self._matches]

    def _have_settled(self) -> bool:
        """Whether the pages have used what the proxy has sent, and wait for nothing but time."""
        sent, pending, came = self.trouble.marks(), 0, set[int]()
        for _, page in self._pages:
            traffic = read_traffic(page)
            pending += traffic["pending"]
            if pending > self.trouble.held:
                return False
            came.update(traffic["marks"])
        return pending == self.trouble.held and sent <= came

    def _differences(self, wanted: dict[str, str]) -> list[Any]:
        """What is shown, and what should be, where they differ."""
        shown = [(path, json.loads(page.evaluate(SHOW))) for path, page in self._pages]
        return [
            (path, part, parts[part], value)
            for path, parts in shown
            for part, value in json.loads(wanted[path]).items()
            if parts[part] != value
        ]


class Table:
    """Two people, the first of whom visits the pages, and their match."""

    def __init__(self, site: Service) -> None:
        self.people = [Visitor(site, f"Patient {seat}") for seat in range(2)]
        clock = {"bank_s": BANK_S}
        self.match = begin_match(self.people, game="qin", options=FIRST, clock=clock)
        seats = [{"me": True}, {"open": True}, {"open": True}]
        opened = self.people[0].call("POST", "/v1/matches", {"game": "qin", "seats": seats})
        self.open: str = opened["id"]
        """A table of the visitor that has not begun."""
        self.waiting = 1
        """Number of matches that wait for the visitor."""
        self._site = site
        self._chance = Random(0)

    def change_everything(self) -> None:
        """A message, moves, a request for an undo, another match that waits, an open table, and a
        seat that is taken or left; until all of them are in the lists.
        """
        ann, bob = self.people
        bob.call("POST", f"/v1/matches/{self.match}/talk/players", {"phrase": "hello"})
        self.take_or_leave_seat(bob)
        play_match(self.people, self.match, MOVES, self._chance)
        ann.call("POST", f"/v1/matches/{self.match}/undo")
        begin_match(self.people, game="qin", options=FIRST)
        self.waiting += 1
        seats = [{"me": True}, {"open": True}]
        table = bob.call("POST", "/v1/matches", {"game": "qin", "seats": seats})["id"]
        eventually(lambda: len(ann.call("GET", "/v1/me/turns")["turns"]) == self.waiting)
        eventually(lambda: table in str(self._site.call("GET", "/v1/matches?status=open")))

    def take_or_leave_seat(self, player: Visitor) -> None:
        seats = player.call("GET", f"/v1/matches/{self.open}")["seats"]
        if seats[1]["player"]:
            player.call("DELETE", f"/v1/matches/{self.open}/seats/1")
        else:
            player.call("POST", f"/v1/matches/{self.open}/seats", {"seat": 1})


@pytest.fixture(scope="module")
def table(site: Service) -> Table:
    return Table(site)


@pytest.fixture(scope="module")
def paths(table: Table) -> list[str]:
    return [f"/matches/{table.match}", f"/matches/{table.open}", "/turns", "/"]


@pytest.fixture(scope="module")
def pages(visits: Visits, site: Service, table: Table, paths: list[str]) -> Iterator[Pages]:
    """The pages behind the proxy."""
    trouble = Trouble()
    with visits.begin() as visit, below(site.url, "", trouble) as address:
        options: dict[str, Any] = {"faults": BROKEN, "storage_state": table.people[0].state}
        root = address.removesuffix("/")
        alone = visit(root + paths[0], before=stop_time, **options)
        options |= {"before": stop_time_with_worker, "bypass_csp": True}  # to change the worker
        others = [(path, visit(root + path, **options)) for path in paths]
        yield Pages([(paths[0], alone), *others], trouble)


@pytest.fixture(scope="module")
def fresh(visits: Visits, site: Service, table: Table) -> Iterator[Page]:
    """A page that loads anew what the others should show."""
    with visits.begin() as visit:
        yield visit(f"{site.url}/turns", storage_state=table.people[0].state)


def fail(pages: Pages, _site: Service) -> None:
    pages.trouble.fail_each_once()


def freeze(pages: Pages, _site: Service) -> None:
    pages.trouble.freeze()


def leave(pages: Pages, _site: Service) -> None:
    pages.trouble.leave_each_once()


def slow_down(pages: Pages, _site: Service) -> None:
    pages.trouble.delay(DELAY_S)


def restart(_pages: Pages, site: Service) -> None:
    """All processes end at once, those of Redis too, and new ones start."""
    site.kill_all()
    site.insist("GET", "/v1/games")


def sleep(pages: Pages, _site: Service) -> None:
    """Time jumps; what was connected before is not any more, and does not know it."""
    pages.trouble.freeze()
    pages.jump(SLEEP_S)


@pytest.mark.parametrize(
    "begin",
    [
        *(fail, leave, restart, sleep),
        *(pytest.param(one, marks=pytest.mark.long) for one in (freeze, slow_down)),
    ],
)
def test_pages_catch_up(
    begin: Callable[[Pages, Service], None],
    site: Service,
    table: Table,
    paths: list[str],
    pages: Pages,
    fresh: Page,
) -> None:
    pages.trouble.stop()
    pages.await_live()
    begin(pages, site)
    table.change_everything()
    wanted, clocks = {}, []
    for path in paths:
        fresh.goto(site.url + path)
        wanted[path] = read_settled(fresh, table.waiting)
        clocks += fresh.evaluate(CLOCKS)
    fresh.goto("about:blank")  # it follows nothing any more
    pages.catch_up(wanted, clocks)


def read_settled(page: Page, waiting: int) -> str:
    """What a fresh page shows once it has read all."""
    if page.locator("#match").count():
        await_settled(page)
        expect(page.locator("[data-clock]").last).not_to_be_empty()
    expect(page).to_have_title(re.compile(rf"\({waiting}\) "))
    found: str = page.evaluate(SHOW)
    return found
