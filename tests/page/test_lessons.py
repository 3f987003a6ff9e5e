"""A visitor who has never played learns a game in the browser."""

from __future__ import annotations

from itertools import cycle
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from domain.games import GAMES
from service.page.texts import TEXTS
from tests.page.axe import faults
from tests.page.hands import READY, Finger, Hand, Keys, Mouse
from tests.page.visits import Visit
from tests.support.whole_service import Service

LEARN = '[data-learn="qin/lessons/first"]'
LATER = '[data-lesson="later"]'
LESSON = GAMES["qin"].resources.lessons["first"]
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "color_scheme": "dark",
}
FIRST_TASKS, ALL = 2, 1_000
"""Numbers of tasks that a visitor does at most."""
LOCALES = {"en": "en-GB", "zh-Hant": "zh-TW"}
BOX = "(name) => document.querySelector(name).getBoundingClientRect().toJSON()"


def begin(site: Service, visit: Visit, **options: object) -> Page:
    """The page of a lesson that a new visitor begins in the lobby."""
    page = visit(site.url, **options)
    page.click(LEARN)
    page.wait_for_url("**/matches/*")
    page.wait_for_selector(READY)
    return page


def read(page: Page, hand: Hand) -> None:
    """Read the pages before the next task, or before the end."""
    while page.locator(LATER).is_visible():
        hand.touch(LATER)


@pytest.mark.parametrize(
    ("kinds", "language", "options", "most"),
    [
        pytest.param([Mouse, Keys], "en", {}, ALL, id="mouse and keys"),
        pytest.param([Finger], "zh-Hant", PHONE, FIRST_TASKS, id="finger"),
        pytest.param([Finger], "en", PHONE, ALL, id="finger to the end", marks=pytest.mark.long),
    ],
)
def test_a_visitor_learns_to_the_last_step(
    site: Service,
    visit: Visit,
    kinds: list[type[Hand]],
    language: str,
    options: dict[str, Any],
    most: int,
) -> None:
    """Given a lesson, when the visitor touches what is lit, with hands that take turns, then it
    goes on to its end, or at least for some tasks; also if a proxy fails once when the page reads
    the next step. All can read its panel, which fits.
    """
    page = begin(site, visit, **options, locale=LOCALES[language], faults=("502",))
    failed: list[str] = []

    def fail_once(route: Route) -> None:
        if failed:
            return route.continue_()
        failed.append(route.request.url)
        return route.fulfill(status=502, body="")

    page.route("**/lesson", fail_once)
    check_fits(page)
    assert faults(page) == []
    hands = cycle([kind(page, Random(1)) for kind in kinds])
    tasks = [number for number, step in enumerate(LESSON.steps, 1) if step.is_task]
    for number in tasks[:most]:
        hand = next(hands)
        read(page, hand)
        at = TEXTS[language]["lesson_at"].format(number=number, count=len(LESSON.steps))
        expect(page.locator("#lesson-at")).to_have_text(at)
        expect(page.locator("#lesson-text")).to_contain_text(LESSON.steps[number - 1].rule)
        assert page.locator(".look").count() >= len(LESSON.steps[number - 1].look)
        assert hand.move()
        expect(page.locator("#lesson-at")).not_to_have_text(at)
    assert failed
    if most >= len(tasks):
        read(page, next(hands))
        expect(page.locator("#lesson")).to_be_hidden()


def check_fits(page: Page) -> None:
    """The board stays in sight, and the text of a step is whole."""
    board, bar, text = (page.evaluate(BOX, name) for name in ("#board", "#bar", "#lesson-text"))
    assert board["right"] <= bar["left"] + 1 or board["bottom"] <= bar["top"] + 1
    assert bar["top"] <= text["top"]
    assert text["bottom"] <= bar["bottom"]


def test_a_wrong_touch_is_explained_with_its_rule_and_a_lesson_can_be_skipped(
    site: Service, visit: Visit
) -> None:
    page = begin(site, visit, faults=("409",))
    page.click(LATER)
    page.locator(".view > [data-panel] [data-at='tile:YY']").first.click(force=True)
    why = page.locator("#why")
    expect(why).to_contain_text(LESSON.texts["en"]["found_else"])
    expect(why.locator("a.rule")).to_have_attribute("href", "../rules/qin#QIN-5.4")
    page.click('[data-lesson="skip"]')
    page.click("dialog .grave")
    page.wait_for_url(f"{site.url}/")
