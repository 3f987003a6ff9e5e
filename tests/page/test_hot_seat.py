"""In hot seat the people at one device see only their own seat: behind the curtain the page is that
of a spectator.
"""

from __future__ import annotations

from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from domain.games import GAMES
from domain.match.visibility import hides_something
from tests.page.hands import CURTAIN, LIT, READY, Mouse
from tests.page.visitors import Visitor, await_settled, play_match, take_device
from tests.page.visits import BLANK, Visit
from tests.support.patience import eventually
from tests.support.whole_service import Service

SEED = "7" * 64
HIDING = [key for key, game in GAMES.items() if hides_something(game)]
SOME_HIDING = [
    pytest.param(game, marks=() if game in ("chang_cheng", "great_wall") else pytest.mark.long)
    for game in HIDING
]
"""Two of the games that hide something, and the others in `make test-long`."""
MOST_MOVES = 40
"""Number of moves after which another seat decides."""
SOME_MOVES = 12
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


def move(hand: Mouse, both: Visitor, match: str) -> None:
    """Make a move, and wait until its page shows it; the hand waits only until that has sent it."""
    version = lambda: both.call("GET", f"/v1{match}")["version"]  # noqa: E731
    before = version()
    assert hand.move()
    eventually(lambda: version() > before)
    await_settled(hand.page, version())


@pytest.mark.parametrize("game", SOME_HIDING)
def test_behind_the_curtain_is_the_page_of_a_spectator(
    site: Service, visit: Visit, both: Visitor, game: str
) -> None:
    match = hot_seat(both, game)
    spectator = visit(site.url + match)
    page = visit(site.url + match, storage_state=both.state)
    curtain, names = page.locator(CURTAIN), list[str]()
    for _ in range(2):
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
        while both.call("GET", f"/v1{match}")["awaiting"][0]["seat"] == seat:
            play_match([both], match.rpartition("/")[2], 1, Random(0))
        await_settled(page, both.call("GET", f"/v1{match}")["version"])
    assert set(names) == {f"I am {both.name} ({seat + 1})" for seat in range(2)}


def test_the_log_says_only_what_all_know(site: Service, visit: Visit, both: Visitor) -> None:
    """Also of moves that show something to a seat that goes on."""
    match = hot_seat(both, "chang_cheng")
    page = visit(site.url + match, storage_state=both.state)
    await_settled(page)
    shown, chance = 0, Random(0)
    for _ in range(SOME_MOVES):
        play_match([both], match.rpartition("/")[2], 1, chance)
        now = both.call("GET", f"/v1{match}")
        after = f"/v1{match}/events?after={now['version'] - 1}"
        shown += both.call("GET", after) != both.call("GET", f"{after}&as=spectator")
    assert shown
    await_settled(page, now["version"])
    assert looks(page)["log"] == looks(visit(site.url + match))["log"]


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


def test_after_the_end_there_is_no_curtain(site: Service, visit: Visit, both: Visitor) -> None:
    match = hot_seat(both, "qin")
    page = visit(site.url + match, storage_state=both.state)
    curtain = page.locator(CURTAIN)
    expect(curtain).to_be_visible()
    both.call("POST", f"/v1{match}/resign")
    expect(curtain).to_have_count(0)
    page.locator("#match[data-status=scored] [data-result]").wait_for()
    again = visit(site.url + match, storage_state=both.state)
    assert looks(page)["pictures"] == looks(again)["pictures"]
    expect(again.locator("dialog")).to_have_count(0)


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
    for _ in range(2 * len(seats)):
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


def test_another_version_or_view_does_not_lift_the_curtain(
    site: Service, visit: Visit, both: Visitor
) -> None:
    match = hot_seat(both, "qin")
    seat = both.call("GET", f"/v1{match}")["awaiting"][0]["seat"]
    spectator = visit(f"{site.url}{match}")
    page = visit(BLANK, storage_state=both.state)
    for link in (f"#as={seat}", f"#v=1&as={seat}", "#v=1"):
        page.goto(BLANK)  # so that it loads the match again
        page.goto(f"{site.url}{match}{link}")
        shown = looks(page)
        expect(page.locator(CURTAIN)).to_be_visible()
        assert shown["pictures"] == looks(spectator)["pictures"]
        assert page.evaluate(TEXT_VIEWS) == ["spectator"] * 2
        take_device(page)
        assert looks(page)["pictures"] != looks(spectator)["pictures"]
        assert page.evaluate(TEXT_VIEWS) == [str(seat)] * 2


def test_the_curtain_can_be_turned_off(site: Service, visit: Visit, both: Visitor) -> None:
    match = hot_seat(both, "qin")
    page = visit(f"{site.url}/settings", storage_state=both.state)
    page.locator("[data-pref=curtain]").select_option("never")
    page.goto(site.url + match)
    hand, decided = Mouse(page, Random(0)), set()
    while decided != {0, 1}:
        now = both.call("GET", f"/v1{match}")
        await_settled(page, now["version"])
        expect(page.locator("dialog")).to_have_count(0)
        assert page.evaluate(TEXT_VIEWS) == [None, None]
        decided.add(now["awaiting"][0]["seat"])
        assert hand.moves < MOST_MOVES
        move(hand, both, match)


def test_a_game_that_hides_nothing_needs_no_curtain(
    site: Service, visit: Visit, both: Visitor
) -> None:
    opened = [key for key in GAMES if key not in HIDING]
    assert opened
    page = visit(BLANK, storage_state=both.state)
    for game in opened:
        page.goto(site.url + hot_seat(both, game))
        page.wait_for_selector(f"{READY} {LIT}", state="attached")
        expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("game", HIDING)
def test_without_scripts_a_hot_seat_shows_what_spectators_see(
    site: Service, visit: Visit, both: Visitor, game: str
) -> None:
    match = hot_seat(both, game)
    pages = [
        visit(site.url + match, storage_state=state, java_script_enabled=False)
        for state in (both.state, None)
    ]
    for selector in ("#prompt", "#log", "#board"):
        own, spectator = (page.locator(selector).inner_text() for page in pages)
        assert own == spectator
    pictures = [page.locator("#board img").get_attribute("src") or "" for page in pages]
    assert "as=spectator" in pictures[0]
    assert ["what spectators see" in page.content() for page in pages] == [True, False]
