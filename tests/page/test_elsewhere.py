"""The page works below a prefix, loads nothing from outside it, and runs only its own scripts."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Browser, Response

from domain.games import GAMES
from tests.page.hands import Mouse
from tests.page.proxy import below
from tests.page.visitors import await_settled
from tests.page.visits import Visit
from tests.page.watched import PageWatcher
from tests.support.whole_service import Service

PREFIX = "/some/games"
SLIPPED_IN = """() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'slipped in'";
    document.body.append(script);
    return document.title;
}"""


def test_a_guest_plays_behind_a_proxy(site: Service, visit: Visit) -> None:
    answers: list[Response] = []
    with below(site.url, PREFIX) as address:
        page = visit(
            address, before=lambda page: page.on("response", lambda answer: answers.append(answer))
        )
        game = GAMES["qin"]
        page.locator(f"button[data-play={game.key}]").click()
        page.locator(f"button[data-level={game.levels[0].key}]:visible").click()
        await_settled(page)
        hand = Mouse(page, Random(0))
        assert hand.move()
        await_settled(page)
        assert page.locator("#match").get_attribute("data-live") == "on"
        page.locator("nav a").first.click()
        page.locator(f"button[data-play={game.key}]").wait_for()
        page.close()
    assert [answer.url for answer in answers if not answer.url.startswith(address)] == []
    assert [answer.url for answer in answers if not answer.ok] == []
    assert len([answer for answer in answers if answer.request.method == "POST"]) >= 3


def test_a_request_to_another_host_is_reported(browser: Browser) -> None:
    context = browser.new_context()
    watched = PageWatcher(context)
    page = context.new_page()
    for host in ("annals.example", "192.0.2.1"):
        watched.begin(faults=("Failed to load resource",))
        with page.expect_console_message(lambda message: host in message.location["url"]):  # noqa: B023
            page.set_content(f"<img src='http://{host}/picture.png'>")
        with pytest.raises(AssertionError, match=host):
            watched.check()
    context.close()


def test_no_script_can_be_slipped_in(site: Service, visit: Visit) -> None:
    page = visit(f"{site.url}/", faults=("Content Security Policy",))
    assert page.evaluate(SLIPPED_IN) != "slipped in"
    for path in ("/rules/qin", "/settings"):
        page.goto(f"{site.url}{path}")
        assert page.evaluate(SLIPPED_IN) != "slipped in"
