"""The match page of each game, opened once for all that is looked at on it: what a screen reader
finds, what is allowed instead of a forbidden touch, how it fits screens, and who can read it.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from domain.games import GAMES
from tests.page.axe import faults
from tests.page.hands import LIT, READY, Mouse
from tests.page.light import MAX_LIGHT, light_share
from tests.page.test_accessible import ENLARGED, UNSTICK, faults_by_day_and_night
from tests.page.test_layout import DESK, STICKS_OUT, fits_every_screen
from tests.page.visitors import Visitor, begin_match
from tests.page.visits import Visits
from tests.support.whole_service import Service

REFUSED = ("422", "Unprocessable")
SEED = "7" * 64
MOST_TOUCHES = 20
MOST_ARROWS = 12
FIRST = next(iter(GAMES))
"""The game that shows what the pages of all games share."""
SOME = [
    pytest.param(game, marks=() if game in (FIRST, "great_wall") else pytest.mark.long)
    for game in GAMES
]
"""Two games, and the others in `make test-long`: outside its picture, a match looks the same."""
PARTS = """() => [...document.querySelectorAll(".view")].map((panel) => ({
    role: panel.getAttribute("role"),
    label: panel.getAttribute("aria-label"),
    things: [...panel.querySelectorAll(".can-touch")].map((one) => ({
        role: one.getAttribute("role"),
        label: one.getAttribute("aria-label"),
        stop: one.tabIndex,
        title: one.querySelector("title").textContent,
    })),
}))"""
"""The panels with the things in them that can be touched."""
CHOICES = """() => [...document.querySelectorAll("#all > :not([hidden])")].map((part) => [
    part.dataset.kind,
    part.querySelector("h3").textContent,
    [...part.querySelectorAll("button")].map((one) => one.dataset.touch.split(":")[0]),
])"""
"""The choices of each kind, with their heading."""
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


class OpenMatch(NamedTuple):
    """The page of the player who decides first in a match, and what they can touch."""

    game: str
    page: Page
    labels: dict[str, str]


@pytest.fixture(scope="module")
def people(site: Service) -> list[Visitor]:
    return [Visitor(site, "Layout of the table"), Visitor(site, "A name as long as any can be")]


@pytest.fixture(scope="module", params=list(GAMES))
def opened(
    request: pytest.FixtureRequest, site: Service, visits: Visits, people: list[Visitor]
) -> Iterator[OpenMatch]:
    """A match of each game, whose page is opened once: no test makes a move."""
    game: str = request.param
    path = f"/matches/{begin_match(people, game=game, seed=SEED)}"
    seat = people[0].call("GET", f"/v1{path}")["awaiting"][0]["seat"]
    guide = people[seat].call("GET", f"/v1{path}/legal-moves?touch=true")
    labels = {one["name"]: one["label"].lower() for one in guide["names"]}
    with visits.begin() as visit:
        page = visit(
            site.url + path, storage_state=people[seat].state, faults=REFUSED, viewport=DESK
        )
        page.wait_for_selector(f"{READY} {LIT}", state="attached")
        yield OpenMatch(game, page, labels)


@pytest.fixture
def match(opened: OpenMatch) -> Iterator[OpenMatch]:
    """The same, with nothing touched, in light colours on a large screen."""
    yield opened
    opened.page.emulate_media(color_scheme="light")
    opened.page.set_viewport_size(DESK)
    while opened.page.locator("[data-do=back]").is_visible():
        opened.page.keyboard.press("Escape")


def test_a_screen_reader_walks_panels_and_lists_choices_by_kind(match: OpenMatch) -> None:
    panels: list[Any] = match.page.evaluate(PARTS)
    assert all(panel["role"] == "group" and panel["label"] for panel in panels)
    assert len({panel["label"] for panel in panels}) == len(panels)
    things = [thing for panel in panels for thing in panel["things"]]
    assert all(thing["role"] == "button" and thing["label"] for thing in things)
    assert all(thing["title"].startswith(thing["label"]) for thing in things)
    assert sum(thing["stop"] == 0 for thing in things) == bool(things)
    parts: list[Any] = match.page.evaluate(CHOICES)
    assert parts
    names = {kind.kind for kind in GAMES[match.game].touch_kinds if kind.role == "thing"}
    for kind, heading, buttons in parts:
        assert heading
        assert buttons
        assert set(buttons) == {kind} if kind else not names & set(buttons)


def test_a_refusal_names_what_is_allowed_instead_and_points_at_it(match: OpenMatch) -> None:
    page, labels = match.page, match.labels
    said, chance = page.locator("#why[role=alert] .instead"), Random(match.game)
    choices = refusal(page, list(labels), chance)["choices"]
    expect(said).to_contain_text("Allowed instead: ")
    named = said.inner_text().lower()
    assert any(labels[name] in named for name in choices)
    assert said.evaluate(IS_IN_SIGHT), page.inner_text("#why")
    pointed = page.evaluate(POINTED, choices)
    buttons = page.locator("#words button.allowed").count()
    assert 1 <= len(pointed) + buttons <= MOST_ARROWS
    assert None not in pointed
    expect(page.locator(".refused")).to_have_count(1)
    expect(page.locator(".refused .sign")).to_be_visible()
    if match.game == FIRST:
        check_mark_differs(page)
    Mouse(page, Random(match.game)).touch(LIT)
    expect(said).to_have_count(0)
    expect(page.locator(".allowed, .refused")).to_have_count(0)


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


def check_mark_differs(page: Page) -> None:
    """The mark of a refused thing has lines that differ in form and colour from those of what can
    be touched, is touched or is new since the last turn, by day, by night and in forced colours.
    """
    for emulated in SCHEMES:
        page.emulate_media(**emulated)
        colours, forms = zip(*page.evaluate(LOOKS), strict=True)
        assert len({*colours}) == len({*forms}) == len(colours)
    page.emulate_media(color_scheme="light", forced_colors="none")


def test_a_match_fits_every_screen(match: OpenMatch) -> None:
    fits_every_screen(match.page)


@pytest.mark.parametrize("opened", SOME, indirect=True)
def test_every_match_can_be_used_and_is_dark_at_night(match: OpenMatch, counter: Page) -> None:
    """With something touched."""
    page = match.page
    Mouse(page, Random(match.game)).touch(LIT)
    assert (faults_by_day_and_night if match.game == FIRST else faults)(page) == []
    page.emulate_media(color_scheme="dark")
    assert light_share(page, counter) <= MAX_LIGHT
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(ENLARGED)
    assert page.evaluate(STICKS_OUT) == []
    if match.game == FIRST:
        page.locator("#stage").evaluate(UNSTICK)
        assert faults_by_day_and_night(page) == []
