"""People who see, hear or move otherwise can use every page. test_every_game looks at matches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, ViewportSize

from domain.games import GAMES
from tests.page.axe import ALIKE, OF_COLOURS, faults
from tests.page.hands import CURTAIN
from tests.page.light import MAX_LIGHT, light_share
from tests.page.test_layout import DESK, PHONE, STICKS_OUT
from tests.page.visitors import Visitor
from tests.page.visits import Visit
from tests.support.whole_service import Service

ALONE = ("/", "/turns", "/people", "/settings", "/rules/nothing")
TEXTS = ("/guide", "/guide/rest", "/problems")
ENLARGED: ViewportSize = {"width": 640, "height": 400}
"""A large screen at a zoom of 200 %."""
UNSTICK = "(one) => { one.style.position = 'static'; }"
"""Without this, axe takes the dark page for the ground of letters on the paper of a sticky element,
which it calls too dark at night: even if that element, its picture and the page are all white.
"""
OF_GAMES = ("new", "rules", "leaderboards", "statistics")
some_alike = pytest.mark.parametrize(
    "alike", [pytest.param(ALIKE, id="some"), pytest.param(10**6, id="all", marks=pytest.mark.long)]
)
"""How many of the texts that look alike are measured."""


@pytest.fixture(scope="module")
def ann(site: Service) -> Visitor:
    """A player with matches."""
    return Visitor(site, "Accessible Ann")


def open_match(ann: Visitor, game: str, other: dict[str, object]) -> str:
    """The address of a match of hers with another player."""
    body = {"game": game, "seats": [{"me": True}, other]}
    return f"/matches/{ann.call('POST', '/v1/matches', body)['id']}"


def addresses(ann: Visitor) -> Iterator[str]:
    """One address of each kind of page but that of a match."""
    game = next(iter(GAMES.values()))
    yield from (*ALONE, *TEXTS)
    yield from (f"/{kind}/{game.key}" for kind in OF_GAMES)
    yield f"/rules/{game.key}/aid"
    yield from (f"/players/{ann.id}", f"/players/bot:{game.levels[0].key}")
    yield open_match(ann, game.key, {"open": True})


def faults_by_day_and_night(page: Page, alike: int = ALIKE) -> list[str]:
    """The faults of a page in its light colours, and those of its dark ones."""
    page.emulate_media(color_scheme="light")
    by_day = faults(page, alike=alike)
    page.emulate_media(color_scheme="dark")
    return by_day + faults(page, OF_COLOURS, alike)


def test_what_cannot_be_used_or_read_by_day_or_by_night_is_found(
    site: Service, visit: Visit
) -> None:
    page = visit(f"{site.url}/turns")
    page.locator("main").evaluate("(main) => main.append(document.createElement('button'))")
    assert [fault.split(":")[0] for fault in faults_by_day_and_night(page)] == ["button-name"]
    for colour in ("#ccc", "#444"):
        page.locator("h1").evaluate("(title, colour) => { title.style.color = colour; }", colour)
        found = sorted(fault.split(":")[0] for fault in faults_by_day_and_night(page))
        assert found == ["button-name", "color-contrast"], colour


@some_alike
def test_every_page_can_be_used_fits_a_phone_and_is_dark_at_night(
    site: Service, visit: Visit, ann: Visitor, counter: Page, alike: int
) -> None:
    """By turns on a screen in light colours, and enlarged to 200 % in dark ones; `make test-long`
    looks at each page on both.
    """
    faulty = ("404",)  # the browser's message for a missing page
    page = visit(f"{site.url}/turns", faults=faulty, storage_state=ann.state)
    for number, address in enumerate(addresses(ann)):
        page.set_viewport_size(DESK)
        page.emulate_media(color_scheme="light")
        page.goto(site.url + address)
        if alike != ALIKE or number % 2:
            assert faults(page, alike=alike) == [], address
        page.set_viewport_size(ENLARGED)
        page.emulate_media(color_scheme="dark")
        if alike != ALIKE or not number % 2:
            assert faults(page, alike=alike) == [], address
        for size in (ENLARGED, PHONE):
            page.set_viewport_size(size)
            assert page.evaluate(STICKS_OUT) == [], (address, size)
        assert light_share(page, counter) <= MAX_LIGHT, address


@some_alike
def test_a_choice_of_bots_and_the_curtain_can_be_used(
    site: Service, visit: Visit, ann: Visitor, alike: int
) -> None:
    page = visit(site.url, locale="zh-TW", storage_state=ann.state)
    page.locator("[data-play]").first.click()
    assert faults_by_day_and_night(page, alike) == []
    page.goto(site.url + open_match(ann, next(iter(GAMES)), {"me": True}))
    page.wait_for_selector(CURTAIN)
    assert faults_by_day_and_night(page, alike) == []
