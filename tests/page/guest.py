"""The guest of a page over REST: they make moves in the middle of a match, and begin others."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from playwright.sync_api import Page

from tests.page.hands import MOST_MOVES
from tests.page.visitors import COOKIE
from tests.support.whole_service import Service

OVERTAKEN = ("not_your_turn", "rule_broken")
"""Problems of a move if several players decide at the same time."""


class Guest:
    """The player of a page, with the session of its browser, in the match of that page."""

    def __init__(self, site: Service, page: Page) -> None:
        self._site = site
        self.id = page.get_attribute("html", "data-me")
        self.path = "/v1" + page.url.removeprefix(site.url).partition("#")[0]
        [session] = [one for one in page.context.cookies() if one["name"] == COOKIE]
        self._headers = {"Cookie": f"{COOKIE}={session['value']}", "Origin": site.url}
        self.moves = 0

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of a successful answer."""
        status, answer = self._site.call(method, path, body, **self._headers)
        assert status < 400, answer
        return answer

    def play(self, chance: Random, shown: Callable[[list[Any], list[Any]], bool]) -> None:
        """Make random moves to the end of the match.

        `shown(moves, ways)` gets each menu; it returns whether the page has made a move of it.
        """
        match = self.call("GET", f"{self.path}?board=false")
        while match["awaiting"]:
            waits = [one["seat"] for one in match["awaiting"] if self._is_mine(match, one["seat"])]
            if waits:
                menu = self.call("GET", f"{self.path}/legal-moves?touch=true&as={waits[0]}")
                if not shown(menu["moves"], menu["ways"]):
                    self._move({"move": chance.choice(menu["moves"]), "seat": waits[0]})
            newer = match["version"] + 1
            match = self.call("GET", f"{self.path}?board=false&min_version={newer}")

    def _move(self, move: Any) -> None:
        """Make a move, unless another player has just made it illegal."""
        status, answer = self._site.call("POST", f"{self.path}/moves", move, **self._headers)
        made = status < 400
        assert made or answer["code"] in OVERTAKEN, answer
        self.moves += made
        assert self.moves < MOST_MOVES

    def _is_mine(self, match: Any, seat: int) -> bool:
        return bool(match["seats"][seat]["player"] == self.id)

    def begin(self, **terms: Any) -> str:
        """The address of another match, with its terms as in `POST /v1/matches`."""
        match: str = self.call("POST", "/v1/matches", terms)["id"]
        return f"{self._site.url}/matches/{match}"
