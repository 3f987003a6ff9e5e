"""Several pages of one browser share one player and a limited number of connections."""

from __future__ import annotations

from random import Random
from urllib.parse import urlsplit

from playwright.sync_api import Page, Request, expect

from domain.games import GAMES
from tests.page.visitors import OWN_STREAMS, Visitor, await_settled, begin_match, play_match
from tests.page.visits import Visit
from tests.support.patience import PATIENCE_S
from tests.support.whole_service import Service

GAME = next(iter(GAMES.values()))
TABS = 3
"""Each follows a match and its talk, and all follow the turns of their player: seven streams, more
than connections of a browser to one host.
"""
READ = """async (seconds) =>
    (await fetch("/v1/games", { signal: AbortSignal.timeout(1000 * seconds) })).status"""
SILENT_WORKER = """window.SharedWorker = class extends EventTarget {
    port = { postMessage() {} };
}"""
SILENCE_MS = 60_000
NOBODY_LOOKS = """hidden => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_guest_stays_the_same_in_pages_that_do_not_know_it_yet(
    site: Service, visit: Visit
) -> None:
    """Given two pages from before the first match, then both use the same guest, and no token is
    orphaned.
    """
    first = visit(site.url)
    second = first.context.new_page()
    second.goto(site.url)
    assert [play_as(page) for page in (first, second)] == [play_as(first)] * 2


def play_as(page: Page) -> str | None:
    """The player after two clicks in the lobby."""
    if page.locator("#match").count() == 0:
        page.locator(f"button[data-play={GAME.key}]").click()
        page.locator("button[data-level]:visible").first.click()
    await_settled(page)
    return page.locator("html").get_attribute("data-me")


def test_a_hidden_page_leaves_its_connection_to_others(site: Service, visit: Visit) -> None:
    """And it shows the latest state as soon as it becomes visible."""
    people = [Visitor(site, f"Tab {seat}") for seat in range(2)]
    match = begin_match(people, game=GAME.key)
    path = f"/v1/matches/{match}"
    page = visit(
        f"{site.url}/matches/{match}",
        before=lambda page: page.add_init_script(OWN_STREAMS),
    )
    await_settled(page)

    def of_match(request: Request) -> bool:
        return f"{path}/stream" in request.url

    with page.expect_event("requestfailed", of_match):
        page.evaluate(NOBODY_LOOKS, True)
    now = people[0].call("GET", path)
    mover = people[now["awaiting"][0]["seat"]]
    moves = mover.call("GET", f"{path}/legal-moves")["moves"]
    version = mover.call("POST", f"{path}/moves", {"move": moves[0]})["version"]
    with page.expect_request(of_match):
        page.evaluate(NOBODY_LOOKS, False)
    await_settled(page, version)


def test_many_visible_tabs_share_the_connections_of_a_browser(site: Service, visit: Visit) -> None:
    """Without TLS, at a name that browsers do not trust more than others, as localhost."""
    people = [Visitor(site, f"Many tabs {seat}") for seat in range(2)]
    matches = [begin_match(people, game=GAME.key) for _ in range(TABS)]
    address = f"http://annals.test:{urlsplit(site.url).port}"
    first = visit(f"{address}/turns", storage_state=people[0].state_at(address))
    assert not first.evaluate("isSecureContext")
    tabs = [first.context.new_page() for _ in matches]
    for tab, match in zip(tabs, matches, strict=True):
        tab.goto(f"{address}/matches/{match}")
        await_settled(tab)
    for match in matches:
        play_match(people, match, 1, Random(0))
    ann = people[0]
    now = [ann.call("GET", f"/v1/matches/{match}") for match in matches]
    waiting = sum(one["awaiting"][0]["player"] == ann.id for one in now)
    for tab, one in zip(tabs, now, strict=True):
        await_settled(tab, one["version"])
        expect(tab.locator("#badge")).to_have_text(str(waiting or ""))
    assert tabs[-1].evaluate(READ, PATIENCE_S) == 200, "it has a connection for its own requests"


def test_a_page_whose_worker_is_silent_opens_its_streams_itself(
    site: Service, visit: Visit
) -> None:
    match = begin_match([Visitor(site, "Silence") for _ in range(2)], game=GAME.key)
    page = visit(
        f"{site.url}/matches/{match}",
        before=lambda page: (page.clock.install(), page.add_init_script(SILENT_WORKER)),
    )
    await_settled(page)
    assert page.get_attribute("#match", "data-live") is None
    for _ in range(2):  # it has a moment more, as after sleep
        page.clock.fast_forward(SILENCE_MS)
    page.wait_for_selector("#match[data-live=on]", state="attached")
