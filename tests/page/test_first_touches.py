"""Touches with which a newcomer begins: a thing that can mean several moves makes the page ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from domain.games.hansa_teutonica import GAME
from tests.games.hansa_teutonica.table import DUISBURG, HAMBURG, THREE, player, start
from tests.page.hands import CONFIRM, lit
from tests.page.visitors import Visitor, await_settled, begin_match
from tests.page.visits import Visits
from tests.support.whole_service import Service

LISTED, UNLISTED = f"post:{HAMBURG}:2", f"post:{HAMBURG}:3"
"""Two free posts of a route: the list of moves names only the first, for both."""
OF_ANOTHER = f"post:{HAMBURG}:1"
"""A piece of another player beside an equal one, which is the one that the list names."""

FAULTS = ("400", "Bad Request", "422", "Unprocessable")
"""What the console says of an answer with what a touch can mean, and of a refusal."""


@pytest.fixture(scope="module")
def table(site: Service) -> tuple[list[Visitor], str]:
    """Three people, and a match in which the first has a complete route."""
    people = [Visitor(site, name) for name in ("Begins", "Waits", "Sleeps")]
    routes = {DUISBURG: ["0t", "0t"], HAMBURG: ["1t", "1t", None, None]}
    state = start(player("ttm"), player("t"), player("t"), routes=routes, markers=THREE)
    position = GAME.write_position(state)
    return people, begin_match(people, game=GAME.key, position=position)


@pytest.fixture(scope="module")
def opened(site: Service, visits: Visits, table: tuple[list[Visitor], str]) -> Iterator[Page]:
    """The page of the first, opened once: only the last test makes a move."""
    people, match = table
    with visits.begin() as visit:
        page = visit(f"{site.url}/matches/{match}", storage_state=people[0].state, faults=FAULTS)
        await_settled(page)
        yield page


@pytest.fixture
def page(opened: Page) -> Iterator[Page]:
    """The same, with nothing touched."""
    yield opened
    while opened.locator("[data-do=back]").is_visible():
        opened.keyboard.press("Escape")


def touch(page: Page, name: str) -> None:
    """Touch a thing on the board, lit or not."""
    page.locator(f".view > [data-panel] [data-at='{name}']").first.click(force=True)


def test_places_are_lit_before_a_piece_is_chosen(page: Page) -> None:
    """Free posts, pieces that can be displaced, and the pieces that go there."""
    for name in (LISTED, f"post:{HAMBURG}:0", "supply:trader", "supply:merchant"):
        expect(page.locator(lit(name)).first).to_be_visible()
    page.locator(lit("supply:merchant")).first.click()
    expect(page.locator(lit(LISTED))).to_be_visible()
    expect(page.locator(lit("supply:trader"))).to_have_count(0)


@pytest.mark.parametrize("post", [LISTED, UNLISTED])
def test_a_free_post_asks_which_piece_goes_there(page: Page, post: str) -> None:
    question = page.inner_text("#prompt")
    touch(page, post)
    expect(page.locator("#prompt .named")).to_have_text(f"Bremen–Hamburg, post {int(post[-1]) + 1}")
    expect(page.locator("#prompt")).to_contain_text(question)
    expect(page.locator("#prompt")).to_contain_text("Choose a piece from your supply.")
    page.locator(lit("supply:merchant")).first.click()
    expect(page.locator(CONFIRM)).to_be_visible()
    expect(page.locator("#does")).to_contain_text("You place a merchant on Bremen–Hamburg")


def test_a_piece_of_another_player_asks_for_the_piece_and_the_pay(page: Page) -> None:
    touch(page, OF_ANOTHER)
    expect(page.locator("#prompt .named")).to_have_count(1)
    page.locator(lit("supply:trader")).first.click()
    page.locator(lit("pay:1:0")).click()
    expect(page.locator("#does")).to_contain_text("You displace")


@pytest.mark.parametrize("name", [f"post:{DUISBURG}:1", "city:duisburg", "city:dortmund"])
def test_a_complete_route_is_established_by_a_button_and_by_what_belongs_to_it(
    page: Page, name: str
) -> None:
    word = f"establish:{DUISBURG}"
    button = page.locator(lit(word))
    expect(button).to_have_text("Establish Dortmund–Duisburg")
    button.click()
    expect(page.locator(lit("nothing"))).to_be_visible()
    page.keyboard.press("Escape")
    touch(page, name)
    if name.startswith("post"):
        expect(page.locator(lit("lift"))).to_be_visible()
        button.click()
    page.locator(lit("nothing")).click()
    expect(page.locator("#does")).to_contain_text("You establish the route Dortmund–Duisburg")


def test_a_touch_that_does_not_fit_the_chosen_move_begins_another(page: Page) -> None:
    touch(page, "stock:trader")
    expect(page.locator(CONFIRM)).to_be_visible()
    touch(page, LISTED)
    expect(page.locator(CONFIRM)).to_be_hidden()
    expect(page.locator(lit("supply:trader")).first).to_be_visible()


def test_a_marker_that_cannot_be_used_says_what_it_does(page: Page) -> None:
    page.locator(f".view [data-at='route:{HAMBURG}']:has(title)").click(force=True)
    expect(page.locator("#why")).not_to_be_empty()
    expect(page.locator("#about")).to_contain_text("Extra office: when you establish a route")


def test_a_click_says_what_the_touched_thing_does(page: Page) -> None:
    """Also if it had the focus of the keyboard, which then goes to the next thing that is lit."""
    merchant, about = page.locator(lit("supply:merchant")).first, page.locator("#about")
    page.keyboard.press("Shift")
    merchant.focus()
    expect(about).to_contain_text("\n")
    _, does, *_ = about.inner_text().splitlines()
    merchant.click()
    expect(page.locator("#prompt .named")).to_have_count(1)
    expect(about).to_contain_text(does)


def test_of_equivalent_choices_the_touched_one_is_taken(
    page: Page, table: tuple[list[Visitor], str]
) -> None:
    """The list of moves names the first of the free posts. The last test: it makes a move."""
    [ann, *_], match = table
    version = ann.call("GET", f"/v1/matches/{match}")["version"]
    page.locator(lit("supply:trader")).first.click()
    touch(page, UNLISTED)
    page.locator(CONFIRM).click()
    await_settled(page, version + 1)
    events = ann.call("GET", f"/v1/matches/{match}/events?after={version}")["events"][0]["events"]
    placed = [event["post"] for event in events if "post" in event]
    assert placed == [[HAMBURG, int(UNLISTED[-1])]]
