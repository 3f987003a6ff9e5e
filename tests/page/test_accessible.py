"""People who see, hear or move otherwise can use every page."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from domain.games import GAMES
from tests.page.axe import faults
from tests.page.conftest import Visit
from tests.page.hands import LIT, MINE, Mouse
from tests.page.visitors import Visitor
from tests.support.whole_service import Service

LOOKS = {
    "light": {"color_scheme": "light"},
    "dark and in Chinese": {"color_scheme": "dark", "locale": "zh-TW"},
}
ALONE = ("/", "/?status=active", "/turns", "/settings", "/rules/nothing")
OF_GAMES = ("new", "rules", "leaderboards", "statistics")


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
    yield from ALONE
    yield from (f"/{kind}/{game.key}" for kind in OF_GAMES)
    yield from (f"/players/{ann.id}", f"/players/bot:{game.levels[0].key}")
    yield open_match(ann, game.key, {"open": True})


def test_what_cannot_be_used_is_found(site: Service, visit: Visit) -> None:
    page = visit(f"{site.url}/")
    page.locator("main").evaluate("(main) => main.append(document.createElement('button'))")
    assert [fault.split(":")[0] for fault in faults(page)] == ["button-name"]


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_every_page_can_be_used(
    site: Service, visit: Visit, ann: Visitor, look: dict[str, str]
) -> None:
    faulty = ("404",)  # the browser's message for a missing page
    page = visit(f"{site.url}/", faults=faulty, storage_state=ann.state, **look)
    for address in addresses(ann):
        page.goto(site.url + address)
        assert faults(page) == [], address


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_bots_can_be_chosen(site: Service, visit: Visit, look: dict[str, str]) -> None:
    page = visit(f"{site.url}/", **look)
    page.locator("[data-play]").first.click()
    assert faults(page) == []


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played(
    site: Service, visit: Visit, ann: Visitor, game: str, look: dict[str, str]
) -> None:
    match = open_match(ann, game, {"bot": GAMES[game].levels[0].key})
    page = visit(site.url + match, storage_state=ann.state, **look)
    page.wait_for_selector(MINE, state="attached")
    Mouse(page, Random(game)).touch(LIT)
    assert faults(page) == []
