"""The replay of a match: any version, from any seat's view, with undone lines; verification,
analysis, download, and forks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from domain.audit.bundle import read_bundle
from domain.audit.checks import check_bundle
from domain.audit.log_checks import Trust
from domain.games import GAMES
from service.page.views.result import format_luck
from tests.page.axe import OF_COLOURS, faults
from tests.page.past import IS_SCROLLED_TO, UNDONE, Past, play_past, shows
from tests.page.pictures import panel_texts_on_screen
from tests.page.visitors import await_settled, begin_match
from tests.page.visits import Visit, Visits, lead_nowhere
from tests.support.whole_service import Service

STEP_MS = 1_200
"""How long the replay shows each version, in milliseconds."""
REFUSAL_MESSAGES = ("400", "403", "404", "503")
COPY = ["clipboard-read", "clipboard-write"]
SCREENS = ((360, 640), (768, 1024), (1280, 800), (740, 360))
"""Widths and heights, one for each layout."""
LINE_BEFORE_AND_AFTER = """async (version) => {
    const html = await (await fetch(location.pathname)).text();
    const pages = [new DOMParser().parseFromString(html, "text/html"), document];
    return pages.map((page) => {
        const line = page.querySelector(`#log li[data-version="${version}"]`);
        const time = line.querySelector("time"), mark = line.querySelector(".mark");
        return {
            at: time.getAttribute("datetime"), time: time.textContent.trim(), title: time.title,
            player: mark.ariaLabel, mark: mark.querySelector("use").getAttribute("href"),
            sentences: line.querySelectorAll("p").length,
            rules: line.querySelectorAll("p:has(a.rule)").length,
            text: line.querySelector("div").textContent.replace(/\\s+/g, " ").trim(),
        };
    });
}"""
"""What stands in a line of the log before a script has run, and now."""
NOTE_VERSIONS = """() => {
    const match = document.getElementById("match");
    window.versions = new Set();
    const note = () => versions.add(match.dataset.version);
    new MutationObserver(note).observe(match, { attributeFilter: ["data-version"] });
}"""
"""Notes the versions that the page shows from now on."""
IMAGE_WIDTH = "img => img.decode().then(() => img.naturalWidth)"


@pytest.fixture(scope="module")
def past(site: Service) -> Past:
    return play_past(site)


@pytest.fixture(scope="module")
def opened(visits: Visits, past: Past) -> Iterator[Page]:
    """The page of the match, opened once for all tests that ask for `replay`."""
    with visits.begin() as visit:
        yield visit(past.address, permissions=COPY)


@pytest.fixture
def replay(opened: Page, past: Past) -> Page:
    """The same, at the end of the match, with all buttons in sight, and without motion."""
    opened.emulate_media(reduced_motion="reduce")
    opened.goto(f"{past.address}#")
    await_settled(opened, past.version)
    opened.evaluate("document.getElementById('more').open = true")
    return opened


def test_one_looks_back_by_slider_buttons_keys_and_log(replay: Page, past: Past) -> None:
    page = replay
    page.locator("#moment").fill("4")
    shows(page, past, 4)
    for action, version in (("earlier", 3), ("first", 1), ("later", 2), ("last", past.version)):
        page.click(f"[data-do={action}]")
        shows(page, past, version)
    for key, version in (("Home", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", past.version)):
        page.keyboard.press(key)
        shows(page, past, version)
    page.click("#log li[data-version='3'] [data-do=log-show]")
    shows(page, past, 3)
    page.click("[data-do=now]")
    shows(page, past, past.version)


def test_the_log_scrolls_to_the_shown_version(replay: Page, past: Past) -> None:
    """In each layout: the log scrolls itself, or with all that stands beside the board."""
    page, before = replay, replay.viewport_size
    assert before
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for version in (1, past.version - 1):
            page.goto(f"{past.address}#v={version}")
            await_settled(page, version)
            assert page.locator("#log .shown").evaluate(IS_SCROLLED_TO), (width, version)
    page.set_viewport_size(before)


def test_a_line_of_the_log_has_its_time_its_player_and_its_rule(replay: Page, past: Past) -> None:
    """Also before a script has run, in the same elements as afterwards."""
    replay.goto(f"{past.address}#v=3")
    shows(replay, past, 3)
    entry = past.people[0].call("GET", f"/v1/matches/{past.match}/events?after=2&limit=1")
    seat = entry["events"][0]["move"]["seat"]
    before, after = replay.evaluate(LINE_BEFORE_AND_AFTER, 3)
    for line in (before, after):
        assert line["at"] == entry["events"][0]["at"]
        assert line["player"] == past.people[seat].name
        assert line["mark"] == f"#mark-{seat}"
        assert line["sentences"] == line["rules"] > 1
    assert before["text"] == after["text"]
    assert re.fullmatch(r"\d\d:\d\d", after["time"])
    assert ":" in after["title"]


def test_a_link_leads_to_a_moment_or_to_the_match(visit: Visit, past: Past) -> None:
    page = visit(f"{past.address}#v=3", faults=REFUSAL_MESSAGES)
    shows(page, past, 3)
    page.reload()
    shows(page, past, 3)
    page.evaluate("location.hash = 'v=2'")
    shows(page, past, 2)
    for nowhere in ("v=99", "v=-1", "as=7", "as=nobody", "v=2&as=7"):
        page.goto(f"{past.address}#{nowhere}")
        shows(page, past, 2 if "v=2" in nowhere else past.version)
    problem = {"code": "analysis_failed", "detail": "The analysis of this match failed."}
    page.route("**/analysis", lambda route: route.fulfill(status=503, json=problem))
    page.locator("#analysis summary").click()
    expect(page.locator("#toasts .wrong").last).to_have_text(problem["detail"])


def test_the_shown_entry_is_repeated_in_sentences_and_its_link_can_be_shared(
    replay: Page, past: Past
) -> None:
    """Without the numbers of rules."""
    path = f"/v1/matches/{past.match}/events?after=2&limit=1&sentences=true&as=spectator"
    [entry] = past.people[0].call("GET", path)["events"]
    texts = [one["text"] for one in entry["sentences"]]
    assert len(texts) > 1
    replay.goto(f"{past.address}#v=3")
    await_settled(replay, 3)
    expect(replay.locator("#happened")).to_have_text(" ".join(texts))
    expect(replay.locator("#happened")).to_be_visible()
    assert any(name in texts[0] for name in ("Winner", "Loser"))
    replay.click("[data-do=share]")
    expect(replay.locator("#toasts .toast:not(.wrong)").last).to_be_visible()
    assert replay.evaluate("navigator.clipboard.readText()") == f"{past.address}#v=3"
    replay.evaluate("""() => {
        navigator.clipboard.writeText = async () => { throw new Error() };
        document.execCommand = () => false;
    }""")
    replay.click("[data-do=share]")
    link = replay.get_by_role("dialog").get_by_role("textbox")
    expect(link).to_have_value(f"{past.address}#v=3")
    expect(link).to_be_focused()
    replay.get_by_role("button", name="Close").click()
    replay.evaluate("delete navigator.clipboard.writeText; delete document.execCommand")


def test_the_result_is_shared_as_a_link_and_a_picture(replay: Page, past: Past) -> None:
    """The link leads to the match, whatever version is shown; the end says who won and why, which
    addresses only who has a seat.
    """
    path = f"/v1/matches/{past.match}?sentences=true&language=en"
    person = past.people[0]
    own, outcome = (
        person.call("GET", path + as_)["outcome"]["text"] for as_ in ("", "&as=spectator")
    )
    assert own == outcome.replace(person.name, "You") != outcome
    expect(replay.locator("#prompt")).to_have_text(outcome)
    replay.goto(f"{past.address}#v=3")
    await_settled(replay, 3)
    replay.click("[data-do=share-result]")
    expect(replay.locator("#toasts .toast:not(.wrong)").last).to_be_visible()
    assert replay.evaluate("navigator.clipboard.readText()") == past.address
    replay.evaluate("navigator.share = async (given) => { window.given = given }")
    replay.click("[data-do=share-result]")
    assert replay.evaluate("[given.url, given.text]") == [past.address, outcome]
    replay.evaluate("delete navigator.share")
    with replay.expect_download() as download:
        replay.click("#result a[download]")
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")


def test_points_over_time_are_a_chart_and_a_table(replay: Page, past: Past) -> None:
    replay.locator("#result summary").focus()
    replay.keyboard.press("Enter")
    chart = replay.locator("#result img")
    expect(chart).to_be_visible()
    assert chart.evaluate(IMAGE_WIDTH) > 200
    points = past.people[0].call("GET", f"/v1/matches/{past.match}/points")
    rows = replay.locator("#result details tr:has(td)")
    expect(rows).to_have_count(len(points["versions"]))
    assert str(UNDONE) not in rows.locator("th").all_inner_texts()
    last = [str(column[-1]) for column in points["seats"]]
    assert rows.last.locator("td").all_inner_texts() == last
    table, before = replay.locator("#result .wide"), replay.viewport_size
    heads = table.locator("th [role=img]")
    names = heads.evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    assert names == [person.name for person in past.people]
    assert before
    for size in ((1280, 800), (390, 844)):
        replay.set_viewport_size({"width": size[0], "height": size[1]})
        assert table.evaluate("(one) => one.scrollWidth <= one.clientWidth"), size
    replay.set_viewport_size(before)


def test_a_match_runs_until_it_is_stopped_or_at_its_end(visit: Visit, past: Past) -> None:
    page = visit(past.address, before=lambda page: page.clock.install())
    await_settled(page, past.version)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    page.click("[data-do=run]")
    shows(page, past, 1)
    for version in (2, 3):
        page.clock.run_for(STEP_MS)
        shows(page, past, version)
    page.click("[data-do=run]")
    page.clock.run_for(3 * STEP_MS)
    shows(page, past, 3)
    page.goto(f"{past.address}#v={past.version - 1}")
    await_settled(page, past.version - 1)
    page.click("[data-do=run]")
    page.clock.run_for(STEP_MS)
    shows(page, past, past.version)
    expect(page.locator("#run")).not_to_have_text("▶")
    page.clock.run_for(2 * STEP_MS)
    expect(page.locator("#run")).to_have_text("▶")
    shows(page, past, past.version)


def test_back_to_now_jumps_to_the_end(replay: Page, past: Past) -> None:
    """It shows neither the moves between nor rings, and the log scrolls along."""
    page = replay
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"{past.address}#v=1")
    await_settled(page, 1)
    page.evaluate(NOTE_VERSIONS)
    page.click("[data-do=last]")
    await_settled(page, past.version)
    assert {*page.evaluate("[...versions]")} <= {"1", str(past.version)}
    expect(page.locator(".turn .ring")).to_have_count(0)
    expect(page.locator("#log li:not(.silent)").first).to_be_in_viewport()


def test_a_finished_match_can_be_seen_from_every_seat(replay: Page, past: Past) -> None:
    page = replay
    page.goto(f"{past.address}#v=4")
    shows(page, past, 4)
    names = page.locator("#eyes option").all_text_contents()[1:]
    assert names == [person.name for person in past.people]
    seen = {}
    for eyes in ("", "0", "1"):
        page.select_option("#eyes", eyes)
        shows(page, past, 4, eyes)
        seen[eyes] = str(panel_texts_on_screen(page))
    assert len(set(seen.values())) == len(seen)
    page.reload()
    shows(page, past, 4, "1")
    expect(page.locator("#eyes")).to_have_value("1")


def test_undone_moves_are_marked(replay: Page, past: Past) -> None:
    page = replay
    page.goto(f"{past.address}#v={UNDONE}")
    shows(page, past, UNDONE)
    undone = past.people[0].call("GET", f"/v1/matches/{past.match}/lines")["undos"][0]["line"]
    assert undone == [UNDONE]
    expect(page.locator("#log li.undone")).to_have_attribute("data-version", str(UNDONE))
    expect(page.locator("#at.undone")).to_be_visible()
    page.click("[data-do=later]")
    shows(page, past, UNDONE + 1)
    expect(page.locator("#at.undone")).to_have_count(0)


def test_chain_dice_and_rules_are_checked(replay: Page, past: Past) -> None:
    def corrupt(route: Route) -> None:
        found = route.fetch()
        route.fulfill(response=found, json={**found.json(), "valid": False, "first_invalid": 4})

    replay.route("**/audit", corrupt, times=1)
    replay.click("[data-do=check]")
    expect(replay.locator("#checked .bad")).to_have_text("✗ Entry 4 does not match.")
    replay.click("[data-do=check]")
    sound = replay.locator("#checked .good").first
    expect(sound).to_have_text(
        f"✓ All {past.version} entries match the hash chain, the random draws and the rules."
    )
    logged = past.people[0].call("GET", f"/v1/matches/{past.match}/audit")["in_log"]
    expect(replay.locator("#checked .good")).to_have_count(2 if logged else 1)


def test_an_analysis_is_made_on_request_and_its_graph_leads_to_moments(
    replay: Page, past: Past
) -> None:
    page, graph = replay, replay.locator("#when")
    over_time = page.locator("#result details:not(table *)")
    over_time.evaluate("(one) => (one.open = true)")
    page.click("[data-do=luck]")
    expect(page.locator("#analysis summary")).to_be_focused()
    page.locator("#analysis[data-known]").wait_for()
    assert page.locator("#strip").evaluate(IMAGE_WIDTH) > 300
    box = page.locator("#graph").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    middle = int(graph.input_value())
    assert abs(middle - (1 + past.version) / 2) <= 1
    shows(page, past, middle)
    page.keyboard.press("ArrowRight")
    shows(page, past, middle + 1)
    chances = page.locator("#chances").inner_text()
    assert all(person.name in chances for person in past.people)
    expect(page.locator("#chances").get_by_role("img")).to_have_count(0)
    assert sum(map(int, re.findall(r"(\d+)%", chances))) in range(99, 102)
    assert graph.get_attribute("aria-valuetext")
    found = past.people[0].call("GET", f"/v1/matches/{past.match}/analysis")
    luck = page.locator("[data-result] tr:has(details) td").all_inner_texts()
    assert luck == [format_luck(one["luck"]) for one in found["seats"]]  # the first seat has won
    expect(page.locator("[data-do=luck]")).to_have_count(0)
    expect(over_time).to_have_attribute("open", "")
    assert not faults(page)
    page.emulate_media(color_scheme="dark")
    assert not faults(page, OF_COLOURS)
    page.emulate_media(color_scheme="light")


def test_a_match_can_be_taken_along_and_checked_elsewhere(
    replay: Page, past: Past, tmp_path: Path
) -> None:
    file = tmp_path / "bundle"
    with replay.expect_download() as download:
        replay.click("[data-do=download]")
    assert download.value.suggested_filename == f"{past.match}.annals.json"
    download.value.save_as(file)
    bundle = file.read_bytes()
    assert json.loads(bundle)["match"] == past.match
    steps = {step.name: step.outcome for step in check_bundle(GAMES, read_bundle(bundle), Trust())}
    assert set(steps.values()) <= {"ok", "open"}
    assert [steps[name] for name in ("chain", "draws", "rules")] == ["ok"] * 3


def test_nobody_is_offered_to_play_on_who_cannot(
    site: Service, visit: Visit, replay: Page, past: Past
) -> None:
    """From the end, or from a match of others whose hands are secret."""
    other = visit(f"{site.url}/matches/{begin_match(past.people, game='qin')}")
    await_settled(other)
    other.click("#more summary")
    for page in (replay, other):
        expect(page.locator("[data-do=check]")).to_be_visible()
        expect(page.locator("[data-do=fork]")).to_be_hidden()


@pytest.mark.parametrize("is_guest", [True, False])
def test_one_plays_on_from_a_moment(visit: Visit, past: Past, is_guest: bool) -> None:
    """A player of the match, or a visitor, who becomes a guest."""
    state = None if is_guest else past.people[0].state
    page = visit(f"{past.address}#v=4", storage_state=state)
    await_settled(page, 4)
    page.click("#more summary")
    expect(page.locator("[data-do=resign]")).to_be_hidden()
    lead_nowhere(page)
    page.click("[data-do=fork]")
    page.wait_for_url(lambda url: "/matches/" in url and past.match not in url)
    fork = page.request.get(page.url.replace("/matches/", "/v1/matches/")).json()
    assert (fork["forked_from"]["match"], fork["forked_from"]["version"]) == (past.match, 4)
    players = {one["player"] for one in fork["seats"]} - {None}
    assert (players == {past.people[0].id}) == (not is_guest)
    assert len(players) == 1
