"""Turning points of a finished match: the better move on the board, as its seat sees it."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from domain.analysis.turning_points import MIN_CHANGE
from domain.engine.sentences import LANGUAGES
from tests.page.past import open_analysis
from tests.page.pictures import panel_texts_on_screen
from tests.page.visitors import Visitor, await_settled, begin_match, play_match
from tests.page.visits import Visit
from tests.support.patience import eventually
from tests.support.whole_service import Service

SEED = "7" * 64
NOTE_YOU = {"en": "you", "zh-Hans": "你", "zh-Hant": "你"}
VERSIONS = "(all) => all.map((one) => Number(one.dataset.version))"


@pytest.fixture(scope="module")
def people(site: Service) -> list[Visitor]:
    return [Visitor(site, name) for name in ("Ann", "Bob")]


@pytest.fixture(scope="module")
def match(people: list[Visitor]) -> str:
    """A finished match."""
    begun = begin_match(people, game="qin", seed=SEED)
    path = f"/v1/matches/{begun}"
    play_match(people, begun, 30, Random(1))
    people[1].call("POST", f"{path}/resign")
    eventually(lambda: people[0].call("GET", path)["status"] == "scored")
    return begun


@pytest.mark.parametrize(
    "language",
    [pytest.param(one, marks=[pytest.mark.long] * (one != "en")) for one in LANGUAGES],
)
def test_turning_points_lead_to_better_moves_on_the_board(
    site: Service, visit: Visit, people: list[Visitor], match: str, language: str
) -> None:
    """By keyboard: as ghosts on the board and in words, as the seat sees it that moved; what was
    played is one version later. Then the page shows the own view again.
    """
    path = f"/v1/matches/{match}"
    page = _open_analysed(site, visit, match, language, people[0])
    own = panel_texts_on_screen(page)
    found = people[0].call("GET", f"{path}/turning-points?language={language}")
    points = found["turning_points"]
    assert page.locator("#turns li").evaluate_all(VERSIONS) == [one["version"] for one in points]
    one = next(one for one in points if one["best_sentences"] and one["seat"] == 1)
    line = page.locator(f"#turns li[data-version='{one['version']}']")
    for sentence in (one["sentences"][0], one["best_sentences"][0]):
        expect(line).to_contain_text(sentence["text"])
    expect(line).to_contain_text(f"\u2212{one['choice']['error']:.0%}")
    _shows_numbers(page, [point["change"] for point in points])
    line.locator("button").focus()
    page.keyboard.press("Enter")
    await_settled(page, one["version"] - 1)
    for number, sentence in enumerate(one["best_sentences"]):
        expect(page.locator("#does li").nth(number)).to_contain_text(sentence["text"])
    expect(page.locator("#board .ghosts.coming .ring").first).to_be_attached()
    _sees_as(page, people[1].name, NOTE_YOU[language])
    page.keyboard.press("ArrowRight")
    await_settled(page, one["version"])
    expect(page.locator("#does li, #board .ghosts")).to_have_count(0)
    expect(page.locator("#eyes")).to_have_value("")
    line.locator("button").click()
    _leave_better_move(page, one["version"])
    assert panel_texts_on_screen(page) == own


def _shows_numbers(page: Page, changes: list[float]) -> None:
    """Each turning point has the change that makes it one."""
    numbers = page.locator("#turns b:last-child").all_inner_texts()
    assert numbers == [f"{change:+.0%}".replace("-", "\u2212") for change in changes]
    assert min(map(abs, changes)) >= MIN_CHANGE


def _open_analysed(site: Service, visit: Visit, match: str, language: str, who: Visitor) -> Page:
    page = visit(f"{site.url}/matches/{match}?language={language}", storage_state=who.state)
    await_settled(page)
    open_analysis(page)
    return page


def _sees_as(page: Page, name: str, you: str) -> None:
    """The page says whose view it lends for a better move, and does not call that player `you`."""
    expect(page.locator("#eyes")).to_have_value("1")
    expect(page.locator("#prompt")).to_contain_text(name)
    assert not any(re.search(rf"\b{you}\b", text) for text in panel_texts_on_screen(page).values())
    assert "as=" not in page.url


def _leave_better_move(page: Page, version: int) -> None:
    """Close the panel of the analysis while a better move is shown, then go to the end."""
    await_settled(page, version - 1)
    expect(page.locator("#does li").first).to_be_visible()
    page.locator("#analysis summary").click()
    expect(page.locator("#does li, #board .ghosts")).to_have_count(0)
    page.click("[data-do=now]")
    await_settled(page)
    expect(page.locator("#eyes")).to_have_value("")
