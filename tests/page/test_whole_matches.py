"""Whole matches in a real browser, from the lobby to the result.

A hand makes the first moves of a match, and then moves near the end of another; the guest makes
those that are left over REST, while the page stays open. In `make test-long` it makes all of the
last ones, and the first move of each kind; in one game, all moves of a match.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from domain.engine.dice import Luck
from domain.engine.game import seats_to_move
from domain.games import GAMES
from tests.games.modes import Seating, seatings
from tests.page.axe import faults
from tests.page.guest import Guest
from tests.page.hands import MOST_MOVES, Finger, Hand, Keys, Mouse
from tests.page.sample import near_end, some_of_all
from tests.page.visitors import await_settled
from tests.page.visits import Visit
from tests.support.whole_service import Service

FIRST_MOVES, LAST_MOVES = 2, 1
"""Numbers of moves that a hand makes at the beginning of a match, and near the end."""
END = "end 70"
"""The luck of the matches near their ends: those of all games begin within 17 moves of it."""
BY_HAND = "qin"
"""The game in which a hand makes all moves: it has the fewest."""
BY_MOUSE, BY_KEYS, BY_TOUCH = "hansa_teutonica", "qin", "chang_cheng"
"""The games of which a match is played by mouse, by keys and by touch; a solo match is one of The
Great Wall.
"""
MOVES_BEFORE_RELOAD = 5
"""Number of moves after which its page is reloaded."""
DESK = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
TELEPHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
ZOOMS = "[data-do=zoom-in], [data-do=zoom-out], [data-do=fit]"
REFUSAL_MESSAGES = ("/preview",)
"""If others decide at the same time, an element may no longer be lit when it is touched; and when
the guest has made the only move of a menu, the page may still try it out.
"""
ABLE = {"hansa_teutonica": 2}
"""Levels of bots that end a game which random moves never would, if it is not the weakest."""

ALONE = [one for one in seatings(GAMES.values()) if one.seats == 1]


def bot(game: str) -> str:
    """The level of the bots with which a match ends."""
    return GAMES[game].levels[ABLE.get(game, 0)].key


def level(game: str) -> str:
    """The button of these bots."""
    return f"dialog[open] [data-level={bot(game)}]"


def take_mouse(site: Service, visit: Visit, game: str, seats: int) -> Mouse:
    """A mouse on the page of a match that a guest has begun in the lobby."""
    page = visit(f"{site.url}/", faults=REFUSAL_MESSAGES, **DESK)
    assert page.get_attribute("html", "data-me") == ""
    page.click(f"[data-play={game}]")
    page.locator("dialog[open] [name=seats]").select_option(str(seats))
    page.click(level(game))
    page.wait_for_url("**/matches/*")
    return Mouse(page, Random(game))


@pytest.mark.parametrize("game", some_of_all(BY_MOUSE))
def test_a_guest_plays_a_whole_match_by_mouse(site: Service, visit: Visit, game: str) -> None:
    hand = take_mouse(site, visit, game, GAMES[game].seats[0])
    play_ends(site, hand, game, lambda moves: None if moves > 1 else hand.page.reload())


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_each_kind_of_move_can_be_made_by_mouse(site: Service, visit: Visit, game: str) -> None:
    hand = take_mouse(site, visit, game, GAMES[game].seats[-1])
    if game == BY_HAND:
        hand.play(lambda moves: None if moves % MOVES_BEFORE_RELOAD else hand.page.reload())
        check_page(site, hand)
    else:
        make_each_kind(site, hand)
        play_ends(site, hand, game, most=MOST_MOVES)
    assert faults(hand.page) == []


@pytest.mark.parametrize("one", ALONE, ids=str)
def test_a_guest_plays_a_whole_solo_match_by_mouse(
    site: Service, visit: Visit, one: Seating
) -> None:
    page = visit(f"{site.url}/", faults=REFUSAL_MESSAGES, **DESK)
    page.click(f"[data-play={one.game.key}]")
    page.click(f"dialog[open] button[data-mode={one.options['mode']}]")
    page.wait_for_url("**/matches/*")
    play_ends(site, Mouse(page, Random(0)), one.game.key, **one.options)
    expect(page.locator("#prompt")).to_contain_text(re.compile("Game (won|lost)."))


@pytest.mark.parametrize("game", some_of_all(BY_KEYS))
def test_a_guest_plays_a_whole_match_by_keys_only(site: Service, visit: Visit, game: str) -> None:
    page = visit(f"{site.url}/", faults=REFUSAL_MESSAGES, reduced_motion="no-preference")
    keys = Keys(page, Random(0))
    keys.touch(f"[data-play={game}]")
    keys.touch(level(game))
    page.wait_for_url("**/matches/*")
    play_ends(site, keys, game)


@pytest.mark.parametrize("game", some_of_all(BY_TOUCH))
def test_a_guest_plays_a_whole_match_on_a_telephone(site: Service, visit: Visit, game: str) -> None:
    page = visit(f"{site.url}/", faults=REFUSAL_MESSAGES, **TELEPHONE)
    finger = Finger(page, Random(0))
    finger.touch(f"[data-play={game}]")
    finger.touch(level(game))
    page.wait_for_url("**/matches/*")
    await_settled(page)
    whole = width(page)
    pinch(page)
    assert width(page) > 1.5 * whole
    play_ends(site, finger, game, lambda moves: finger.touch(ZOOMS))
    finger.touch("[data-do=fit]")
    assert width(page) == pytest.approx(whole, abs=1)


def play_ends(
    site: Service,
    hand: Hand,
    game: str,
    moved: Callable[[int], object] = lambda moves: None,
    most: int = LAST_MOVES,
    **options: Any,
) -> None:
    """Make the first moves of a match, and some of another that begins near its end; the guest
    makes the others while the page is open. Checks the result that it shows then. Calls `moved`
    after each move of the hand with their number so far.
    """
    while hand.moves < FIRST_MOVES and hand.move():
        moved(hand.moves)
    rules = GAMES[game]
    count = rules.seats_for(rules.options(**options))[0]
    state = near_end(rules, count, count * LAST_MOVES, Luck(END), **options)
    seats: list[dict[str, Any]] = [{"bot": bot(game)}] * count
    seats[seats_to_move(state)[0]] = {"me": True}  # so that the hand makes a move
    terms = {"game": game, "seats": seats, "options": options}
    address = Guest(site, hand.page).begin(**terms, position=rules.write_position(state))
    hand.page.goto(address)
    await_settled(hand.page)
    last = type(hand)(hand.page, hand.chance)
    while last.moves < most and last.move():
        moved(hand.moves + last.moves)
    assert last.moves
    check_page(site, last, elsewhere=finish(site, hand.page, hand.chance))


def finish(site: Service, page: Page, chance: Random) -> int:
    """Let the guest play the match of an open page to its end; returns how many moves they made."""
    guest = Guest(site, page)
    await_settled(page)  # its own move is made
    guest.play(chance, lambda moves, ways: False)
    return guest.moves


def make_each_kind(site: Service, hand: Hand) -> None:
    """Make the first move of each kind; the guest makes all others to the end of the match, where
    the page has to show its result.
    """
    page, address, made = hand.page, hand.page.url, set[str]()
    guest = Guest(site, page)

    def make(moves: list[Any], ways: list[Any]) -> bool:
        new = next((at for at, one in enumerate(moves) if one["type"] not in made), None)
        if new is not None:
            page.goto(address)
            hand.make(ways[new][0])
            made.add(hand.sent["type"])
            await_settled(page)
            page.goto("about:blank")
        return new is not None

    page.goto("about:blank")
    guest.play(hand.chance, make)
    page.goto(address)
    check_page(site, hand, elsewhere=guest.moves)


def width(page: Page) -> float:
    """The width of the board on the screen in pixels, with its hidden parts."""
    box = page.locator("#board > .view").bounding_box()
    assert box
    return box["width"]


def pinch(page: Page) -> None:
    """Spread two fingers on the board."""
    box = page.locator("#board").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    devtools = page.context.new_cdp_session(page)
    for kind, apart in (("touchStart", 20), ("touchMove", 30), ("touchMove", 60)):
        points = [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def check_page(site: Service, hand: Hand, elsewhere: int = 0) -> None:
    """The page shows the match that the service recorded, and each move was made once. The player
    has made some moves elsewhere.
    """
    page, path = hand.page, "/v1" + hand.page.url.removeprefix(site.url).partition("#")[0]
    page.locator("#result[data-final]").wait_for(state="attached")  # ratings follow the score
    match = site.call("GET", f"{path}?board=false")[1]
    await_settled(page, match["version"])
    rows = page.locator("[data-result] tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.cells].slice(1).map((cell) => cell.textContent))"
    )
    result = match["result"]
    lines = sorted(result["lines"], key=lambda line: line["rank"])
    rivals = result.get("rivals", ())
    ranks = [*(f"{line['rank']}." for line in lines), *("" for _ in rivals)]
    points = [f"{line['points']}".replace("-", "\N{MINUS SIGN}") for line in [*lines, *rivals]]
    has_ranks = result.get("won") is not False
    assert rows[1 : 2 + has_ranks] == ([ranks, points] if has_ranks else [points])
    assert versions_in_log(page)[0] == match["version"]
    expect(page.locator("#log p").filter(has_text="Game over")).to_have_count(1)
    assert moves_of(site, path, page.get_attribute("html", "data-me")) == hand.moves + elsewhere


def versions_in_log(page: Page) -> list[int]:
    """The versions in the log, the newest first, after checking that none is repeated."""
    lines = page.locator("#log > li")
    versions = [
        int(each) for each in lines.evaluate_all("(all) => all.map((one) => one.dataset.version)")
    ]
    assert versions == sorted(set(versions), reverse=True)
    return versions


def moves_of(site: Service, path: str, player: str | None) -> int:
    """The number of moves of a player in a match."""
    moves, after = 0, 0
    while entries := site.call("GET", f"{path}/events?after={after}&limit=1000")[1]["events"]:
        moves += sum(entry["kind"] == "Moved" and entry["actor"] == player for entry in entries)
        after = entries[-1]["version"]
    return moves
