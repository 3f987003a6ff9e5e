"""A page behind a proxy that fails, freezes or is slow: soon it shows what a fresh page shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from playwright.sync_api import Page, expect

from domain.games import GAMES
from tests.page.conftest import Visit
from tests.page.proxy import Trouble, below
from tests.page.visitors import Visitor, await_settled, begin_match, play_match
from tests.support.whole_service import Service

THREE_BEATS_MS = 36_000
BROKEN = ("net::ERR_", "502")
SHOWN = """() => [
    document.title,
    ...["prompt", "seats", "result", "log", "offers", "badge"].map((id) =>
        document.getElementById(id).innerText
            .replace(/\\s+/g, " ").replace(/ ?\\d+(:\\d\\d)+/g, "")),
    document.querySelector("#board svg").outerHTML,
]"""
"""What a visitor sees of a match, without the clocks."""
Begin = Callable[[Trouble, Page], None]


@pytest.fixture
def trouble() -> Trouble:
    return Trouble()


@pytest.fixture
def address(site: Service, trouble: Trouble) -> Iterator[str]:
    """The address of the service behind the proxy."""
    with below(site.url, "", trouble) as found:
        yield found.removesuffix("/")


def fail(trouble: Trouble, _page: Page) -> None:
    """Every path fails once from now on."""
    trouble.fail_each_once()


def freeze(trouble: Trouble, _page: Page) -> None:
    """What is connected gets nothing more, and does not learn of it."""
    trouble.freeze()


def slow_down(trouble: Trouble, _page: Page) -> None:
    """Every answer comes late."""
    trouble.delay_s = 0.5


TROUBLES = pytest.mark.parametrize("begin", [fail, freeze, slow_down])


def with_clock(page: Page) -> None:
    """Let a test move the time of a page."""
    page.clock.install()


def nothing(_page: Page) -> None:
    """The page has the time of the machine."""


def pass_time(page: Page) -> None:
    """Let the time of three heartbeats pass for a page."""
    page.clock.fast_forward(THREE_BEATS_MS)


@TROUBLES
@pytest.mark.parametrize("game", [min(GAMES)])
def test_a_match_catches_up(
    begin: Begin,
    game: str,
    site: Service,
    address: str,
    trouble: Trouble,
    visit: Visit,
) -> None:
    people = [Visitor(site, f"Patient {seat}") for seat in range(2)]
    match = begin_match(people, game=game, clock={"bank_s": 3_600})
    page = visit(
        f"{address}/matches/{match}",
        faults=BROKEN,
        storage_state=people[0].state,
        before=with_clock if begin is freeze else nothing,
    )
    await_settled(page)
    page.wait_for_selector("#match[data-live=on]", state="attached")
    begin(trouble, page)
    play_match(people, match, 5, Random(0))
    version = people[0].call("GET", f"/v1/matches/{match}")["version"]
    if begin is freeze:
        pass_time(page)
    await_settled(page, version)
    trouble.stop()
    fresh = page.context.new_page()
    fresh.goto(f"{address}/matches/{match}")
    await_settled(fresh, version)
    wanted = shown(fresh)
    page.wait_for_function(f"(wanted) => ({SHOWN})().join() === wanted", arg=wanted, polling=100)


@TROUBLES
@pytest.mark.parametrize("path", ["/turns", "/"])
def test_a_list_catches_up(
    begin: Begin,
    path: str,
    site: Service,
    address: str,
    trouble: Trouble,
    visit: Visit,
) -> None:
    people = [Visitor(site, f"Waiting {seat}") for seat in range(2)]
    page = visit(
        f"{address}{path}",
        faults=BROKEN,
        storage_state=people[0].state,
        before=with_clock if begin is freeze else nothing,
    )
    page.wait_for_selector("#badge", state="attached")
    begin(trouble, page)
    match = begin_match(people, game=min(GAMES))
    while not people[0].call("GET", "/v1/me/turns")["turns"]:
        play_match(people, match, 1, Random(0))
    if begin is freeze:
        pass_time(page)
    expect(page.locator("#badge")).to_have_text("1")


def shown(page: Page) -> str:
    """What a page shows of its match."""
    found: str = page.evaluate(f"() => ({SHOWN})().join()")
    return found
