"""A match in the browser recovers when the service fails, and shows no motion to players who prefer
none.
"""

from __future__ import annotations

import json
import os
import re
from random import Random
from signal import SIGKILL
from typing import Any

from playwright.sync_api import Page, Route, expect

from domain.games import GAMES
from tests.page.guest import Guest
from tests.page.hands import CONFIRM, MINE, OVER, READY, Mouse
from tests.page.test_whole_matches import moves_of
from tests.page.visitors import OWN_STREAMS, Visitor, await_settled, play_match
from tests.page.visits import Visit
from tests.support.patience import eventually
from tests.support.whole_service import Service

KILL_AFTER_MOVES = 2
"""Number of moves after which the web process is killed, during the last request."""
BROKEN = ("net::ERR_", "502", "503")
"""The browser's message for a broken connection."""
PREVIEWS = "**/preview*"
PARTS_OF_PREVIEW = ("preview", "preview.svg")
RETRIES_MS = 60_000
"""More than the page waits before it gives a request up."""
TICK_MS = 500
STREAM = "**/stream?sentences=*"
"""The address of the stream of a match."""
MOTIONS = """() => ["animationstart", "transitionrun"].forEach((kind) => {
    document.addEventListener(kind, ({ animationName }) => {
        if (animationName !== "more") document.documentElement.dataset.moved = "yes";
    }, true);
    new MutationObserver((changes) => {
        const counted = changes.some(({ target }) => target.matches("text:not(.ghosts *)"));
        if (counted) document.documentElement.dataset.counted = "yes";
    }).observe(document.body, { subtree: true, childList: true });
})"""
"""Lets a page record its animations, but not the edge `more` that depends on how far one scrolled,
and numbers that count; a chosen move shows some at once.
"""
COUNT = """async ([from, to]) => {
    const { src } = document.querySelector("script[src*='match/match.js']");
    const { count, findNumbers } = await import(src.replace("match.js", "picture/counting.js"));
    const view = document.querySelector("#board .view");
    const text = document.createElementNS(view.namespaceURI, "text");
    view.append(text);
    text.textContent = from;
    const before = findNumbers(view);
    text.textContent = to;
    count(view, before);
    const seen = [text.textContent];
    do {
        await new Promise(requestAnimationFrame);
        seen.push(text.textContent);
    } while (seen.at(-1) !== to);
    text.remove();
    return seen;
}"""
"""What a text shows that changes on the board: at once, and in each frame until it has counted."""


def begin_match(site: Service, ann: Visitor, game: str) -> str:
    """The address of a match against the weakest bot, once the bot does not think: a page whose
    stream is held would never hear of its move.
    """
    bot = GAMES[game].levels[0].key
    body = {"game": game, "seats": [{"me": True}, {"bot": bot}]}
    path = f"/matches/{ann.call('POST', '/v1/matches', body)['id']}"
    eventually(lambda: ann.call("GET", f"/v1{path}")["awaiting"][0]["seat"] == 0)
    return site.url + path


def test_a_match_survives_the_death_of_its_web_process(site: Service, visit: Visit) -> None:
    ann = Visitor(site, "Undeterred Ann")
    address = begin_match(site, ann, "qin")
    page = visit(address, faults=BROKEN, storage_state=ann.state)
    path = "/v1" + address.removeprefix(site.url)
    hand, lost = Mouse(page, Random(0)), 0
    while hand.moves - lost <= KILL_AFTER_MOVES:
        assert hand.move()
        if hand.moves == KILL_AFTER_MOVES:
            for process in site.processes()["web"]:
                os.kill(process, SIGKILL)
            page.locator("[data-live-note]").wait_for()
        page.wait_for_selector(f"{READY}[data-live=on], {OVER}", state="attached")
        if moves_of(site, path, ann.id) + lost < hand.moves:
            assert page.query_selector(CONFIRM), "what was not made can still be confirmed"
            lost += 1
    eventually(lambda: moves_of(site, path, ann.id) == hand.moves - lost)
    await_settled(page)


def test_effects_are_not_asked_for_again_once_their_move_is_made(
    site: Service, visit: Visit
) -> None:
    """Given a move that is made while its effects are on the way, when these get lost, then the
    page lets them.
    """
    ann, asked = Visitor(site, "Hasty Ann"), list[Route]()

    def hold(page: Page) -> None:
        page.clock.install()
        page.route(PREVIEWS, lambda route: asked.append(route))

    page = visit(begin_match(site, ann, "qin"), storage_state=ann.state, faults=BROKEN, before=hold)
    hand = Mouse(page, Random(0))
    hand.choose()
    eventually(lambda: page.wait_for_timeout(0) or len(asked) == len(PARTS_OF_PREVIEW))
    assert hand.move()
    await_settled(page)
    for route in list(asked):
        route.abort()
    page.clock.run_for(RETRIES_MS)
    await_settled(page)
    assert len(asked) == len(PARTS_OF_PREVIEW)


def test_a_move_whose_answer_is_lost_is_not_tried_out_again(site: Service, visit: Visit) -> None:
    """Given a move that was made, when its answer and all news get lost, then the page asks for no
    effects of it in the match that follows.
    """
    ann, tried = Visitor(site, "Unheard Ann"), list[Route]()

    def hold(page: Page) -> None:
        page.clock.install()
        page.route(STREAM, lambda route: None)
        page.route(PREVIEWS, lambda route: (tried.append(route), route.continue_()))

    page = visit(begin_match(site, ann, "qin"), storage_state=ann.state, faults=BROKEN, before=hold)
    path = f"/v1/matches/{page.url.split('/')[-1]}"
    hand = Mouse(page, Random(0))
    hand.choose()
    await_settled(page)
    page.route(f"**{path}/moves", lose)
    page.route(re.compile(f"{path}(/board.svg|[?])"), lambda route: route.abort())
    before = len(tried)
    page.click(CONFIRM)
    eventually(lambda: page.clock.run_for(TICK_MS) or page.locator("#why").inner_text())
    assert moves_of(site, path, ann.id) == 1
    page.clock.run_for(RETRIES_MS)
    assert len(tried) == before
    page.unroute(re.compile(f"{path}(/board.svg|[?])"))
    eventually(lambda: page.clock.run_for(TICK_MS) or page.query_selector(READY))
    await_settled(page)
    assert moves_of(site, path, ann.id) == 1


def lose(route: Route) -> None:
    """Let the service answer, but not the browser know."""
    route.fetch()
    route.abort()


def test_a_page_follows_a_match_until_nothing_can_follow(site: Service, visit: Visit) -> None:
    """Given a stream that ends with the score, because its process does, then the page shows that
    the match is rated, too.
    """
    ann, streams = Visitor(site, "Rated Ann"), list[Route]()

    def hold(page: Page) -> None:
        page.add_init_script(OWN_STREAMS)
        page.route(STREAM, lambda route: streams.append(route))

    page = visit(begin_match(site, ann, "qin"), storage_state=ann.state, before=hold)
    await_settled(page)
    guest = Guest(site, page)
    play_match([ann], guest.path.rpartition("/")[2], 1, Random(0))  # or it is not rated
    ann.call("POST", f"{guest.path}/resign")
    eventually(lambda: _entries(guest)[-1]["kind"] == "Rated")
    *shown, last = _entries(guest)
    with page.expect_request(STREAM):
        streams[0].fulfill(body="".join(map(_event, shown)), content_type="text/event-stream")
        page.locator("#result[data-final]").wait_for(state="attached")
    while len(streams) < 2:  # it has been requested
        page.wait_for_timeout(20)
    streams[1].continue_()
    await_settled(page, last["version"])
    expect(page.locator("#match")).to_have_attribute("data-live", "over")


def _entries(guest: Guest) -> list[Any]:
    """The entries after the first one, as streams have them."""
    path = f"{guest.path}/events?after=1&sentences=true&limit=1000"
    entries: list[Any] = guest.call("GET", path)["events"]
    return entries


def _event(entry: Any) -> str:
    return f"id: {entry['version']}\nevent: entry\ndata: {json.dumps(entry)}\n\n"


def test_nothing_moves_with_reduced_motion(site: Service, visit: Visit) -> None:
    """Without it things move, and numbers count one by one."""
    ann = Visitor(site, "Calm Ann")
    page = visit(begin_match(site, ann, "chang_cheng"), storage_state=ann.state)
    hand = Mouse(page, Random(0))
    page.wait_for_selector(READY, state="attached")
    page.evaluate(MOTIONS)
    hand.move()
    page.wait_for_selector(READY, state="attached")
    assert moved(page) == (None, None)
    expect(page.locator("#board .turn .ring").first).to_be_attached()
    page.select_option("#eyes", "spectator")
    expect(page.locator("#own .view")).to_have_count(0)
    expect(page.locator("#board .turn .ring").first).to_be_attached()
    page.select_option("#eyes", "")
    page.emulate_media(reduced_motion="no-preference")
    hand.move()
    page.wait_for_selector(MINE, state="attached")
    assert moved(page) == ("yes", "yes")
    for steps in (
        ("9 of 12", "10 of 12", "11 of 12"),
        ("-1", "0", "1"),
        ("\u22129", "\u221210", "\u221211"),
    ):
        first, *shown = page.evaluate(COUNT, [steps[0], steps[-1]])
        assert first == shown[-1] == steps[-1]
        assert set(shown) <= set(steps)
        assert [steps.index(one) for one in shown] == sorted(map(steps.index, shown))


def moved(page: Page) -> tuple[str | None, str | None]:
    """Whether something has moved, and whether a number has counted."""
    return page.get_attribute("html", "data-moved"), page.get_attribute("html", "data-counted")
