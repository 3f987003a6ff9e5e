"""Visitors of the page, each with an account, in a browser or over REST."""

from __future__ import annotations

import json
from http.cookies import SimpleCookie
from itertools import count
from random import Random
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from playwright.sync_api import Page

from tests.support.whole_service import Service

COOKIE = "annals_session"
OWN_STREAMS = "delete window.SharedWorker"
"""A script with which a page opens its streams itself, where tests can intercept them and move its
time.
"""
_numbers = count(1)


class Visitor:
    """A player with an account, signed in in their browsers, who also has a token."""

    def __init__(self, site: Service, name: str) -> None:
        self._site = site
        status, answer = site.call("POST", "/v1/players", {"name": f"{name} {next(_numbers)}"})
        assert status == 201, answer
        self.id: str = answer["player"]["id"]
        self.name: str = answer["player"]["name"]
        self.token: str = answer["token"]
        self._session = _sign_in(site.url, self.token)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The JSON of a successful answer."""
        bearer = f"Bearer {self.token}"
        status, answer = self._site.call(method, path, body, Authorization=bearer, **headers)
        assert status < 400, answer
        return answer

    @property
    def state(self) -> dict[str, Any]:
        """The stored state of their browser: `storage_state` of a Playwright context."""
        return self.state_at(self._site.url)

    def state_at(self, url: str) -> dict[str, Any]:
        """The same if they visit the service at another address."""
        cookie = {
            "name": COOKIE, "value": self._session, "path": "/", "expires": -1,
            "domain": urlsplit(url).hostname,
            "httpOnly": True, "secure": False, "sameSite": "Lax",
        }  # fmt: skip
        return {"cookies": [cookie], "origins": []}


def begin_match(people: list[Visitor], **terms: Any) -> str:
    """The id of a match of these people, the first of whom hosts. `terms` are those of `POST
    /v1/matches`.
    """
    first, *others = people
    seats = [{"me": True}, *({"open": True} for _ in others)]
    match: str = first.call("POST", "/v1/matches", {"seats": seats, **terms})["id"]
    for seat, person in enumerate(others, 1):
        person.call("POST", f"/v1/matches/{match}/seats", {"seat": seat})
    if first.call("GET", f"/v1/matches/{match}")["status"] == "open":
        first.call("POST", f"/v1/matches/{match}/start")
    return match


def play_match(people: list[Visitor], match: str, moves: int, chance: Random) -> None:
    """Let players make random moves, each for their seat; a single player for all seats. A match
    that ends before has fewer moves.
    """
    path = f"/v1/matches/{match}"
    awaiting = people[0].call("GET", path)["awaiting"]
    for _ in range(moves):
        if not awaiting:
            break
        seat = awaiting[0]["seat"]
        person = people[seat % len(people)]
        menu = person.call("GET", f"{path}/legal-moves?as={seat}")["moves"]
        move = {"move": chance.choice(menu), "seat": seat}
        awaiting = person.call("POST", f"{path}/moves", move)["awaiting"]


def await_settled(page: Page, version: int | None = None) -> None:
    """Wait until the page shows all of a version of its match, or of any version."""
    at = "" if version is None else f"[data-version='{version}']"
    page.locator(f"#match{at}[data-ready=true]").wait_for()


def take_device(page: Page) -> None:
    """Lift the curtain of a settled page in hot seat."""
    page.locator("dialog.curtain button").click()
    await_settled(page)


def _sign_in(url: str, token: str) -> str:
    """The cookie of a new session, created as the page does."""
    sent = {"Content-Type": "application/json", "Origin": url}
    body = json.dumps({"token": token}).encode()
    with urlopen(Request(f"{url}/v1/session", body, sent)) as answer:
        return SimpleCookie(answer.headers["Set-Cookie"])[COOKIE].value
