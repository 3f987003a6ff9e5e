"""A browser is subscribed to push messages by a switch, stays so, and shows each message.

A browser without windows shows no notifications, and no push service can be reached here: what asks
for these is replaced. All else is real.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import msgspec
import pytest
from playwright.sync_api import Page, Route, expect

from tests.page.conftest import WITHOUT_LIMITS
from tests.page.visitors import Visitor
from tests.page.visits import Visit
from tests.support.patience import eventually
from tests.support.push_browser import BROWSER
from tests.support.whole_service import Service, running_service

PATH = "/v1/me/push-subscriptions"
SUBSCRIBES = f"""
  let made = null;
  PushManager.prototype.getSubscription = async () => made;
  PushManager.prototype.subscribe = async ({{ applicationServerKey: key }}) => {{
    const letters = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
    made = {{
      options: {{ applicationServerKey: Uint8Array.from(letters, (one) => one.charCodeAt()) }},
      toJSON: () => ({msgspec.json.encode(BROWSER.subscription()).decode()}),
      unsubscribe: async () => !!(made = null),
    }};
    return made;
  }};
"""
ALLOWED = """
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
  navigator.setAppBadge = async (count) => (window.badge = count);
"""
DRIVE = """async ({ texts, pages }) => {
  const shown = [], opened = [], badges = [];
  navigator.setAppBadge = async (count) => badges.push(count);
  registration.showNotification = async (...parts) => shown.push(parts);
  WindowClient.prototype.focus = async function () { opened.push(["focus", this.url]); };
  clients.openWindow = async (address) => opened.push(["open", address]);
  const happen = async (kind, parts) => {
    let over;
    const waitUntil = (promise) => (over = promise);
    dispatchEvent(Object.assign(new Event(kind), { ...parts, waitUntil }));
    await over;
  };
  for (const data of texts) await happen("push", { data: { json: () => JSON.parse(data) } });
  for (const data of pages)
    await happen("notificationclick", { notification: { data, close() {} } });
  return { shown, opened, badges };
}"""
"""What the worker does with two messages, one of which can't be read, and with clicks."""

WAITS = "async () => (await navigator.locks.query()).pending.length"
"""How many changes wait for another one."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that can send push messages: with a process for it, and a public address."""
    push = {"ANNALS_WEBHOOKS": "1", "ANNALS_PUBLIC_URL": "https://annals.example"}
    with running_service(tmp_path_factory.mktemp("house"), **WITHOUT_LIMITS, **push) as service:
        yield service


@pytest.fixture
def ann(house: Service) -> Visitor:
    return Visitor(house, "Called Ann")


def prepare(page: Page) -> None:
    page.add_init_script(SUBSCRIBES + ALLOWED)


def kinds(ann: Visitor) -> list[list[str]]:
    return [one["kinds"] for one in ann.call("GET", PATH)["subscriptions"]]


def languages(ann: Visitor) -> list[str]:
    return [one["language"] for one in ann.call("GET", PATH)["subscriptions"]]


def test_a_switch_subscribes_this_browser(house: Service, visit: Visit, ann: Visitor) -> None:
    address = f"{house.url}/settings"
    page = visit(address, storage_state=ann.state, before=prepare)
    switch, end = page.locator("#push-on"), page.locator("input[name='end push']")
    expect(switch).not_to_be_checked()
    expect(end).to_be_disabled()
    switch.click()
    eventually(lambda: kinds(ann) == [["turn", "reminder", "request"]])
    end.check()
    page.locator("[data-form=notices] button").click()
    eventually(lambda: kinds(ann) == [["turn", "reminder", "request", "end"]])
    page.locator("[data-choose]").select_option("zh-Hant")  # and it is told so in that language
    eventually(lambda: languages(ann) == ["zh-Hant"])
    [lost] = ann.call("GET", PATH)["subscriptions"]
    ann.call("DELETE", f"{PATH}/{lost['id']}")
    page.goto(f"{house.url}/turns")  # any page notices that the server has lost it
    page.wait_for_function("window.badge === 0")  # what a message has set passes
    eventually(lambda: kinds(ann) == [["turn", "reminder", "request", "end"]])
    page.goto(address)
    expect(switch).to_be_checked()
    with page.expect_navigation():  # after a change the page loads itself anew
        switch.click()
    assert kinds(ann) == []
    expect(switch).not_to_be_checked()
    with page.expect_navigation():
        switch.click()
    assert len(kinds(ann)) == 1
    ends_after_what_renews(page, ann)


def ends_after_what_renews(page: Page, ann: Visitor) -> None:
    """A page that ends a subscription while it renews it does one after the other."""
    address = page.url
    page.goto("about:blank")  # so that only the next page renews
    [lost] = ann.call("GET", PATH)["subscriptions"]
    ann.call("DELETE", f"{PATH}/{lost['id']}")
    held, ended = list[Route](), list[bool]()

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            held.append(route)
            return
        if route.request.method == "DELETE":
            ended.append(not held)
        route.continue_()

    page.route("**/push-subscriptions**", hold)
    page.goto(address)
    eventually(lambda: page.wait_for_timeout(0) or held)
    page.locator("#push-on").click()
    eventually(lambda: ended or page.evaluate(WAITS))
    held.pop().continue_()
    eventually(lambda: page.wait_for_timeout(0) or ended)
    assert ended == [True]
    eventually(lambda: kinds(ann) == [])


def test_the_page_says_why_a_browser_can_not_subscribe(
    house: Service, visit: Visit, ann: Visitor
) -> None:
    def on_phone(page: Page) -> None:
        page.add_init_script("delete window.PushManager; navigator.standalone = false")

    denied = visit(f"{house.url}/settings", storage_state=ann.state)
    phone = visit(f"{house.url}/settings", storage_state=ann.state, before=on_phone)
    for page, why in (denied, "denied"), (phone, "ios"):
        expect(page.locator(f"[data-obstacle={why}]")).to_be_visible()
        expect(page.locator("[data-obstacle]:visible")).to_have_count(1)
        expect(page.locator("#push-here")).to_be_hidden()
    assert kinds(ann) == []


def test_the_worker_shows_each_message_and_opens_its_match(
    house: Service, visit: Visit, ann: Visitor
) -> None:
    address = f"{house.url}/settings"
    page = visit(address, storage_state=ann.state, before=prepare)
    page.evaluate("navigator.serviceWorker.register('./sw.js').then(() => {})")
    scope = page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)")
    assert urlsplit(scope).path == "/"
    [worker] = page.context.service_workers
    match, foreign = f"{house.url}/matches/m", "https://elsewhere.example/matches/m"
    said = {"title": "Qin", "body": "It is your turn.", "navigate": foreign, "tag": "m"}
    text = msgspec.json.encode({"web_push": 8030, "notification": said, "app_badge": 2}).decode()
    found = worker.evaluate(DRIVE, {"texts": [text, "?"], "pages": [match, f"{address}#push"]})
    first = ["Qin", {"body": "It is your turn.", "tag": "m", "data": match}]
    assert found["shown"] == [first, [urlsplit(house.url).netloc, {"data": f"{house.url}/"}]]
    assert found["badges"] == [2]
    assert found["opened"] == [["open", match], ["focus", address]]
