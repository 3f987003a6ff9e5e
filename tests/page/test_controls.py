"""Every control of a match page does something for those who see it: spectators, guests, players
who have resigned, and all after the end.
"""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Page, Route, expect

from domain.games import GAMES
from tests.page.pictures import panel_texts_on_screen
from tests.page.visitors import Visitor, await_settled, begin_match, play_match
from tests.page.visits import Visit, Visits
from tests.support.patience import eventually
from tests.support.whole_service import Service

SEED = "7" * 64
GAME = next(iter(GAMES))
COMMANDS = (
    "agree", "refuse", "withdraw", "reclaim", "keep", "give", "undo", "redo", "resign",
    "fork", "confirm", "back", "since", "propose-end",
)  # fmt: skip
"""Actions that the service may refuse."""
SHOWN = """(names) => names.filter((name) => {
    const one = document.querySelector(`[data-do="${name}"]`);
    return one.checkVisibility();
})"""
VALUES = "(all) => all.map((one) => one.value)"
MOVES = 6


@pytest.fixture(scope="module")
def people(site: Service) -> list[Visitor]:
    """Players of the matches."""
    return [Visitor(site, name) for name in ("Plays", "Resigned", "Stays")]


@pytest.fixture(scope="module")
def running(people: list[Visitor]) -> str:
    """The id of a match in play in which the second player has resigned."""
    match = begin_match(people, game=GAME, seed=SEED)
    play_match(people, match, MOVES, Random(1))
    people[1].call("POST", f"/v1/matches/{match}/resign")
    return match


@pytest.fixture(scope="module")
def finished(people: list[Visitor]) -> str:
    """The id of a finished match of the first and the last player."""
    match = begin_match([people[0], people[2]], game=GAME, seed=SEED)
    play_match([people[0], people[2]], match, MOVES, Random(1))
    people[2].call("POST", f"/v1/matches/{match}/resign")
    eventually(lambda: people[0].call("GET", f"/v1/matches/{match}")["status"] == "scored")
    return match


def look(site: Service, visit: Visit, match: str, who: Visitor | None, at: str = "") -> Page:
    """The settled page of a match, with *More* open."""
    page = visit(f"{site.url}/matches/{match}{at}", storage_state=who and who.state)
    await_settled(page)
    page.locator("#more > summary").click()
    return page


def go_to(page: Page, version: int) -> None:
    """Show this version of the match on its page."""
    page.evaluate(f"location.hash = 'v={version}'")
    await_settled(page, version)


def commands(page: Page) -> set[str]:
    """The commands that a page offers."""
    return {*page.evaluate(SHOWN, COMMANDS)}


def views(page: Page) -> list[str]:
    """The views that a page offers; a choice of one is none. Each shows something else."""
    eyes = page.locator("#eyes")
    offered: list[str] = eyes.locator("option").evaluate_all(VALUES)
    assert eyes.is_visible() == (len(offered) > 1)
    pictures = [_seen(page, view) for view in offered if eyes.is_visible()]
    assert len({*pictures}) == len(pictures)
    return offered


def _seen(page: Page, view: str) -> str:
    page.select_option("#eyes", view)
    await_settled(page, 4)
    return str(panel_texts_on_screen(page))


def own_view(page: Page) -> str:
    """The name of one's own view, which without a seat is that of a spectator."""
    return page.locator("#eyes option").first.text_content() or ""


def keys(page: Page) -> set[str]:
    """The keys that a page lists."""
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    listed = dialog.locator("kbd").all_text_contents()
    dialog.locator("button.main").click()
    return {*listed}


def test_in_play_only_players_are_offered_commands_and_views(
    site: Service, visits: Visits, people: list[Visitor], running: str
) -> None:
    """A guest, the player who resigned, and another; now and in a replay. The list of keys has only
    those that do something.
    """
    for who in (None, people[1], people[0]):
        with visits.begin() as visit:
            page = look(site, visit, running, who)
            now = commands(page)
            assert {"resign", "undo", "fork"} <= now if who is people[0] else now == set()
            if who is None:
                assert {"?", "l", "Home"} <= (listed := keys(page))
                assert not listed & {"u", "y", "c", "a", "n", "Escape", "Enter"}
            go_to(page, 4)
            has_seat = who in people  # one may go on from before one resigned
            assert commands(page) == ({"fork"} if has_seat else set())
            assert views(page) == (["", "spectator"] if has_seat else [""])
            assert (own_view(page) == "your own view") == has_seat


def test_a_request_is_answered_now_and_not_in_a_replay(
    site: Service, visit: Visit, people: list[Visitor]
) -> None:
    two = [people[0], people[2]]
    match = begin_match(two, game=GAME, seed=SEED, undo="consent")
    play_match(two, match, MOVES, Random(1))
    asked = two[0].call("POST", f"/v1/matches/{match}/undo")["version"]
    asks, answers = (look(site, visit, match, who) for who in two)
    assert {"agree", "refuse"} <= commands(answers)
    assert "withdraw" in commands(asks)
    two[1].call("POST", f"/v1/matches/{match}/undo/answer", {"agree": False})
    for page in (asks, answers):
        await_settled(page, asked + 1)
        go_to(page, asked)
        assert commands(page) == {"fork"}
        expect(page.locator("#asked")).to_be_hidden()


def test_after_the_end_anyone_may_go_on_from_a_moment_and_see_it_as_all_seats(
    site: Service, visits: Visits, people: list[Visitor], finished: str
) -> None:
    for who, kinds in ((people[1], ["", "0", "1"]), (people[2], ["", "spectator", "0"])):
        with visits.begin() as visit:
            page = look(site, visit, finished, who)
            assert commands(page) == set()
            go_to(page, 4)
            assert commands(page) == {"fork"}
            assert views(page) == kinds
            assert (own_view(page) == "your own view") == ("spectator" in kinds)
            page.route(re.compile(r"/matches/(?!\w+/)"), answer_forks)
            page.locator("[data-do=fork]").click()
            page.wait_for_url(lambda url: f"/matches/{finished}" not in url)


def answer_forks(route: Route) -> None:
    """Let a page go to another match, whose page other tests look at."""
    if route.request.is_navigation_request():
        route.fulfill(body="Another match.")
    else:
        route.fallback()


def test_a_cancelled_match_of_bots_goes_on_for_no_one(
    site: Service, visit: Visit, people: list[Visitor]
) -> None:
    """What hands it hid stay with its players, of whom it had none."""
    bots = [{"bot": GAMES[GAME].levels[0].key}] * 2
    match = people[0].call("POST", "/v1/matches", {"game": GAME, "seats": bots})["id"]
    people[0].call("DELETE", f"/v1/matches/{match}")
    page = look(site, visit, match, people[0], "#v=1")
    expect(page.locator("#match")).to_have_attribute("data-status", "aborted")
    assert commands(page) == set()
    expect(page.locator("#eyes")).to_be_hidden()
