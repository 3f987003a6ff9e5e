"""The page without sight, without a mouse, and without colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from random import Random

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from domain.engine.sentences import LANGUAGES
from service.http.guides import SHIPPED_FOLDER
from tests.page.hands import CONFIRM, Mouse
from tests.page.test_pages import show_page
from tests.page.visitors import (
    OWN_STREAMS,
    Visitor,
    await_settled,
    begin_match,
    play_match,
    take_device,
)
from tests.page.visits import Visit, Visits
from tests.service.api.conftest import Api, open_table, play_on
from tests.support.whole_service import Service

SEED = "7" * 64
HEAR = """() => {
    window.heard = [];
    window.shown = [];
    const note = (lines) => lines.length && window.heard.push(lines);
    const added = (changes) => changes.flatMap((change) =>
        [...change.addedNodes].map((one) => one.textContent));
    const listen = () => {
        const [heard, prompt] = ["heard", "prompt"].map((id) => document.getElementById(id));
        new MutationObserver((changes) => note(added(changes))).observe(heard, { childList: true });
        new MutationObserver((changes) => {
            window.shown.push(...added(changes));
            if (prompt.ariaLive !== "off") window.prompted.push(...added(changes));
        }).observe(prompt, { childList: true });
    };
    window.prompted = [];
    addEventListener("DOMContentLoaded", listen);
    const { setTimeout } = window;
    window.setTimeout = (then, pause) => setTimeout(then, pause / 20);
}"""
"""Records what the announcer and the prompt say and show, and runs timers of the page faster."""
OTHER_KEYS = ("arrows", "Enter, space", "n")
"""Keys in the guide that have no control for a spectator without an account."""
MAX_HEARD = 3
"""Maximum number of sentences that a screen reader gets at once."""
STROKES = "(lights) => lights.map((one) => getComputedStyle(one).stroke)"


@pytest.fixture(scope="module")
def people(site: Service) -> list[Visitor]:
    return [Visitor(site, "Listening"), Visitor(site, "Keyboard")]


@pytest.fixture(scope="module")
def opened(site: Service, visits: Visits, people: list[Visitor]) -> Iterator[Page]:
    """The page of a player who decides in a match, after some moves. Only the last test that uses
    it makes another.
    """
    ann = people[0]
    match = begin_match([ann], game="qin", seats=[{"me": True}, {"me": True}], seed=SEED)
    play_match([ann], match, 4, Random(2))
    with visits.begin() as visit:
        page = visit(f"{site.url}/matches/{match}", storage_state=ann.state)
        await_settled(page)
        take_device(page)
        yield page


@pytest.fixture
def keyed(opened: Page) -> Iterator[Page]:
    """The same, on a screen, with nothing touched."""
    yield opened
    opened.emulate_media(media="null", forced_colors="null")
    while opened.locator("[data-do=back]").is_visible():
        opened.keyboard.press("Escape")


def test_the_moves_of_others_are_heard_once_in_order_and_a_few_at_a_time(
    site: Service, visit: Visit, people: list[Visitor]
) -> None:
    match = begin_match(people, game="qin", seed=SEED)
    path = f"/v1/matches/{match}"

    def listen(page: Page) -> None:
        page.add_init_script(OWN_STREAMS)
        page.add_init_script(f"({HEAR})()")

    page = visit(
        f"{site.url}/matches/{match}", before=listen, storage_state=people[0].state,
        reduced_motion="no-preference",
    )  # fmt: skip
    await_settled(page)
    after = people[0].call("GET", path)["version"]
    play_match(people, match, 8, Random(1))
    entries = people[0].call("GET", f"{path}/events?after={after}&sentences=true")["events"]
    expected = [
        sentence["text"]
        for entry in entries
        if entry["actor"] != people[0].id
        for sentence in entry["sentences"]
    ]
    page.wait_for_function("(count) => window.heard.flat().length >= count", arg=len(expected))
    await_settled(page, entries[-1]["version"])
    heard: list[list[str]] = page.evaluate("window.heard")
    assert [line for lines in heard for line in lines] == expected
    assert max(map(len, heard)) <= MAX_HEARD
    shown, prompted = page.evaluate("[window.shown, window.prompted]")
    steps = [line for line in shown if any(each in line for each in expected)]
    assert steps
    assert not set(steps) & set(prompted)


def test_colours_of_the_system_leave_the_board_as_it_is(keyed: Page) -> None:
    """What is lit, touched or last stays visible."""
    Mouse(keyed, Random(3)).touch("#own .can-touch")
    expect(keyed.locator(".view .touched")).not_to_have_count(0)
    keyed.mouse.move(0, 0)
    pictures = []
    for forced in ("none", "active"):
        keyed.emulate_media(forced_colors=forced)  # type: ignore[arg-type]
        pictures.append(keyed.locator(".view .light").evaluate_all(STROKES))
        fixed = keyed.evaluate("matchMedia('(forced-colors: active)').matches")
        assert fixed == (forced == "active")
    assert pictures[0] == pictures[1] != []


def test_a_match_prints_as_board_and_log(keyed: Page) -> None:
    page = keyed
    page.emulate_media(media="print")
    assert page.locator("button, input, select, summary, nav").locator("visible=true").count() == 0
    for selector in ("#board > .view", "#own > .view", "#log li:last-child"):
        expect(page.locator(selector).first).to_be_visible()
    cut = """() => [...document.querySelectorAll("#match, #match *")].filter((one) =>
        getComputedStyle(one).overflowY !== "visible" && one.scrollHeight > one.clientHeight + 1
        && one.checkVisibility() && one.clientHeight > 1).map((one) => one.id || one.className)"""
    assert page.evaluate(cut) == []


def test_keys_press_what_the_list_of_keys_names(keyed: Page) -> None:
    page, press = keyed, keyed.keyboard.press
    press("?")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("row")).to_have_count(len(documented_keys()))
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    assert dialog.evaluate("(dialog) => dialog.scrollTop") == 0
    press("c")  # nothing, while the list is open
    press("Escape")
    expect(dialog).to_have_count(0)
    width = "document.querySelector('#board > .view').getBoundingClientRect().width"
    whole = page.evaluate(width)
    press("+")
    assert page.evaluate(width) > whole
    press("0")
    assert page.evaluate(width) == whole
    press("l")
    expect(page.get_by_role("heading", name="Log")).to_be_focused()
    press("a")
    expect(page.locator("#choices > summary")).to_be_focused()
    expect(page.locator("#choices")).to_have_attribute("open", "")


def test_single_letters_can_be_turned_off(keyed: Page) -> None:
    page, press = keyed, keyed.keyboard.press
    press("?")
    page.get_by_role("button", name="Turn single-letter keys off").click()
    expect(page.locator(".toast")).to_contain_text("To turn them on: More, Keys.")
    press("l")
    press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    press("m")
    page.locator("#more > summary").click()
    page.get_by_role("button", name="Keys", exact=True).click()
    page.get_by_role("button", name="Turn single-letter keys on").click()
    press("l")
    expect(page.get_by_role("heading", name="Log")).to_be_focused()


def test_keys_replay_and_confirm_but_not_while_a_control_has_the_focus(keyed: Page) -> None:
    page, press = keyed, keyed.keyboard.press
    before = page.get_attribute("#match", "data-version")
    press("Home")
    await_settled(page, 1)
    press("End")
    await_settled(page, int(before or 0))
    Mouse(page, Random(0)).choose()
    press("Escape")
    expect(page.locator(CONFIRM)).to_have_count(0)
    Mouse(page, Random(0)).choose()
    page.locator("#eyes").focus()
    press("c")
    expect(page.locator(CONFIRM)).to_be_visible()
    page.locator("#moment").focus()
    press("c")
    press("Control+c")
    expect(page.locator(CONFIRM)).to_be_visible()
    page.locator("h1").click(force=True)
    with page.expect_request("**/moves"):
        press("c")


def test_a_key_leads_to_the_next_match_that_waits(site: Service, visit: Visit) -> None:
    busy = Visitor(site, "Busy")
    first, second = (
        begin_match([busy], game="qin", seats=[{"me": True}, {"me": True}], seed=SEED)
        for _ in range(2)
    )
    page = visit(f"{site.url}/matches/{first}", storage_state=busy.state)
    await_settled(page)
    take_device(page)
    page.route(f"**/matches/{second}", lambda route: route.fulfill(body="The next match."))
    page.keyboard.press("n")
    page.wait_for_url(f"**/matches/{second}")


def documented_keys() -> dict[str, str]:
    """The keys in the table of the guide, with what they do."""
    text = (SHIPPED_FOLDER / "docs/page.md").read_text(encoding="utf-8")
    table = text.split("| key | does |\n| --- | --- |\n")[1].split("\n\n")[0]
    return dict(line.strip("| ").split(" | ") for line in table.splitlines())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_lists_the_keys_of_the_page(
    app: Flask, ann: Api, bob: Api, language: str
) -> None:
    path = open_table(ann, bob, game="qin")
    play_on(path, ann, bob, until=6)
    client = app.test_client()
    text = show_page(client, path.removeprefix("/v1"), **{"Accept-Language": language}).text
    shown = [unescape(one).split()[0] for one in re.findall(r'aria-keyshortcuts="([^"]+)"', text)]
    signs = {"Plus": "+", "-": "\N{MINUS SIGN}", "ArrowLeft": "←", "ArrowRight": "→"}
    assert [signs.get(one, one) for one in shown] == [
        key for key in documented_keys() if key not in OTHER_KEYS
    ]
    assert len(set(shown)) == len(shown)
