"""Undo on the page: it says first what an undo costs, and leaves nothing of what was undone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from domain.games import GAMES
from tests.page.test_deeds import LATE, alone, at
from tests.page.test_whole_matches import bot
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

DIALOG = "dialog[open]"
SEED = "7" * 64


def against_bot(person: Visitor, game: str) -> str:
    """The id of a rated match in which a bot has answered the first turn of a player."""
    seats: list[dict[str, Any]] = [{"me": True}, {"bot": bot(game)}]
    body = {"game": game, "seats": seats}
    match: str = person.call("POST", "/v1/matches", body)["id"]
    play_turn(person, match)
    return match


def play_turn(person: Visitor, match: str) -> None:
    """Move until a bot has moved, and wait for the next decision."""
    decides = lambda: [one["player"] for one in view(person, match)["awaiting"]] == [person.id]  # noqa: E731
    eventually(decides)
    while decides():
        play_match([person], match, 1, Random(0))
    eventually(decides)


def view(person: Visitor, match: str) -> Any:
    return person.call("GET", f"/v1/matches/{match}")


@pytest.mark.parametrize("game", [*GAMES][:1])
def test_an_undo_that_makes_a_match_unrated_asks_first(
    site: Service, visit: Visit, game: str
) -> None:
    person = Visitor(site, "Regrets")
    match = against_bot(person, game)
    page = visit(f"{site.url}/matches/{match}", storage_state=person.state)
    await_settled(page)
    undo, since = page.locator("[data-do=undo]"), page.locator("[data-do=since]")
    expect(since).to_be_visible()
    version = view(person, match)["version"]
    for _ in range(2):
        undo.click()
        expect(page.locator(DIALOG)).to_contain_text("no longer count for ratings")
        page.locator(f"{DIALOG} button:not(.grave)").click()
        expect(page.locator(DIALOG)).to_have_count(0)
    assert view(person, match)["version"] == version
    undo.click()
    page.locator(f"{DIALOG} button.grave").click()
    eventually(lambda: view(person, match)["unrated"] == "undo")
    expect(since).to_be_hidden()
    play_turn(person, match)
    await_settled(page, view(person, match)["version"])
    undo.click()
    expect(since).to_be_hidden()
    expect(page.locator(DIALOG)).to_have_count(0)


def test_two_tabs_take_one_move_back_once(site: Service, visit: Visit) -> None:
    both = Visitor(site, "Both")
    match = alone(both, "hansa_teutonica")  # without a curtain
    play_match([both], match, 2, Random(0))
    page = at(site, visit, both, match, faults=LATE)
    other = page.context.new_page()
    other.add_init_script(OWN_STREAMS)
    other.route("**/stream?**", lambda route: route.abort())
    other.goto(page.url)
    await_settled(other, 3)
    page.click("[data-do=undo]")
    await_settled(page, 4)
    other.click("[data-do=undo]")
    expect(other.locator("#why")).not_to_be_empty()
    assert both.call("GET", f"/v1/matches/{match}")["version"] == 4


def test_an_undone_move_is_marked_and_can_be_redone_also_after_another_one(
    site: Service, visit: Visit
) -> None:
    alone = [Visitor(site, "Alone")]
    seats = [{"me": True}] * 2
    match = alone[0].call("POST", "/v1/matches", {"game": "qin", "seats": seats})["id"]
    play_match(alone, match, 2, Random(1))
    page = visit(f"{site.url}/matches/{match}", storage_state=alone[0].state)
    await_settled(page, 3)
    take_device(page)
    page.click("[data-do=undo]")
    await_settled(page, 4)
    take_device(page)
    undone = page.locator("#log li.undone")
    expect(undone).to_have_attribute("data-version", "3")
    page.click("[data-do=redo]")
    await_settled(page, 5)
    expect(undone).to_have_count(0)
    alone[0].call("POST", f"/v1/matches/{match}/undo", {"to": 2})
    await_settled(page, 6)
    play_match(alone, match, 1, Random(2))
    await_settled(page, 7)
    take_device(page)
    expect(page.locator("[data-do=redo]")).to_be_hidden()
    page.click('#log li[data-version="3"] button')
    await_settled(page, 3)
    page.click("[data-do=restore]")
    expect(page.locator(DIALOG)).to_contain_text("What was played since is undone")
    page.locator(f"{DIALOG} button.grave").click()
    await_settled(page, 8)
    expect(undone).to_have_attribute("data-version", "7")


def test_a_declined_undo_is_shown_and_not_offered_again_before_the_next_move(
    site: Service, visit: Visit
) -> None:
    people = [Visitor(site, name) for name in ("Regrets", "Declines")]
    match = begin_match(people, game="qin", seed=SEED)
    path = f"/v1/matches/{match}"
    mover = people[0].call("GET", path)["awaiting"][0]["seat"]
    play_match(people, match, 1, Random(0))
    page = at(site, visit, people[mover], match)
    undo, declined = page.locator("[data-do=undo]"), page.locator("#declined")
    undo.click()
    page.click("[data-do=withdraw]")
    expect(declined).to_be_hidden()
    undo.click()
    expect(page.locator("[data-do=withdraw]")).to_be_visible()
    expect(declined).to_be_hidden()
    people[1 - mover].call("POST", f"{path}/undo/answer", {"agree": False})
    expect(declined).to_be_visible()
    page.reload()
    expect(declined).to_be_visible()
    expect(undo).to_be_hidden()
    while people[0].call("GET", path)["awaiting"][0]["seat"] != mover:
        play_match(people, match, 1, Random(0))
    play_match(people, match, 1, Random(0))
    await_settled(page, people[0].call("GET", path)["version"])
    expect(undo).to_be_visible()
    expect(declined).to_be_hidden()
    undo.click()
    expect(page.locator("#asked")).to_contain_text("You ask to undo your last move.")
    play_match(people, match, 1, Random(0))  # ends the request, without an entry for that
    await_settled(page, people[0].call("GET", path)["version"])
    expect(page.locator("#asked")).to_be_hidden()
