"""What a player can choose in their hand is in sight on telephones, with the prompt."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from playwright.sync_api import FloatRect, Locator, Page, ViewportSize, expect

from domain.games import GAMES
from tests.page.hands import CONFIRM, CURTAIN, Finger
from tests.page.screens import PHONES
from tests.page.test_deeds import alone, at
from tests.page.visitors import (
    Visitor,
    await_settled,
    begin_match,
    play_match,
    take_device,
)
from tests.page.visits import BLANK, Visit
from tests.support.whole_service import Service

LARGE, SMALL, SIDEWAYS = PHONES[0], PHONES[2], (PHONES[1], PHONES[3])
LOWEST_PX = 134
"""The height of a sheet with its grip, two lines and its buttons."""
MOVES = dict.fromkeys(GAMES, 13) | {"chang_cheng": 12}
"""Numbers of moves after which a seat decides that has moved before, and others since; where it has
nothing in its hand at first, then it has.
"""
AWAY_PX = 30
"""How far from a panel a finger leaves the row: less than half of the width of a panel."""
SCROLL_TO = """(row, [number, missed]) => {
    const { offsetWidth } = row;
    const all = [...row.children].map((one) => one.getBoundingClientRect());
    const { left, width } = all[number];
    const middle = left + width / 2 - row.getBoundingClientRect().left - offsetWidth / 2;
    row.scrollTo({ left: row.scrollLeft + middle + missed, behavior: "instant" });
}"""
"""Scroll a row to one of its panels, and miss it by some pixels."""
IS_CENTRED = """(number) => {
    const row = document.getElementById("own");
    const [one, all] = [row.children[number], row].map((each) => each.getBoundingClientRect());
    const away = one.left + one.width / 2 - all.left - all.width / 2;
    const room = away < 0 ? row.scrollLeft : row.scrollWidth - row.clientWidth - row.scrollLeft;
    return Math.abs(away) < 1 || room < 1;
}"""
"""Whether a panel of the hand is in the middle, or the row ends there."""

SHOWS_WHAT_IS_LIT = """() => [...document.querySelectorAll("#own .can-touch")].some((one) => {
    const { left, right } = one.getBoundingClientRect();
    return left >= 0 && right <= innerWidth;
})"""
"""Whether the row of the hand is scrolled to something that can be touched."""
HIDDEN = """() => [...document.querySelectorAll("#own .can-touch")].map((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const middle = [(left + right) / 2, (top + bottom) / 2];
    const isInRow = middle[0] > 0 && middle[0] < innerWidth;
    const isHidden = isInRow && !one.contains(document.elementFromPoint(...middle));
    return isHidden ? one.dataset.at : null;
}).filter(Boolean)"""
"""The lit things of the hand whose middle the sheet, or the edge of the screen, hides; the row may
be scrolled to others.
"""

IN_SIGHT = """() => [...document.querySelectorAll(".can-touch")].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map((one) => one.dataset.at)"""


@pytest.fixture(scope="module")
def both(site: Service) -> Visitor:
    """A player who takes both seats of a table."""
    return Visitor(site, "Hands")


@pytest.mark.parametrize("game", GAMES)
def test_the_sheet_hides_nothing_that_can_be_chosen_in_the_hand(
    site: Service, visit: Visit, both: Visitor, game: str
) -> None:
    """On a small telephone at the beginning, and after some moves on a large one and on one that is
    held sideways, by turns of the games a large and a small one.
    """
    page = visit(BLANK, storage_state=both.state, has_touch=True, is_mobile=True)
    begun, later = alone(both, game), alone(both, game)
    play_match([both], later, MOVES[game], Random(game))
    seen = look_at_hand(site, page, begun, SMALL)
    check_small_telephone(page, Random(game))
    seen += look_at_hand(site, page, later, LARGE)
    check_large_telephone(page, Random(game))
    sideways = SIDEWAYS[list(GAMES).index(game) % len(SIDEWAYS)]
    seen += look_at_hand(site, page, later, sideways)
    assert seen


def look_at_hand(site: Service, page: Page, match: str, size: tuple[int, int]) -> int:
    """Open a match on a telephone; returns how many things in the hand can be touched."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{site.url}/matches/{match}")
    await_settled(page)
    if page.locator(CURTAIN).count():
        take_device(page)
    hidden = page.evaluate(HIDDEN)
    assert hidden == [], (
        size,
        page.evaluate(
            "[scrollY, own.offsetTop, own.offsetHeight, bar.getBoundingClientRect().bottom]"
        ),
    )
    expect(page.locator("#prompt")).to_be_in_viewport(ratio=0.9)
    return page.locator("#own .can-touch").count()


def check_large_telephone(page: Page, chance: Random) -> None:
    """The hand is above the sheet before the first touch, and with a chosen move; the sheet then
    has no other offers.
    """
    expect_above(page)
    Finger(page, chance).choose()
    page.locator("#does li").first.wait_for()
    expect(page.locator("[data-do=since]")).to_be_hidden()
    page.evaluate("scrollTo(0, 0)")
    expect_above(page)


def check_small_telephone(page: Page, chance: Random) -> None:
    """The hand is above the sheet while it is needed, as far as the sheet has room for its prompt
    and buttons, also once something in the hand is touched and a move is chosen. What is the same
    of two things, such as spaces, is said once.
    """
    hand = page.locator("#own .can-touch")
    if hand.count():
        assert page.evaluate(SHOWS_WHAT_IS_LIT)
        expect_above(page, LOWEST_PX)
    expect_row_that_snaps(page)
    if not hand.count():
        return
    hand.first.tap()
    if not page.locator(CONFIRM).count():
        Finger(page, chance).choose()
    page.locator("#does li").first.wait_for()
    page.evaluate("scrollTo(0, 0)")
    if page.locator("#own .touched").count():
        expect_above(page, LOWEST_PX, "#does > :first-child")
    expect(page.locator(CONFIRM)).to_be_in_viewport(ratio=1)
    said = page.inner_text("#about").splitlines()
    assert len(said) == len(set(said))


def expect_row_that_snaps(page: Page) -> None:
    """The panels of the hand are side by side: wherever a finger leaves the row, one is in the
    middle, and the last one can be reached.
    """
    panels = page.locator("#own > .view")
    boxes = [bounding_box(one) for one in panels.all()]
    assert all(one["x"] + one["width"] <= other["x"] for one, other in pairwise(boxes))
    for number in range(panels.count()):
        for missed in (-AWAY_PX, 0, AWAY_PX):
            page.locator("#own").evaluate(SCROLL_TO, [number, missed])
            expect_centred(page, number)


def expect_above(page: Page, lowest_px: float = 0, first: str = "#prompt") -> None:
    """All that the player owns is above the sheet, unless this has its least height, and the sheet
    shows what comes first in it.
    """
    own, bar = (bounding_box(page.locator(one)) for one in ("#own", "#bar"))
    assert own["y"] + own["height"] <= bar["y"] + 1 or bar["height"] <= lowest_px
    expect(page.locator(first)).to_be_in_viewport(ratio=0.5 if lowest_px else 1)


def expect_centred(page: Page, number: int) -> None:
    """A panel is in the middle of the row, as far as the row can be scrolled."""
    page.wait_for_function(IS_CENTRED, arg=number)


def bounding_box(one: Locator) -> FloatRect:
    found = one.bounding_box()
    assert found
    return found


def test_what_can_be_chosen_beside_map_and_hand_is_in_sight_at_first(
    site: Service, visit: Visit
) -> None:
    """On an upright telephone, where it is far below the map."""
    people = [Visitor(site, name) for name in ("Beside", "The other")]
    match = begin_match(people, game="great_wall")
    play_match(people, match, len(people) * 2, Random(1))  # all have leaders and a card
    [turn] = people[0].call("GET", f"/v1/matches/{match}")["awaiting"]
    width, height = LARGE
    size = ViewportSize(width=width, height=height)
    page = at(site, visit, people[turn["seat"]], match, viewport=size, has_touch=True)
    assert page.locator(".can-touch:not([data-at^='slot:'])").count() == 0
    assert page.evaluate(IN_SIGHT) != []
