"""How many touches a move takes a player on a telephone, in a match against a bot, and how long the
page needs for them: `docs/screens.md` has the numbers.
"""

from __future__ import annotations

from random import Random
from statistics import mean, median
from time import perf_counter
from typing import Any

import pytest
from playwright.sync_api import Page

from domain.games import GAMES
from tests.page.guest import Guest
from tests.page.hands import CONFIRM, MINE, OVER, Finger, lit
from tests.page.screen_tables import read_rows, write_row
from tests.page.screens import PHONES
from tests.page.test_whole_matches import REFUSAL_MESSAGES, bot
from tests.page.visitors import Visitor
from tests.page.visits import Visit
from tests.support.whole_service import Service

HEADING = "## Touches\n"
SEED = "7" * 64
MAX_MOVES = 100
"""Enough of a longer match."""
MAX_TOUCHES = 6
"""Maximum number of touches of a move on average, with that of **Confirm**."""
NEAR = 0.5
"""How far it may be from that of the table: bots answer when they are ready."""
MAX_TAPS = 6
"""Taps on one thing: all but the last bring the map closer."""
STATE = """() => document.querySelector("#prompt").textContent
    + document.querySelector("[data-do=confirm]").hidden"""
"""Changes when the page has taken a touch."""


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_move_takes_few_touches(
    site: Service, visit: Visit, game: str, update_tables: bool
) -> None:
    person = Visitor(site, "Touching")
    seats: list[dict[str, Any]] = [{"me": True}, {"bot": bot(game)}]
    match = person.call("POST", "/v1/matches", {"game": game, "seats": seats, "seed": SEED})["id"]
    width, height = PHONES[0]
    page = visit(
        f"{site.url}/matches/{match}",
        faults=REFUSAL_MESSAGES,
        storage_state=person.state,
        viewport={"width": width, "height": height},
        has_touch=True,
        is_mobile=True,
    )
    finger, guest, touches, seconds = Finger(page, Random(game)), Guest(site, page), [], []
    while len(touches) < MAX_MOVES:
        page.wait_for_selector(MINE, state="attached")
        if page.query_selector(OVER):
            break
        way = choose_way(guest, finger.chance)
        begun = perf_counter()
        touches.append(touch_all(page, finger, way))
        seconds.append(perf_counter() - begun)
    assert mean(touches) <= MAX_TOUCHES
    if update_tables:
        row = (len(touches), f"{mean(touches):.1f}", max(touches), f"{median(seconds):.1f}")
        write_row(HEADING, game, " | ".join(map(str, row)))
    recorded = float(read_rows(HEADING)[game].split(" | ")[1])
    assert mean(touches) == pytest.approx(recorded, abs=NEAR)


def choose_way(guest: Guest, chance: Random) -> list[str]:
    """The touches of a random legal move of the seat that decides."""
    menu = guest.call("GET", f"{guest.path}/legal-moves?touch=true&as=0")
    ways: list[str] = chance.choice(menu["ways"])[0]
    return ways


def touch_all(page: Page, finger: Finger, way: list[str]) -> int:
    """Touch what a move needs, and confirm it; returns the number of touches."""
    touches, moves = 0, finger.moves
    for name in way:
        for _ in range(MAX_TAPS):
            if page.query_selector(CONFIRM) or not page.query_selector(lit(name)):
                break  # this touch came by itself
            before = page.evaluate(STATE)
            finger.touch(lit(name))
            touches += 1
            if page.evaluate(STATE) != before:
                break
    page.wait_for_selector(CONFIRM)
    with page.expect_response("**/moves"):
        finger.touch(CONFIRM)
    assert finger.moves == moves + 1
    return touches + 1
