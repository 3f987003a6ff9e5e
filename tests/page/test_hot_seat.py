"""In hot seat the people at one device see only their own seat: behind the curtain the page is that
of a spectator.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from domain.games import GAMES
from domain.match.visibility import hides_something
from tests.page.hands import CURTAIN, LIT, READY
from tests.page.test_pages import ORIGIN, show_page
from tests.page.visitors import Visitor, await_settled, play_match, take_device
from tests.page.visits import BLANK, Visit
from tests.service.api.conftest import Api
from tests.support.whole_service import Service

SEED = "7" * 64
HIDING = [key for key, game in GAMES.items() if hides_something(game)]
SOME_HIDING = [
    pytest.param(game, marks=() if game == "chang_cheng" else pytest.mark.long) for game in HIDING
]
"""A game that hides something also from a seat that goes on, and the others in `make test-long`."""
MOST_MOVES = 40
"""Number of moves after which another seat decides."""
SEEN = """() => {
    const looks = (one) => one.outerHTML.replaceAll(/ class="[^"]*"/g, "");
    const of = (selector, look) => [...document.querySelectorAll(selector)].map(look);
    return {
        pictures: of("[data-panel]", looks),
        log: of("#log p", (one) => one.textContent),
        texts: of("#prompt, #why, #does, #words, #all .row, #result, #graph, #heard",
            (one) => `${one.id}: ${one.textContent.trim()}`),
        lit: of(".view .can-touch, .view .touched, .ghosts", looks),
        version: document.querySelector("#match").dataset.version,
    };
}"""
"""All that a page shows of a match, and what can be touched."""
RECORD_PICTURES = """() => {
    window.pictures = [];
    const { fetch } = window;
    window.fetch = (address, ...options) => {
        if (address.includes("board.svg")) window.pictures.push(address);
        return fetch(address, ...options);
    };
}"""
"""Records from now on which pictures the page requests."""
RECORD_HEARD = """() => {
    const heard = document.querySelector("#heard");
    window.heard = "";
    const record = () => (window.heard += heard.textContent);
    new MutationObserver(record).observe(heard, { childList: true });
}"""
"""Records from now on what screen readers hear."""
FIRST_TEXT = "(one) => one.firstChild.textContent.trim()"
OF_PART = '<{0} id="{1}"[^>]*>(.*?)</{0}>'
"""A pattern of an element with its content."""
TEXT_VIEWS = """() => [...document.querySelectorAll("[href*='/board.txt']")].map((one) =>
    new URL(one.href).searchParams.get("as"))"""
"""As whom the links show the board as text; null is the default."""


@pytest.fixture(scope="module")
def both(site: Service) -> Visitor:
    """A player who takes both seats of a table."""
    return Visitor(site, "both")


def hot_seat(one: Visitor, game: str) -> str:
    """The address of a match that a player plays against themselves."""
    body = {"game": game, "seats": [{"me": True}] * 2, "seed": SEED}
    return f"/matches/{one.call('POST', '/v1/matches', body)['id']}"


def looks(page: Page) -> Any:
    """What a settled page shows."""
    await_settled(page)
    return page.evaluate(SEEN)


def play_on(both: Visitor, match: str) -> bool:
    """Make a move; returns whether spectators may know less of it than the seat that made it."""
    play_match([both], match.rpartition("/")[2], 1, Random(0))
    after = f"/v1{match}/events?after={both.call('GET', f'/v1{match}')['version'] - 1}"
    return bool(both.call("GET", after) != both.call("GET", f"{after}&as=spectator"))


@pytest.mark.parametrize("game", SOME_HIDING)
def test_behind_the_curtain_is_the_page_of_a_spectator(
    site: Service, visit: Visit, both: Visitor, game: str
) -> None:
    """Also after moves that show something to a seat that goes on."""
    match = hot_seat(both, game)
    spectator = visit(site.url + match)
    page = visit(site.url + match, storage_state=both.state)
    curtain, names, hidden = page.locator(CURTAIN), list[str](), 0
    while len(names) < 2 or not hidden:
        expect(curtain).to_be_focused()
        for _ in range(2):
            page.keyboard.press("Escape")
        expect(curtain).to_be_focused()
        if names:
            spectator.reload()
        assert looks(page) == looks(spectator) | {"lit": []}  # spectators see the last turn
        names.append(curtain.inner_text())
        page.keyboard.press("Enter")
        page.wait_for_selector(f"{READY} {LIT}", state="attached")
        expect(curtain).to_have_count(0)
        assert looks(page)["pictures"] != looks(spectator)["pictures"]
        seat = both.call("GET", f"/v1{match}")["awaiting"][0]["seat"]
        expect(page.locator("#prompt")).to_contain_text(f"{both.name} ({seat + 1}): ")
        while (now := both.call("GET", f"/v1{match}"))["awaiting"][0]["seat"] == seat:
            hidden += play_on(both, match)
        await_settled(page, now["version"])
    spectator.reload()
    assert looks(page)["log"] == looks(spectator)["log"]
    assert set(names) == {f"I am {both.name} ({seat + 1})" for seat in range(2)}


def test_behind_a_lifted_curtain_the_moves_of_the_other_seat_are_shown(
    site: Service, visit: Visit, both: Visitor
) -> None:
    """Given two turns, when the first seat takes the device again, then it sees the moves of the
    other in sentences, and what is new since its own, as it may know it.
    """
    match = hot_seat(both, "qin")
    page = visit(site.url + match, storage_state=both.state, reduced_motion="no-preference")
    seats = []
    for _ in range(MOST_MOVES):
        now = both.call("GET", f"/v1{match}")
        await_settled(page, now["version"])
        seat = now["awaiting"][0]["seat"]
        if seat not in seats[-1:] and seat in seats:
            break
        seats.append(seat)
        play_match([both], match.rpartition("/")[2], 1, Random(0))
    page.evaluate(RECORD_PICTURES)
    page.evaluate(RECORD_HEARD)
    take_device(page)
    newest = page.locator("#log li[data-kind=Moved] p").first.evaluate(FIRST_TEXT)
    assert newest in page.evaluate("window.heard"), "screen readers say it, too"
    expect(page.locator("#board .turn .ring").first).to_be_attached()
    shown = page.evaluate("window.pictures")
    assert len(shown) > 1
    assert {parse_qs(urlsplit(one).query)["as"][0] for one in shown} == {str(seat)}
    since = page.locator("[data-do=since]")
    count = len(seats) - 1 - seats.index(seat)
    expect(since).to_have_text(f"▶ Moves since yours: {count}")


def test_in_a_larger_match_only_own_seats_need_the_device(
    site: Service, visit: Visit, both: Visitor
) -> None:
    """The curtain falls after the moves of the others have been shown."""
    other = Visitor(site, "Other")
    seats: list[Any] = [{"me": True}, {"open": True}, {"me": True}]
    match = both.call("POST", "/v1/matches", {"game": "qin", "seats": seats, "seed": SEED})["id"]
    other.call("POST", f"/v1/matches/{match}/seats", {"seat": 1})
    page = visit(
        f"{site.url}/matches/{match}", storage_state=both.state, reduced_motion="no-preference"
    )
    curtain, holder = page.locator(CURTAIN), None
    for _ in range(len(seats) + 1):
        now = both.call("GET", f"/v1/matches/{match}")
        await_settled(page, now["version"])
        seat = now["awaiting"][0]["seat"]
        if seat in (1, holder):
            expect(curtain).to_have_count(0)
        else:
            expect(curtain).to_have_text(f"I am {both.name} ({seat + 1})")
            take_device(page)
            holder = seat
        play_match([both, other, both], match, 1, Random(seat))


def test_another_version_or_view_does_not_lift_the_curtain_but_the_end_does(
    site: Service, visit: Visit, both: Visitor
) -> None:
    match = hot_seat(both, "qin")
    seat = both.call("GET", f"/v1{match}")["awaiting"][0]["seat"]
    spectator = visit(f"{site.url}{match}")
    page = visit(BLANK, storage_state=both.state)
    for link in (f"#as={seat}", f"#v=1&as={seat}"):
        page.goto(BLANK)  # so that it loads the match again
        page.goto(f"{site.url}{match}{link}")
        shown = looks(page)
        expect(page.locator(CURTAIN)).to_be_visible()
        assert shown["pictures"] == looks(spectator)["pictures"]
        assert page.evaluate(TEXT_VIEWS) == ["spectator"] * 2
    take_device(page)
    assert looks(page)["pictures"] != looks(spectator)["pictures"]
    assert page.evaluate(TEXT_VIEWS) == [str(seat)] * 2
    page.goto(site.url + match)
    page.reload()
    expect(page.locator(CURTAIN)).to_be_visible()
    both.call("POST", f"/v1{match}/resign")
    expect(page.locator(CURTAIN)).to_have_count(0)
    page.locator("#match[data-status=scored] [data-result]").wait_for()
    shown = looks(page)["pictures"]
    page.reload()
    assert looks(page)["pictures"] == shown
    expect(page.locator("dialog")).to_have_count(0)


def test_the_curtain_can_be_turned_off(site: Service, visit: Visit, both: Visitor) -> None:
    match = hot_seat(both, "qin")
    page = visit(f"{site.url}/settings", storage_state=both.state)
    page.locator("[data-pref=curtain]").select_option("never")
    page.goto(site.url + match)
    decided = set()
    for _ in range(MOST_MOVES):
        now = both.call("GET", f"/v1{match}")
        await_settled(page, now["version"])
        expect(page.locator("dialog")).to_have_count(0)
        assert page.evaluate(TEXT_VIEWS) == [None, None]
        decided.add(now["awaiting"][0]["seat"])
        if decided == {0, 1}:
            break
        play_match([both], match.rpartition("/")[2], 1, Random(0))
    assert decided == {0, 1}


@pytest.mark.parametrize("game", GAMES)
def test_a_hot_seat_shows_what_spectators_see_and_no_curtain_if_nothing_is_hidden(
    app: Flask, client: FlaskClient, ann: Api, game: str
) -> None:
    """Without scripts, and before they begin."""
    body = {"game": game, "seats": [{"me": True}] * 2, "seed": SEED}
    match = f"/matches/{ann.post('/v1/matches', body).json['id']}"
    spectator, own = client, app.test_client()
    own.post("/v1/session", json={"token": ann.token}, headers=ORIGIN)
    mine, theirs = (show_page(one, match).text for one in (own, spectator))
    hides = game in HIDING
    for part in ("p", "prompt"), ("ol", "log"):
        [seen], [other] = (
            re.findall(OF_PART.format(*part), text, re.DOTALL) for text in (mine, theirs)
        )
        assert other.strip()
        assert seen == other or not hides, part
    for mark in (" data-hot-seat", "as=spectator", "what spectators see"):
        assert [mark in text for text in (mine, theirs)] == [hides, False], mark
