"""What others did at once plays step by step in less than 1.5 s, however long their turn was."""

from __future__ import annotations

import json
from itertools import groupby
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from domain.engine.dice import Luck
from domain.engine.game import is_deterministic, seats_to_move
from domain.games import GAMES
from tests.games.record import is_start, play_randomly
from tests.games.seen import AnyGame
from tests.page.visitors import (
    OWN_STREAMS,
    Visitor,
    await_settled,
    begin_match,
    play_match,
)
from tests.page.visits import Visit
from tests.support.whole_service import Service

STREAM = "**/stream?sentences=*"
SEATS = 2
MAX_TURN_MS = 1_500
MAX_STEPS = 8
SHORT_TURN = 2
"""A game may have a shorter turn here than in a random game if its longest one there has no more
moves, or if what nobody can foresee may end a turn with its first move.
"""
SEED = "7" * 64
STEPPED, SKIPPED = "great_wall", "hansa_teutonica"
"""The game whose turn plays step by step, and the one in whose turn a key skips the steps: how a
page plays them depends on how many there are. In `make test-long`, both happen in all games.
"""
RECORD_STEPS = """() => {
    window.steps = [];
    const prompt = document.getElementById("prompt");
    const note = () => prompt.ariaLive === "off" && window.steps.push(prompt.textContent);
    new MutationObserver(note).observe(prompt, { childList: true });
}"""


def find_longest_turn(game: AnyGame) -> tuple[Any, int, bool]:
    """The longest turn of a random game, in which only one seat decides: the last state before it
    at which a match may begin, how many moves later it begins, and whether it may be short.
    """
    setup = game.setup(game.options(), SEATS)
    moments = play_randomly(game, setup, SEATS, Luck(0)).moments
    turns = groupby(range(len(moments)), lambda at: seats_to_move(moments[at].state))
    longest = max(([*turn] for seats, turn in turns if len(seats) == 1), key=len)
    begin = longest[0]
    while not is_start(game, setup, moments[begin].state, SEATS):
        begin -= 1
    first = moments[longest[0]]
    may_be_short = len(longest) <= SHORT_TURN or not is_deterministic(game, first.state, first.move)
    return moments[begin].state, longest[0] - begin, may_be_short


@pytest.mark.parametrize(
    ("key", "is_skipped"),
    [
        *(
            pytest.param(key, False, id=key, marks=[pytest.mark.long] * (key != STEPPED))
            for key in GAMES
        ),
        *(
            pytest.param(
                key, True, id=f"{key}, skipped", marks=[pytest.mark.long] * (key != SKIPPED)
            )
            for key in GAMES
        ),
    ],
)
def test_a_turn_of_another_takes_less_than_a_second_and_a_half(
    site: Service, visit: Visit, key: str, is_skipped: bool
) -> None:
    """Given a page that receives all moves of a turn at once, it shows each, or some of more than
    eight; a key shows the last one at once.
    """
    people, streams = [Visitor(site, name) for name in ("First", "Second")], list[Route]()
    chance = Random(0)
    match, may_be_short = begin_longest_turn(people, GAMES[key], chance)
    path = f"/v1/matches/{match}"
    now = people[0].call("GET", path)
    seat, version = now["awaiting"][0]["seat"], now["version"]

    def hold(page: Page) -> None:
        page.add_init_script(OWN_STREAMS)
        page.clock.install()
        page.route(STREAM, lambda route: streams.append(route))

    page = visit(
        f"{site.url}/matches/{match}",
        storage_state=people[1 - seat].state,
        reduced_motion="no-preference",
        before=hold,
    )
    await_settled(page, version)
    page.evaluate(RECORD_STEPS)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    newest = play_turn(people, match, seat, chance)
    entries = people[1 - seat].call("GET", f"{path}/events?after={version}&sentences=true")
    streams[-1].fulfill(
        body="".join(map(as_event, entries["events"])), content_type="text/event-stream"
    )
    assert newest > version + 1 or may_be_short
    count = min(newest - version - 1, MAX_STEPS)
    if count:
        page.locator("#prompt[aria-live=off]").wait_for(state="attached")
    if is_skipped:
        page.keyboard.press("Shift")
    else:
        page.clock.run_for(MAX_TURN_MS)
    await_settled(page, newest)
    shown = page.evaluate("window.steps")
    assert len(shown) == (min(count, 1) if is_skipped else count), shown


def begin_longest_turn(people: list[Visitor], game: AnyGame, chance: Random) -> tuple[str, bool]:
    """The id of a match at its longest turn, and whether that may be shorter here."""
    state, moves, may_be_short = find_longest_turn(game)
    position = game.write_position(state)
    match = begin_match(people, game=game.key, position=position, seed=SEED)
    play_match(people, match, moves, chance)
    while len(people[0].call("GET", f"/v1/matches/{match}")["awaiting"]) > 1:
        play_match(people, match, 1, chance)
    return match, may_be_short


def play_turn(people: list[Visitor], match: str, seat: int, chance: Random) -> int:
    """Make random moves until another seat decides; returns the version after them."""
    path = f"/v1/matches/{match}"
    while [one["seat"] for one in people[seat].call("GET", path)["awaiting"]] == [seat]:
        play_match(people, match, 1, chance)
    version: int = people[seat].call("GET", path)["version"]
    return version


def as_event(entry: Any) -> str:
    return f"id: {entry['version']}\nevent: entry\ndata: {json.dumps(entry)}\n\n"
