"""What players do in a match besides moving, and what helps them: taking seats, resigning, coming
back, reasons, and the log.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from domain.games import GAMES
from tests.page.hands import CONFIRM, CURTAIN, LIT, MINE, Mouse
from tests.page.sample import one_of_all
from tests.page.visitors import (
    OWN_STREAMS,
    Visitor,
    await_settled,
    begin_match,
    play_match,
    take_device,
)
from tests.page.visits import Visit
from tests.support.patience import eventually
from tests.support.whole_service import Service

REFUSAL_MESSAGES = ("422", "Unprocessable")
LATE = ("412", "ERR_FAILED")
BROKEN_WORDS = """(all) => all.flatMap(({ firstChild: text }) =>
    [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length > 1;
    }).map(([word]) => word))"""
"""The words that a line break divides."""
CLIENT_WIDTH = "(element) => element.clientWidth"
SEED = "7" * 64
MOST_MOVES = 30
"""Number of moves after which each of two seats has made one."""
RETRY_MS = 1_000
MOST_PREVIEWS = 40
"""Number of moves of which at least one changes the board."""
MANY_ENTRIES = 52
"""Number of entries, more than a page loads at first."""


@pytest.fixture(scope="module")
def both(site: Service) -> Visitor:
    """A player who takes both seats of a table."""
    return Visitor(site, "Both")


def alone(one: Visitor, game: str, **terms: Any) -> str:
    """The id of a match that a player plays against themselves."""
    seats = [{"me": True}] * 2
    body = {"game": game, "seats": seats, "seed": SEED, **terms}
    match: str = one.call("POST", "/v1/matches", body)["id"]
    return match


def at(site: Service, visit: Visit, one: Visitor, match: str, **options: Any) -> Page:
    """The page of a match, once it has loaded completely; in hot seat with the device taken."""
    page = visit(f"{site.url}/matches/{match}", storage_state=one.state, **options)
    await_settled(page)
    if page.locator(CURTAIN).count():
        take_device(page)
    return page


def moves_of(one: Visitor, match: str) -> list[Any]:
    """The moves of a match: the events of each."""
    entries = one.call("GET", f"/v1/matches/{match}/events?limit=1000")["events"]
    return [entry["events"] for entry in entries if entry["kind"] == "Moved"]


@pytest.mark.parametrize("game", one_of_all("qin"))
def test_one_plays_all_seats_in_one_browser_and_confirms_each_move_or_none(
    site: Service, visit: Visit, both: Visitor, game: str
) -> None:
    match = alone(both, game)
    page = at(site, visit, both, match)
    hand, moved = Mouse(page, Random(game)), set[int]()
    hand.choose()
    assert moves_of(both, match) == []
    while moved != {0, 1}:
        now = both.call("GET", f"/v1/matches/{match}")
        await_settled(page, now["version"])
        assert hand.moves < MOST_MOVES
        assert hand.move()
        moved.add(now["awaiting"][0]["seat"])
        eventually(lambda: len(moves_of(both, match)) == hand.moves)
    page.evaluate("localStorage.setItem('annals.confirm', 'never')")
    page.reload()
    await_settled(page)
    if page.locator(CURTAIN).count():
        take_device(page)
    made = hand.moves
    while hand.moves == made:
        hand.touch(LIT)
        page.wait_for_selector(MINE, state="attached")
        assert hand.moves > made or not page.query_selector(CONFIRM)
    eventually(lambda: len(moves_of(both, match)) == made + 1)
    await_settled(page, both.call("GET", f"/v1/matches/{match}")["version"])


@pytest.mark.parametrize("game", one_of_all("qin"))
def test_a_chosen_move_is_drawn_on_the_board_before_it_is_made(
    site: Service, visit: Visit, both: Visitor, game: str
) -> None:
    match = alone(both, game)
    play_match([both], match, MOST_MOVES, Random(1))
    page = at(site, visit, both, match)
    hand, ghosts = Mouse(page, Random(1)), page.locator("#board :is(.going, .coming)")
    numbers, changed = page.locator(".changes text"), set[str]()
    for _ in range(MOST_PREVIEWS):
        before = page.locator("#board [data-panel=map]").inner_html()
        hand.choose()
        page.locator("#does li").first.wait_for()
        changed.update(numbers.all_text_contents())
        if page.locator("#board .coming :not(g)").count() and changed:
            break
        hand.move()
        eventually(lambda: len(moves_of(both, match)) == MOST_MOVES + hand.moves)
        await_settled(page, both.call("GET", f"/v1/matches/{match}")["version"])
        if page.locator(CURTAIN).count():
            take_device(page)
    expect(ghosts).to_have_count(2)
    page.click("[data-do=back]")
    expect(ghosts).to_have_count(0)
    expect(numbers).to_have_count(0)
    assert page.locator("#board [data-panel=map]").inner_html() == before
    assert all(re.search(r"\d", one) for one in changed)  # without room only the new number
    assert changed


def test_an_illegal_choice_is_explained_with_its_rule_as_soon_as_there_is_a_connection(
    site: Service, visit: Visit, both: Visitor
) -> None:
    """A lost connection is reported until it is back; so it is in the dialog of the rule."""
    page = at(
        site, visit, both, alone(both, "qin"), faults=(*REFUSAL_MESSAGES, *LATE),
        before=lambda page: page.clock.install(),
    )  # fmt: skip

    def until(fits: Callable[[], bool]) -> None:
        eventually(lambda: page.clock.run_for(RETRY_MS) or fits())

    check_refused_preview(page)
    why, number = page.locator("#why"), page.locator("#why a.rule")
    page.locator(".can-touch[data-at^=tile]").first.click()
    lit = page.locator(".can-touch").evaluate_all("(all) => all.map((one) => one.dataset.at)")
    spaces = page.locator(".view > [data-panel] [data-at^='space:']")
    far = next(space for space in spaces.all() if space.get_attribute("data-at") not in lit)
    page.route("**/v1/**", lambda route: route.abort())
    far.click(force=True)
    until(lambda: why.inner_text() != "")
    expect(why).to_have_text("No connection.")
    page.unroute("**/v1/**")
    until(lambda: why.inner_text() == "")
    far.click(force=True)
    until(lambda: number.count() == 1)
    name = number.inner_text()
    assert why.inner_text().replace(name, "").strip()
    page.route("**/v1/games/qin", lambda route: route.abort(), times=1)
    number.click()
    rule = page.locator(f"dialog[open]:has([data-rule='{name}'])")
    expect(rule).to_contain_text("No connection.")
    rule.locator("button", has_text="Try again").click()
    expect(rule).to_contain_text(GAMES["qin"].rulebook.rules[name])
    rule.locator("button").click()
    expect(rule).to_have_count(0)


def check_refused_preview(page: Page) -> None:
    """The refusal of a preview says nothing once its move is cancelled."""
    held = list[Route]()
    page.route("**/preview?sentences=true", lambda route: held.append(route))
    Mouse(page, Random(1)).choose()
    eventually(lambda: page.wait_for_timeout(0) or held)
    page.keyboard.press("Escape")
    with page.expect_event("requestfinished"):
        held[0].fulfill(status=422, json={"detail": "late"})
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    page.clock.run_for(RETRY_MS)
    expect(page.locator("#why")).to_be_empty()
    page.unroute("**/preview?sentences=true")
    while page.locator("[data-do=back]").is_visible():
        page.keyboard.press("Escape")


def test_touches_end_with_the_decision_for_which_they_were_made(
    site: Service, visit: Visit
) -> None:
    """They end if another page takes back the move before, to which they would fit as well."""
    people = [Visitor(site, name) for name in ("Hesitates", "Agrees")]
    match = begin_match(people, game="qin", seed=SEED, options={"first_player": "seat:0"})
    path = f"/v1/matches/{match}"
    play_match(people, match, 2, Random(0))
    page = at(site, visit, people[0], match)
    page.locator(LIT).first.click()
    expect(page.locator("[data-do=back]")).to_be_visible()
    people[0].call("POST", f"{path}/undo")
    undone = people[1].call("POST", f"{path}/undo/answer", {"agree": True})
    await_settled(page, undone["version"])
    expect(page.locator("[data-do=back]")).to_be_hidden()


def test_the_result_of_a_full_table_is_in_sight(site: Service, visit: Visit) -> None:
    people = [Visitor(site, f"Hammurabi of seat {seat}") for seat in range(4)]
    match = begin_match(people, game="tigris_euphrates", seed=SEED)
    for person in people[1:]:
        person.call("POST", f"/v1/matches/{match}/resign")
    page = at(site, visit, people[0], match)
    table, room = page.locator("[data-result]"), page.locator("#result")
    expect(table.locator("th[scope=col]")).to_have_count(len(people))
    for width in (360, 768, 1_024, 1_280):
        page.set_viewport_size({"width": width, "height": 700})
        assert table.evaluate("(table) => table.scrollWidth") <= room.evaluate(CLIENT_WIDTH), width


def test_resigning_needs_a_confirmation(site: Service, visit: Visit) -> None:
    people = [Visitor(site, name) for name in ("Resigns from every match", "Stays to the very end")]
    match = begin_match(people, game="qin", seed=SEED)
    page = at(site, visit, people[0], match, viewport={"width": 360, "height": 640})
    version = people[0].call("GET", f"/v1/matches/{match}")["version"]
    page.click("#more summary")
    page.click("[data-do=resign]")
    page.locator("dialog[open] button:not(.grave)").click()
    expect(page.locator("dialog")).to_have_count(0)
    page.click("[data-do=resign]")
    expect(page.locator("dialog[open] button.grave")).to_be_visible()
    assert people[0].call("GET", f"/v1/matches/{match}")["version"] == version
    page.click("dialog[open] button.grave")
    page.locator("#match[data-status=scored][data-live=over] [data-result]").wait_for()
    expect(page.locator("[data-do=resign]")).to_be_hidden()
    winner = page.locator("#seats li").filter(has=page.locator(".winner"))
    expect(winner.locator(".who")).to_have_text(people[1].name)
    table, room = page.locator("[data-result]"), page.locator("#result")
    expect(table).to_be_in_viewport(ratio=0.9)  # a phone, too, shows the result at the end
    for width in (360, 1_024, 1_280):
        page.set_viewport_size({"width": width, "height": 700})
        assert table.locator("th span").evaluate_all(BROKEN_WORDS) == [], width
        assert table.evaluate("(table) => table.scrollWidth") <= room.evaluate(CLIENT_WIDTH)
    seats = people[0].call("GET", f"/v1/matches/{match}")["seats"]
    assert [seat["resigned"] for seat in seats] == [True, False]


def test_a_returning_player_takes_the_seat_from_the_bot(site: Service, visit: Visit) -> None:
    """The other seat has moved, and so has hours left; the next seat has seconds. The page is not
    told of the moves after it was opened.
    """
    people = [Visitor(site, name) for name in ("Here", "Late")]
    clock = {"bank_s": 10, "increment_s": 3_600}
    match = begin_match(people, game="qin", seed=SEED, clock=clock)
    path = f"/v1/matches/{match}"
    late = 1 - people[0].call("GET", path)["awaiting"][0]["seat"]
    play_match(people, match, 1, Random(0))
    other_to_move = lambda: people[0].call("GET", path)["awaiting"][0]["seat"] != late  # noqa: E731
    eventually(other_to_move)

    def hold(page: Page) -> None:
        page.add_init_script(OWN_STREAMS)
        page.route("**/stream?**", lambda route: None)

    page = at(site, visit, people[late], match, before=hold)
    play_match(people, match, 1, Random(0))
    eventually(other_to_move)
    back, replaced = page.locator("[data-do=reclaim]"), page.locator("#replaced")
    expect(replaced).to_contain_text("You ran out of time")
    back.click()
    expect(back).to_be_hidden()
    expect(replaced).to_be_hidden()
    assert people[late].call("GET", path)["seats"][late]["bot"] is None
    page.unroute("**/stream?**")
    page.reload()
    play_match(people, match, 1, Random(0))
    page.locator(".can-touch").first.wait_for()


def test_earlier_entries_can_be_read(site: Service, visit: Visit, both: Visitor) -> None:
    match = alone(both, "tigris_euphrates")
    play_match([both], match, MANY_ENTRIES, Random(0))
    replay = at(site, visit, both, f"{match}#v=2")
    shown = replay.locator("#log > li.shown")
    expect(shown).to_have_attribute("data-version", "2")
    expect(shown).to_be_in_viewport()
    page = at(site, visit, both, match)
    lines, earlier = page.locator("#log > li"), page.locator("[data-do=log-earlier]")
    assert lines.count() < MANY_ENTRIES
    earlier.click()
    expect(page.locator("#log > li[data-version='1']")).to_have_count(1)
    received = lines.evaluate_all("(all) => all.map((one) => Number(one.dataset.version))")
    assert received == list(range(MANY_ENTRIES + 1, 0, -1))
    assert page.locator("#log > li[data-version='2'] p").first.inner_text()
    expect(earlier).to_be_hidden()
