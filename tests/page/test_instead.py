"""A refusal says on the page what is allowed instead, and points at it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from domain.games import GAMES
from tests.page.hands import LIT, READY, Mouse
from tests.page.visitors import Visitor, begin_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

REFUSED = ("422", "Unprocessable")
SEED = "7" * 64
MOST_TOUCHES = 20
MOST_ARROWS = 12
FORBIDDEN = """(legal) => {
    const things = [...document.querySelectorAll("#board [data-panel] [data-at]")];
    return things.filter((one) => !legal.includes(one.dataset.at)).map((one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        const point = [left + width / 2, top + height / 2];
        const found = document.elementsFromPoint(...point);
        const covered = found.some((each) => each.closest(".lights"));
        return !covered && found[0]?.closest("[data-at]") === one && point;
    }).filter(Boolean);
}"""
"""Points on the map at things that no legal move touches."""
POINTED = """(names) => [...document.querySelectorAll("path.allowed")].map((arrow) => {
    const { left, width, bottom } = arrow.getBoundingClientRect();
    const found = document.elementsFromPoint(left + width / 2, bottom - 1);
    const at = found.map((one) => one.closest("[data-at]")?.dataset.at);
    return at.find((name) => names.includes(name)) ?? null;
})"""
"""For each arrow the name of the thing that its tip is on, out of these."""


@pytest.fixture(scope="module")
def people(site: Service) -> list[Visitor]:
    return [Visitor(site, "Asks"), Visitor(site, "Waits")]


def refusal(page: Page, legal: list[str], chance: Random) -> dict[str, Any]:
    """The problem that the page gets for a thing that cannot be touched."""
    for _ in range(MOST_TOUCHES):
        point = chance.choice(page.evaluate(FORBIDDEN, legal))
        with page.expect_response("**/preview") as answer:
            page.mouse.click(*point)
        if answer.value.status == 422:
            problem: dict[str, Any] = answer.value.json()
            return problem
        page.keyboard.press("Escape")
    raise AssertionError("nothing is refused")


@pytest.mark.parametrize("game", GAMES)
def test_a_refusal_names_what_is_allowed_instead_and_points_at_it(
    site: Service, visit: Visit, people: list[Visitor], game: str
) -> None:
    match = begin_match(people, game=game, seed=SEED)
    seat = people[0].call("GET", f"/v1/matches/{match}")["awaiting"][0]["seat"]
    page = visit(f"{site.url}/matches/{match}", storage_state=people[seat].state, faults=REFUSED)
    page.wait_for_selector(f"{READY} {LIT}", state="attached")
    guide = people[seat].call("GET", f"/v1/matches/{match}/legal-moves?touch=true")
    labels = {one["name"]: one["label"].lower() for one in guide["names"]}
    if not page.evaluate(FORBIDDEN, list(labels)):
        assert game != "qin"
        return  # nothing on this map can be refused
    choices = refusal(page, list(labels), Random(game))["choices"]
    said = page.locator("#why[role=alert] .instead")
    expect(said).to_contain_text("Allowed instead: ")
    named = said.inner_text().lower()
    assert any(labels[name] in named for name in choices)
    pointed = page.evaluate(POINTED, choices)
    buttons = page.locator("#words button.allowed").count()
    assert 1 <= len(pointed) + buttons <= MOST_ARROWS
    assert None not in pointed
    Mouse(page, Random(game)).touch(LIT)
    expect(said).to_have_count(0)
    expect(page.locator(".allowed")).to_have_count(0)
