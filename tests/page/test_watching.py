"""Spectators see a match without JavaScript: its board, its log, and whose turn it is."""

from __future__ import annotations

from itertools import cycle

import pytest
from playwright.sync_api import Page

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from tests.page.visitors import Visitor, begin_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

SEED = "7" * 64
IMAGE_WIDTH = "img => img.decode().then(() => img.naturalWidth)"


@pytest.fixture(scope="module")
def people(site: Service) -> list[Visitor]:
    """Two players of the watched match."""
    return [Visitor(site, "Watched"), Visitor(site, "Seen")]


def read_page(page: Page) -> tuple[list[str], list[str]]:
    """The names of the players who have to decide, and the texts of the log."""
    decide = page.locator("#seats .decides .who").all_inner_texts()
    return decide, page.locator("#log p").all_inner_texts()


def test_matches_are_watched_without_a_script(
    site: Service, visit: Visit, people: list[Visitor]
) -> None:
    """A match of each game, the first ones each in another language."""
    page = visit(f"{site.url}/settings", java_script_enabled=False)
    for game, language in zip(GAMES, cycle(LANGUAGES), strict=False):
        match = begin_match(people, game=game, seed=SEED)
        page.goto(f"{site.url}/matches/{match}?language={language}")
        assert page.locator("#board img").evaluate(IMAGE_WIDTH) > 300, game
        decide, log = read_page(page)
        waits = people[0].call("GET", f"/v1/matches/{match}")["awaiting"]
        assert decide == [people[one["seat"]].name for one in waits], game
        assert log, game
        assert all(log), game


def test_a_spectator_may_be_signed_in(site: Service, visit: Visit, people: list[Visitor]) -> None:
    match = begin_match(people, game=next(iter(GAMES)), seed=SEED)
    page = visit(f"{site.url}/matches/{match}", storage_state=people[1].state)
    assert page.locator("html").get_attribute("data-me") == people[1].id
