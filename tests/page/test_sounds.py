"""Sounds and titles tell a player whose turn it is."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from domain.games import GAMES
from tests.page.hands import OVER, READY, Mouse
from tests.page.visitors import Visitor, await_settled, begin_match
from tests.page.visits import Visit
from tests.support.patience import eventually
from tests.support.whole_service import Service

LISTEN = """() => {
    window.tones = [];
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (...args) {
        window.tones.push(this.frequency.value);
        return start.apply(this, args);
    };
}"""
"""Records the pitch of each tone that a page plays."""
HEARD = "(pitch) => window.tones.includes(pitch)"
IS_QUIET = "async () => (await navigator.locks.query()).held.length === 0"
RENDER = """async ([name, volume]) => {
    const { src } = document.querySelector("script[src*='match/match.js']");
    const { compose } = await import(src.replace("match/match.js", "live/sounds.js"));
    const audio = new OfflineAudioContext(1, 2 * 44_100, 44_100);
    compose(audio, name, volume);
    const samples = [...(await audio.startRendering()).getChannelData(0)].map(Math.abs);
    const last = samples.findLastIndex((sample) => sample > 0.0001);
    return { loudest: Math.max(...samples), seconds: last / 44_100, first: samples[0] };
}"""
"""The samples of a sound: how loud it is, how long it lasts, and how it begins."""
SOUNDS = ("piece", "turn", "end")
MAX_SOUND_S = 1.5
PIECE_HZ, TURN_HZ, END_HZ = 190, 880, 784
"""A tone that only this sound has."""


@pytest.fixture
def ann(site: Service) -> Visitor:
    return Visitor(site, "Listening Ann")


def at_match(site: Service, visit: Visit, ann: Visitor, game: str = "qin") -> Page:
    body = {"game": game, "seats": [{"me": True}, {"bot": GAMES[game].levels[0].key}]}
    match = ann.call("POST", "/v1/matches", body)["id"]
    return visit(f"{site.url}/matches/{match}", storage_state=ann.state)


def choose_sound(page: Page, sound: str) -> None:
    page.evaluate("(sound) => localStorage.setItem('annals.sound', sound)", sound)


def tones(page: Page) -> list[float]:
    heard: list[float] = page.evaluate("window.tones")
    return heard


def test_sounds_are_short_and_differ(site: Service, visit: Visit, ann: Visitor) -> None:
    page = at_match(site, visit, ann)
    played: list[Any] = [page.evaluate(RENDER, [name, 0.25]) for name in SOUNDS]
    for one in played:
        assert 0.05 < one["loudest"] < 1
        assert one["first"] == 0, "no click"
        assert one["seconds"] < MAX_SOUND_S
    assert len({round(one["seconds"], 2) for one in played}) == len(SOUNDS)
    quiet = page.evaluate(RENDER, ["piece", 0.05])
    assert quiet["loudest"] < played[0]["loudest"] / 2


def test_pieces_and_the_end_are_heard_once_sounds_are_on(
    site: Service, visit: Visit, ann: Visitor
) -> None:
    page = at_match(site, visit, ann)
    page.evaluate(LISTEN)
    hand = Mouse(page, Random(0))
    assert hand.move()
    await_settled(page)
    assert tones(page) == [], "off until switched on"
    choose_sound(page, "quiet")
    page.wait_for_selector(READY, state="attached")
    assert hand.move()
    page.wait_for_function(HEARD, arg=PIECE_HZ)
    page.evaluate("document.getElementById('more').open = true")
    page.click("[data-do=resign]")
    page.click("dialog[open] .grave")
    page.wait_for_selector(OVER, state="attached")
    page.wait_for_function(HEARD, arg=END_HZ)


def test_a_turn_is_heard_on_any_page_and_shown_in_the_title(
    site: Service, visit: Visit, ann: Visitor
) -> None:
    bob = Visitor(site, "Opponent Bob")
    match = begin_match([bob, ann], game="qin", options={"first_player": "seat:0"})
    page = visit(f"{site.url}/settings", storage_state=ann.state)
    page.evaluate(LISTEN)
    page.locator("[data-pref=sound]").click()
    page.locator("[data-pref=sound]").select_option("loud")
    page.wait_for_function(HEARD, arg=TURN_HZ)
    eventually(lambda: page.evaluate(IS_QUIET))  # tabs may play it again
    page.evaluate("window.tones = []")
    watched = visit(f"{site.url}/matches/{match}", storage_state=ann.state)
    expect(watched).to_have_title(re.compile("^Qin: Opponent Bob"))
    path = f"/v1/matches/{match}"
    first = bob.call("GET", f"{path}/legal-moves")["moves"][0]
    bob.call("POST", f"{path}/moves", {"move": first})
    page.wait_for_function(HEARD, arg=TURN_HZ)
    expect(watched).to_have_title(re.compile(r"^\(1\) Your turn · Qin: Opponent Bob"))
