"""A refusal says on the page what is allowed instead, in sight also if it is long, and points at
it.
"""

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
REFUSALS = 3
"""Number of things of a game that are touched in vain."""
SCREEN = {"width": 1280, "height": 800}
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
IS_IN_SIGHT = """(one) => {
    const { left, top, bottom } = one.getBoundingClientRect();
    const ends = [[left + 2, top + 2], [left + 2, bottom - 2]];
    return ends.every((end) => one.contains(document.elementFromPoint(...end)));
}"""
"""Whether nothing covers the first and the last line of a text."""
SCHEMES: tuple[dict[str, Any], ...] = (
    {"color_scheme": "light"},
    {"color_scheme": "dark"},
    {"forced_colors": "active"},
)
LOOKS = """() => ["can-touch", "touched", "refused", "turn"].map((kind) => {
    const layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
    layer.innerHTML = '<rect class="light ring" width="9" height="9"/>';
    layer.classList.add(kind);
    document.querySelector("#board .lights").append(layer);
    const { stroke, strokeWidth, strokeDasharray } = getComputedStyle(layer.firstChild);
    layer.remove();
    return [stroke, `${strokeWidth} ${strokeDasharray}`];
})"""
"""The colour, and the width and dashes, of the marks of a thing that can be touched, is touched,
was refused, and is new since the last turn.
"""
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
    page = visit(
        f"{site.url}/matches/{match}", storage_state=people[seat].state, faults=REFUSED,
        viewport=SCREEN,
    )  # fmt: skip
    page.wait_for_selector(f"{READY} {LIT}", state="attached")
    guide = people[seat].call("GET", f"/v1/matches/{match}/legal-moves?touch=true")
    labels = {one["name"]: one["label"].lower() for one in guide["names"]}
    said, chance = page.locator("#why[role=alert] .instead"), Random(game)
    for _ in range(REFUSALS):
        choices = refusal(page, list(labels), chance)["choices"]
        expect(said).to_contain_text("Allowed instead: ")
        named = said.inner_text().lower()
        assert any(labels[name] in named for name in choices)
        assert said.evaluate(IS_IN_SIGHT), page.inner_text("#why")
    pointed = page.evaluate(POINTED, choices)
    buttons = page.locator("#words button.allowed").count()
    assert 1 <= len(pointed) + buttons <= MOST_ARROWS
    assert None not in pointed
    assert_mark_differs(page)
    Mouse(page, Random(game)).touch(LIT)
    expect(said).to_have_count(0)
    expect(page.locator(".allowed, .refused")).to_have_count(0)


def assert_mark_differs(page: Page) -> None:
    """The refused thing has a mark, whose lines differ in form and colour from those of what can
    be touched, is touched or is new since the last turn, by day, by night and in forced colours.
    """
    refused = page.locator(".refused")
    expect(refused).to_have_count(1)
    expect(refused.locator(".sign")).to_be_visible()
    for emulated in SCHEMES:
        page.emulate_media(**emulated)
        colours, forms = zip(*page.evaluate(LOOKS), strict=True)
        assert len({*colours}) == len({*forms}) == len(colours)
    page.emulate_media(color_scheme="light", forced_colors="none")
