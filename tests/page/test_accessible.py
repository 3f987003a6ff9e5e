"""People who see, hear or move otherwise can use every page."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Page, ViewportSize

from domain.games import GAMES
from tests.page.axe import ALIKE, OF_COLOURS, OF_LAYOUT, faults
from tests.page.hands import CURTAIN, LIT, MINE, Mouse
from tests.page.light import MAX_LIGHT, light_share
from tests.page.test_layout import PHONE, STICKS_OUT
from tests.page.visitors import Visitor, take_device
from tests.page.visits import Visit
from tests.support.whole_service import Service

ALONE = ("/", "/turns", "/people", "/settings", "/rules/nothing")
TEXTS = ("/guide", "/guide/rest", "/problems")
DESK: ViewportSize = {"width": 1280, "height": 800}
ENLARGED: ViewportSize = {"width": 640, "height": 400}
"""The same screen at a zoom of 200 %."""
AT_NIGHT = next(iter(GAMES))
"""The game whose match is also seen in dark colours."""
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


def test_what_cannot_be_used_is_found(site: Service, visit: Visit) -> None:
    page = visit(f"{site.url}/turns")
    page.locator("main").evaluate("(main) => main.append(document.createElement('button'))")
    assert [fault.split(":")[0] for fault in faults_by_day_and_night(page)] == ["button-name"]


@pytest.mark.parametrize("colour", ["#ccc", "#444"])
def test_what_cannot_be_read_by_day_or_by_night_is_found(
    site: Service, visit: Visit, colour: str
) -> None:
    page = visit(f"{site.url}/turns")
    page.locator("h1").evaluate("(title, colour) => { title.style.color = colour; }", colour)
    assert [fault.split(":")[0] for fault in faults_by_day_and_night(page)] == ["color-contrast"]


@some_alike
def test_every_page_can_be_used_fits_a_phone_and_is_dark_at_night(
    site: Service, visit: Visit, ann: Visitor, counter: Page, alike: int
) -> None:
    """On a screen in light colours, and enlarged to 200 % in dark ones."""
    faulty = ("404",)  # the browser's message for a missing page
    page = visit(f"{site.url}/turns", faults=faulty, storage_state=ann.state)
    for address in addresses(ann):
        page.set_viewport_size(DESK)
        page.emulate_media(color_scheme="light")
        page.goto(site.url + address)
        assert faults(page, alike=alike) == [], address
        page.set_viewport_size(ENLARGED)
        page.emulate_media(color_scheme="dark")
        assert faults(page, OF_LAYOUT, alike) == [], address
        for size in (ENLARGED, PHONE):
            page.set_viewport_size(size)
            assert page.evaluate(STICKS_OUT) == [], (address, size)
        assert light_share(page, counter) <= MAX_LIGHT, address


def test_bots_can_be_chosen(site: Service, visit: Visit) -> None:
    page = visit(f"{site.url}/", locale="zh-TW")
    page.locator("[data-play]").first.click()
    assert faults_by_day_and_night(page) == []


@some_alike
@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played_and_is_dark_at_night(
    site: Service, visit: Visit, ann: Visitor, counter: Page, game: str, alike: int
) -> None:
    """In Chinese; test_whole_matches looks at the same in English."""
    match = open_match(ann, game, {"me": True})
    page = visit(site.url + match, storage_state=ann.state, locale="zh-TW")
    page.wait_for_selector(MINE, state="attached")
    if page.locator(CURTAIN).count():
        rules = () if game == AT_NIGHT else OF_COLOURS  # the curtain of all games is the same
        assert faults(page, rules, alike) == []
        take_device(page)
    Mouse(page, Random(game)).touch(LIT)
    assert (faults_by_day_and_night if game == AT_NIGHT else faults)(page, alike=alike) == []
    page.emulate_media(color_scheme="dark")
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        assert light_share(page, counter) <= MAX_LIGHT, size
    page.set_viewport_size(ENLARGED)
    page.emulate_media(color_scheme="light")
    assert page.evaluate(STICKS_OUT) == []
    if game == AT_NIGHT:
        page.locator("#stage").evaluate(UNSTICK)
        assert faults_by_day_and_night(page, alike) == []
