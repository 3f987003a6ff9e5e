"""The operator's page in a real browser, over a whole service."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import cycle, pairwise
from random import Random
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import Page, expect
from prometheus_client.parser import text_string_to_metric_families

from service.accounts.operators import Operators
from service.admin.samples import Sample, add_sample
from service.matches.container import wall_clock
from service.runtime.metrics import REQUEST_BUCKETS
from service.runtime.redis_urls import own_redis_url
from service.store.redis_client import connect
from tests.page.axe import faults
from tests.page.test_layout import PHONE, STICKS_OUT
from tests.page.visitors import Visitor, begin_match, play_match
from tests.page.visits import Visit
from tests.support.patience import eventually
from tests.support.ports import free_port
from tests.support.warm_start import start_command
from tests.support.whole_service import Service

SECTIONS = (
    "",
    "/players",
    "/matches",
    "/reports",
    "/webhooks",
    "/backups",
    "/settings",
    "/actions",
)
WRONG_TIME = re.compile(r"\b(since|until|for|last) (\w+ \w+ ago|in \w+ \w+|now)")
REASON = "Abusive table names"
AGO_MS = 100_000
"""How old the sample is with which the page compares the metrics of now."""
MOVES = 10
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
CHARTS = """() => [...document.querySelectorAll("figure.trend")].map((one) => [
  one.querySelector("figcaption").innerText,
  one.querySelector("svg").getAttribute("aria-label"),
  one.querySelector("polyline").getAttribute("points"),
])"""
FACTS = """() => Object.fromEntries([...document.querySelectorAll("dl.facts > div")].map((one) => [
  one.querySelector("dt").innerText, one.querySelector("dd").innerText,
]))"""


def operator_of(site: Service) -> Visitor:
    """A player who operates the service."""
    ada = Visitor(site, "Operating Ada")
    with closing(connect(own_redis_url(site.data))) as redis:
        Operators(redis).add(ada.id)
    return ada


def check_sections(site: Service, page: Page) -> None:
    """Every section can be used and fits a phone, by turns in light colours and in dark ones."""
    page.set_viewport_size(PHONE)
    for section, scheme in zip(SECTIONS, cycle(("light", "dark"))):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.goto(f"{site.url}/admin{section}")
        assert faults(page) == [], section
        assert page.evaluate(STICKS_OUT) == [], section
        assert WRONG_TIME.search(page.inner_text("main")) is None, section


def close_match(site: Service, page: Page, match: str) -> None:
    """The operator closes a match, which needs a reason, and adds a note to their log."""
    page.goto(f"{site.url}/admin/matches?query={match}")
    eventually(lambda: page.reload() and page.locator(f"#m-{match}").count())  # lists follow
    expect(page.locator(f"#m-{match}")).to_contain_text("Sun Bin")  # and no key of a bot
    page.get_by_role("button", name="Close").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Close").click()
    dialog.get_by_role("combobox").select_option(label="Because of a fault")
    dialog.get_by_role("textbox", name="A note").fill("Bob asked twice")
    with page.expect_response(re.compile(r"/close$")):
        dialog.get_by_role("button", name="Close").click()
    eventually(lambda: page.reload() and "closed" in page.inner_text("#section"))
    page.goto(f"{site.url}/admin/actions")
    expect(page.locator("#section")).to_contain_text("fault Bob asked twice")


def test_an_operator_bans_a_player_and_lifts_the_ban(site: Service, visit: Visit) -> None:
    ada, bob = operator_of(site), Visitor(site, "Banned Bob")
    match = begin_match([bob, Visitor(site, "Other")], game="qin")
    page = visit(f"{site.url}/settings", storage_state=ada.state)
    page.get_by_role("link", name="Operate this service").click()
    running = re.compile(r"^keeper for \d+ (second|minute)s? ")
    expect(page.get_by_role("row", name=running)).to_be_visible()
    page.get_by_role("link", name="Players", exact=True).press("Enter")
    page.get_by_role("searchbox").fill(bob.id)
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_url(f"**?query={bob.id}")  # the list before the search has them too
    page.locator(f"#p-{bob.id}").get_by_role("button", name="Ban").press("Enter")
    page.get_by_role("textbox", name="Why do you ban").press("Enter")  # without a reason
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("textbox", name="Why do you ban").fill(REASON)
    page.get_by_role("textbox", name="Why do you ban").press("Enter")
    expect(page.locator("#section")).to_contain_text(f"Banned: {REASON}")
    status, refused = site.call("GET", "/v1/me", Authorization=f"Bearer {bob.token}")
    assert (status, refused["code"]) == (403, "banned")
    assert ada.call("GET", f"/v1/matches/{match}")["status"] != "active"
    page.get_by_role("button", name="Lift the ban").click()
    page.get_by_role("dialog").get_by_role("button", name="Lift the ban").click()
    expect(page.get_by_role("button", name="Ban", exact=True)).to_be_visible()
    assert bob.call("GET", "/v1/me")["name"] == bob.name
    seats = [{"me": True}, {"open": True}, {"bot": "sun_bin"}]
    close_match(site, page, begin_match([bob, ada], game="qin", seats=seats))
    check_sections(site, page)
    expect(page.locator("#section")).to_contain_text(REASON)  # in the log of operators


def test_a_refusal_shows_what_to_run_as_code(site: Service, visit: Visit) -> None:
    ada, cyd = operator_of(site), Visitor(site, "Promoted Cyd")
    address = f"{site.url}/admin/players?query={cyd.id}"
    page = visit(address, storage_state=ada.state, faults=("403 (Forbidden)",))
    with closing(connect(own_redis_url(site.data))) as redis:
        Operators(redis).add(cyd.id)
    page.get_by_role("button", name="New token").click()
    page.get_by_role("dialog").get_by_role("button", name="New token").click()
    expect(page.locator("#toasts code")).to_have_text("annals admin")
    expect(page.locator("#toasts")).not_to_contain_text("`")


@contextmanager
def metrics_of(site: Service) -> Iterator[Callable[[], Sample]]:
    """How to read what `/metrics` says."""
    address = f"127.0.0.1:{free_port()}"
    with start_command(["metrics"], {**site.environ, "ANNALS_METRICS": address}) as process:
        try:
            yield lambda: read_metrics(f"http://{address}/metrics")
        finally:
            process.terminate()


def read_metrics(url: str) -> Sample:
    """What `/metrics` says now, without the supplies of the machine."""
    with urlopen(url) as answer:
        families = list(text_string_to_metric_families(answer.read().decode()))
    found = [one for family in families for one in family.samples]
    below = dict.fromkeys((*REQUEST_BUCKETS, float("inf")), 0)
    for one in found:
        if one.name == "annals_http_request_seconds_bucket" and "stream" not in one.labels["route"]:
            below[float(one.labels["le"])] += int(one.value)
    edges = [0, *below.values()]
    requests = tuple(upper - lower for lower, upper in pairwise(edges))
    moves = sum(
        int(one.value)
        for one in found
        if one.name == "annals_entries_total" and one.labels["kind"] == "Moved"
    )
    return Sample(wall_clock(), moves, requests, 0, 0, 0)


def check_chart(label: str, points: str) -> float:
    """The last value of a chart. Its line goes from the least to the greatest value that its label
    names, and ends at the last one.
    """
    least, greatest, last = map(float, NUMBER.findall(label.partition(": ")[2]))
    heights = [60 - float(point.partition(",")[2]) for point in points.split()]
    values = [least + height * (greatest - least) / 60 for height in heights]
    assert len(values) >= 2, label
    blur = (greatest - least) / 1_000 + 0.001
    assert abs(min(values) - least) < blur, label
    assert least == greatest or abs(max(values) - greatest) < blur, label
    assert abs(values[-1] - last) < blur, label
    return last


def test_charts_and_numbers_are_those_of_the_metrics(site: Service, visit: Visit) -> None:
    ada = operator_of(site)
    seats = [{"me": True}, {"me": True}]
    match = begin_match([ada], game="qin", seats=seats)
    with metrics_of(site) as read:
        eventually(read)
        start = read()
        at = start.at - AGO_MS
        add_sample(site.data, Sample(at - 3_600_000, 0, (0,) * len(start.requests), 0, 9, 9))
        add_sample(site.data, Sample(at, start.moves, start.requests, 0, 9, 9))
        play_match([ada], match, MOVES, Random(1))
        before = read()
        eventually(lambda: moves_shown(ada) * AGO_MS / 1000 > MOVES / 2)
        page = visit(f"{site.url}/admin", storage_state=ada.state)
        found, facts = page.evaluate(CHARTS), page.evaluate(FACTS)
        after = read()
    charts = {name: check_chart(label, points) for name, label, points in found}
    assert len(charts) == 6
    least_s, most_s = ((one.at - at) / 1000 for one in (before, after))
    fewest, most = ((one.moves - start.moves) for one in (before, after))
    shown = charts["Moves per second"]
    assert fewest >= MOVES
    assert fewest / most_s - 0.001 <= shown <= most / least_s + 0.001
    assert float(facts["Moves per second"]) == shown
    asked = [sum(one.requests) - sum(start.requests) for one in (before, after)]
    assert asked[0] / most_s - 0.001 <= float(facts["Requests per second"]) <= asked[1] / least_s
    for name, share in (
        ("Median duration of a request (ms)", 0.5),
        ("99 of 100 requests within (ms)", 0.99),
    ):
        check_quantile(charts[name], share, start, after, slack=asked[1] - asked[0])


def moves_shown(operator: Visitor) -> float:
    """How many moves a second the page shows at present."""
    traffic: dict[str, Any] | None = operator.call("GET", "/v1/admin/health")["traffic"]
    return float(traffic["moves_per_s"]) if traffic else 0.0


def check_quantile(ms: float, share: float, start: Sample, end: Sample, slack: int) -> None:
    """This share of the requests between two samples took at most as long, but for `slack`."""
    counts = [after - before for before, after in zip(start.requests, end.requests, strict=True)]
    upper = next(number for number, edge in enumerate((*REQUEST_BUCKETS, 1e9)) if ms <= 1000 * edge)
    assert sum(counts[: upper + 1]) >= share * sum(counts) - slack
    assert sum(counts[:upper]) <= share * sum(counts) + slack
