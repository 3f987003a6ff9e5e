"""Two players in two browsers: each sees what the other does, and all tabs of a player agree."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from domain.games import GAMES
from tests.games.seen import AnyGame
from tests.page.sample import some_of_all
from tests.page.visitors import OWN_STREAMS, Visitor, await_settled, begin_match, play_match
from tests.page.visits import Visit
from tests.support.patience import eventually
from tests.support.whole_service import Service

SEATS = 2
MARKUP = """(panels) => panels.map((one) => one.outerHTML.replace(/ class="[^"]*"/g, ""))"""
SEED = "7" * 64
COMMON_ELEMENTS = "#prompt, #log, #seats, #result, #asked"
"""The elements that are equal in all tabs of a seat."""

FASTER = """{
    const { setTimeout } = window;
    window.setTimeout = (then, pause) => setTimeout(then, pause / 100);
}"""
"""Runs the timers of a page a hundred times as fast."""


class Meeting:
    """A match, and the pages of its players: one for each seat, and a second tab of the first."""

    def __init__(self, site: Service, visit: Visit, game: AnyGame) -> None:
        self.people = [Visitor(site, f"Together {seat}") for seat in range(SEATS)]
        self.match = begin_match(self.people, game=game.key, seed=SEED)
        self.address = f"{site.url}/matches/{self.match}"
        self.pages: list[Page] = [
            visit(self.address, storage_state=person.state, reduced_motion="reduce")
            for person in self.people
        ]
        self.tab = self.pages[0].context.new_page()
        self.tab.goto(self.address)
        self.chance = Random(0)
        self.agree()

    @property
    def now(self) -> Any:
        """The match as the first player sees it."""
        return self.people[0].call("GET", f"/v1/matches/{self.match}")

    @property
    def deciding(self) -> list[int]:
        """The seats that have to decide."""
        return [one["seat"] for one in self.now["awaiting"]]

    def agree(self) -> None:
        """All pages reach the newest version, and the tabs of a seat are alike."""
        eventually(lambda: self._up_to_date() and self._is_alike_in_tabs())
        entries = [entries_of(page) for page in self.pages]
        assert entries[0] == entries[1]

    def _is_alike_in_tabs(self) -> bool:
        return text_on_screen(self.pages[0]) == text_on_screen(self.tab)

    def _up_to_date(self) -> bool:
        newest = f"#match[data-version='{self.now['version']}'][data-ready=true]"
        return all(page.locator(newest).count() for page in (*self.pages, self.tab))

    def move(self) -> int:
        """The seat that has to decide makes a move, and all see it; returns the seat."""
        seat = self.deciding[0]
        play_match(self.people, self.match, 1, self.chance)
        self.agree()
        return seat

    def press(self, seat: int, action: str) -> None:
        """A player presses a button, and all see the result."""
        older = f"[data-version='{self.now['version']}']"
        self.pages[seat].locator(f"button[data-do={action}]").click()
        for page in (*self.pages, self.tab):
            page.locator(f"#match[data-ready=true]:not({older})").wait_for()
        self.agree()


def text_on_screen(page: Page) -> list[str]:
    """What is on the screen."""
    return [picture(page), *page.locator(COMMON_ELEMENTS).all_inner_texts()]


def picture(page: Page) -> str:
    """All panels on the screen; what is highlighted as new depends on what a tab showed before."""
    return "".join(page.locator("[data-panel]").evaluate_all(MARKUP))


def entries_of(page: Page) -> Any:
    """The entries of its log by version and kind; the texts may differ by seat."""
    return page.locator("#log > li").evaluate_all(
        "(lines) => lines.map((line) => [line.dataset.version, line.dataset.kind])"
    )


def visible(page: Page, action: str) -> bool:
    """Whether the button is visible."""
    return page.locator(f"button[data-do={action}]").is_visible()


@pytest.mark.parametrize("game", some_of_all("qin"))
def test_two_players_undo_by_consent_and_finish(site: Service, visit: Visit, game: str) -> None:
    meeting = Meeting(site, visit, GAMES[game])
    before, mover = picture(meeting.pages[0]), meeting.move()
    while mover in meeting.deciding:
        before, mover = picture(meeting.pages[0]), meeting.move()
    other = meeting.move()
    after = picture(meeting.pages[0])
    assert after != before

    meeting.press(mover, "undo")
    assert visible(meeting.pages[mover], "withdraw")
    assert not visible(meeting.pages[mover], "agree")
    meeting.press(other, "agree")
    assert picture(meeting.pages[0]) == before
    meeting.press(mover, "redo")
    meeting.press(other, "refuse")
    assert picture(meeting.pages[0]) == before

    meeting.people[other].call("POST", f"/v1/matches/{meeting.match}/resign")
    eventually(lambda: meeting.now["status"] == "scored")
    meeting.agree()
    for page in meeting.pages:
        assert page.locator("#match").get_attribute("data-status") == "scored"
        assert page.locator("[data-result]").inner_text()
    listens_no_more(visit, meeting)


def listens_no_more(visit: Visit, meeting: Meeting) -> None:
    """Check that the page of a finished match has no open stream."""
    asked: list[str] = []

    def watch(page: Page) -> None:
        page.add_init_script(OWN_STREAMS)
        page.add_init_script(FASTER)
        page.on("request", lambda request: asked.append(request.url))

    page = visit(meeting.address, before=watch)
    page.locator("#match[data-live=over]").wait_for()
    page.evaluate("new Promise((done) => setTimeout(done, 60_000))")
    await_settled(page)
    assert len([url for url in asked if f"{meeting.match}/stream" in url]) == 1
