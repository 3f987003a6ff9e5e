"""Whoever watches a match sees it without JavaScript: its board, its log, and whose turn it is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from tests.page.conftest import Visit
from tests.page.visitors import Visitor, begun
from tests.support.whole_service import Service

SEED = "7" * 64
DRAWN = "img => img.decode().then(() => img.naturalWidth)"


@pytest.fixture(scope="module")
def people(site: Service) -> list[Visitor]:
    """Two who play what is watched."""
    return [Visitor(site, "Watched"), Visitor(site, "Seen")]


def seen(page: Page) -> tuple[list[str], list[str]]:
    """The names of who has to decide, and what the log tells."""
    decide = page.locator("#seats .decides .who").all_inner_texts()
    return decide, page.locator("#log p").all_inner_texts()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_watched_without_a_script(
    site: Service, visit: Visit, people: list[Visitor], game: str, language: str
) -> None:
    match = begun(people, game=game, seed=SEED)
    page = visit(f"{site.url}/matches/{match}", java_script_enabled=False, locale=language)
    assert page.locator("#board img").evaluate(DRAWN) > 300
    decide, log = seen(page)
    waits = people[0].call("GET", f"/v1/matches/{match}")["awaiting"]
    assert decide == [people[one["seat"]].name for one in waits]
    assert log
    assert all(log)


def test_who_watches_may_be_somebody(site: Service, visit: Visit, people: list[Visitor]) -> None:
    match = begun(people, game=next(iter(GAMES)), seed=SEED)
    page = visit(f"{site.url}/matches/{match}", storage_state=people[1].state)
    assert page.locator("html").get_attribute("data-me") == people[1].id
