"""The prompt follows the touches of a decision, and nothing else on the page moves meanwhile."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from domain.engine.touches import kind_of
from domain.games import GAMES
from tests.page.hands import LIT, READY, Mouse
from tests.page.sample import some_of_all
from tests.page.visitors import Visitor, await_settled, begin_match, play_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

SEED = "7" * 64
MOST_MOVES = 30
"""Number of moves of any game before which a move can begin with its last thing."""
CHOSEN = 2
"""Number of moves that the player chooses on each screen."""
SHOWN = ("great_wall", "hansa_teutonica")
"""The games with the longest prompts: each is shown on half of the screens."""
Sizes = tuple[ViewportSize, ...]
SIZES: Sizes = (
    {"width": 1280, "height": 800},
    {"width": 1024, "height": 768},
    {"width": 768, "height": 1024},
    {"width": 844, "height": 390},
)
RESIZED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Waits until the map has the size of its new place."""
BOXES = """() => {
    scrollTo(0, 0);
    return ["#board > .view", "#own", "[data-do=confirm]:not([hidden])"].map((one) => {
        const box = document.querySelector(one)?.getBoundingClientRect();
        const { left, top, width, height } = box ?? {};
        return [left, top, width, height].map(Math.round);
    });
}"""


@pytest.fixture(scope="module")
def people(site: Service) -> list[Visitor]:
    return [Visitor(site, "Prompted"), Visitor(site, "Unprompted")]


def later_things(ways: list[list[list[str]]], game: str) -> list[str]:
    """The things on the ways of several moves with which none of these begins."""
    pictured = {kind.kind for kind in GAMES[game].touch_kinds if kind.role == "thing"}
    first = {way[0] for each in ways for way in each}
    later = {name for each in ways for way in each for name in way[1:]} - first
    counts = {name: sum(any(name in way for way in each) for each in ways) for name in later}
    return sorted(name for name in later if counts[name] > 1 and kind_of(name) in pictured)


@pytest.mark.parametrize("game", some_of_all("great_wall", "tigris_euphrates"))
def test_a_thing_that_is_touched_first_is_marked_and_named(
    site: Service, visit: Visit, people: list[Visitor], game: str
) -> None:
    match = begin_match(people, game=game, seed=SEED)
    path = f"/v1/matches/{match}"
    for _ in range(MOST_MOVES):
        mover = find_mover(people, match)
        guide = mover.call("GET", f"{path}/legal-moves?touch=true")
        if found := later_things(guide["ways"], game):
            break
        play_match(people, match, 1, Random(game))
    page = visit(f"{site.url}/matches/{match}", storage_state=mover.state)
    page.wait_for_selector(f"{READY} {LIT}", state="attached")
    before, name = page.inner_text("#prompt"), found[0]
    label = next(one["label"] for one in guide["names"] if one["name"] == name)
    page.locator(f".view > [data-panel] [data-at='{name}']").first.click(force=True)
    expect(page.locator(f".touched[data-at='{name}']")).to_have_count(1)
    named = page.locator("#prompt .named")
    assert label.lower() in [one.lower() for one in named.all_inner_texts()]
    expect(page.locator("#prompt")).to_contain_text(before)
    requests = {one["name"]: one["request"] for one in guide["names"]}
    left = [way for each in guide["ways"] for way in each if name in way]
    asked = page.locator("#prompt .touches").inner_text().lower()
    assert any(requests[one].lower() in asked for way in left for one in way if one != name)
    page.keyboard.press("Escape")
    expect(named).to_have_count(0)
    assert page.inner_text("#prompt") == before
    lit = {one.get_attribute("data-at") for one in page.locator(LIT).all()}
    for card in [one for one in guide["names"] if one["effect"] and one["name"] in lit][:1]:
        lamp = page.locator(f".can-touch[data-at='{card['name']}']").first
        expect(lamp.locator("title")).to_contain_text(card["effect"])
        lamp.click(force=True)
        expect(page.locator("#about")).to_contain_text(card["effect"])
        check_rule(page, game, card["rule"])


def check_rule(page: Page, game: str, rule: str) -> None:
    """The number below the prompt opens the rule, with its drawn example if it has one."""
    page.locator("#about a.rule", has_text=rule).first.click()
    opened = page.locator(f"dialog[open]:has([data-rule='{rule}'])")
    expect(opened).to_contain_text(GAMES[game].rulebook.rules[rule].split(". ")[0])
    is_drawn = any(rule in one.rules for one in GAMES[game].resources.examples)
    expect(opened.locator("img")).to_have_count(int(is_drawn))
    opened.locator("button").click()


@pytest.mark.parametrize(
    ("game", "sizes"),
    [
        *(pytest.param(game, SIZES[at::2], id=game) for at, game in enumerate(SHOWN)),
        *(pytest.param(game, SIZES, id=f"{game}-all", marks=pytest.mark.long) for game in GAMES),
    ],
)
def test_a_decision_moves_nothing_on_the_page(
    site: Service, visit: Visit, people: list[Visitor], game: str, sizes: Sizes
) -> None:
    match, luck = begin_match(people, game=game, seed=SEED), Random(game)
    play_match(people, match, 2, luck)
    while len(find_moves(mover := find_mover(people, match), match)) == 1:
        play_match(people, match, 1, luck)
    page = visit(f"{site.url}/matches/{match}", storage_state=mover.state)
    page.wait_for_selector(f"{READY} {LIT}", state="attached")
    hand = Mouse(page, Random(game))
    for size in sizes:
        page.set_viewport_size(size)
        page.evaluate(RESIZED)
        board, own, _ = page.evaluate(BOXES)
        confirms = []
        for _ in range(CHOSEN):
            *boxes, confirm = choose(page, hand)
            assert boxes == [board, own], (size, boxes)
            confirms.append(confirm)
            page.locator("#does li").first.wait_for()
            assert page.evaluate(BOXES) == [*boxes, confirm]
            while page.locator("[data-do=back]").is_visible():
                page.keyboard.press("Escape")
        assert all(confirm == confirms[0] for confirm in confirms), (size, confirms)


def find_mover(people: list[Visitor], match: str) -> Visitor:
    """The person who decides next."""
    return people[people[0].call("GET", f"/v1/matches/{match}")["awaiting"][0]["seat"]]


def find_moves(mover: Visitor, match: str) -> list[Any]:
    """What this person may do; of a single move, the page lights nothing."""
    moves: list[Any] = mover.call("GET", f"/v1/matches/{match}/legal-moves")["moves"]
    return moves


def choose(page: Page, hand: Mouse) -> list[Any]:
    """Where everything is once a move is chosen."""
    hand.choose()
    await_settled(page)
    boxes: list[Any] = page.evaluate(BOXES)
    return boxes
