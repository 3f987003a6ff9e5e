"""Spectators see a match without JavaScript: its board, its log, and whose turn it is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from tests.page.conftest import Visit
from tests.page.visitors import Visitor, begin_match
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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_watched_without_a_script(
    site: Service, visit: Visit, people: list[Visitor], game: str, language: str
) -> None:
    match = begin_match(people, game=game, seed=SEED)
    page = visit(f"{site.url}/matches/{match}", java_script_enabled=False, locale=language)
    assert page.locator("#board img").evaluate(IMAGE_WIDTH) > 300
    decide, log = read_page(page)
    waits = people[0].call("GET", f"/v1/matches/{match}")["awaiting"]
    assert decide == [people[one["seat"]].name for one in waits]
    assert log
    assert all(log)


def test_a_spectator_may_be_signed_in(site: Service, visit: Visit, people: list[Visitor]) -> None:
    match = begin_match(people, game=next(iter(GAMES)), seed=SEED)
    page = visit(f"{site.url}/matches/{match}", storage_state=people[1].state)
    assert page.locator("html").get_attribute("data-me") == people[1].id
