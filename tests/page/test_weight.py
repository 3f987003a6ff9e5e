"""What a browser with an empty cache gets for a match, and before it shows the board."""

from __future__ import annotations

import re
from random import Random
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page

from domain.games import GAMES
from service.page.assets import ASSETS
from tests.page.sample import some_of_all
from tests.page.visitors import Visitor, await_settled, begin_match, play_match
from tests.page.visits import Visit
from tests.support.documented import DOCS
from tests.support.whole_service import Service

MAX_PAGE_BYTES = 180_000
"""For all of a page, with headers."""
NEAR_KB = 4
"""How far the weight of a page may be from that in the guide."""
MOVES = 40
"""With the most seats, the log and the picture are long then."""
SEED = "3" * 64
WORKER = "live/stream_worker.js"
"""A shared worker loads it, whose requests are none of the page."""
BOLD, REGULAR = "Roboto-Bold", "Roboto-Regular"
"""These come last, in any order, for the picture in the page."""
HAS_BOLD = """() => [...document.fonts].some(({ weight, status }) =>
    weight === "700" && status !== "unloaded")"""
PAUSE_MS = 20
BYTES_PER_S = 1_600_000 // 8
TRIP_MS = 150
TRIPS = 4
"""Before the board: the connection and the page; other connections at the same time, and what the
page needs first.
"""
CONNECTIONS = 6
"""Maximum number that a browser has to a host."""
MAX_BOARD_MS = 1_000


class Transfer(NamedTuple):
    """A response: its path, and its bytes on the wire with headers."""

    path: str
    size: int


class Requests:
    """The requests of a page, in their order."""

    def __init__(self, page: Page) -> None:
        self._paths: dict[str, str] = {}
        self._sizes: dict[str, int] = {}
        devtools = page.context.new_cdp_session(page)
        devtools.on("Network.requestWillBeSent", self._begin)
        devtools.on("Network.loadingFinished", self._finish)
        devtools.send("Network.enable")

    def _begin(self, event: Any) -> None:
        self._paths.setdefault(event["requestId"], event["request"]["url"])

    def _finish(self, event: Any) -> None:
        self._sizes[event["requestId"]] = round(event["encodedDataLength"])

    def wait_for(self, page: Page, *parts: str) -> list[Transfer]:
        """Those with an answer that has ended, once each of these is part of the path of one;
        streams don't end.
        """
        while True:
            loaded = [
                Transfer(path, self._sizes[each])
                for each, path in self._paths.items()
                if each in self._sizes
            ]
            if all(any(part in one.path for one in loaded) for part in parts):
                return loaded
            page.wait_for_timeout(PAUSE_MS)


@pytest.mark.parametrize("game", some_of_all("great_wall", "hansa_teutonica"))
def test_a_match_is_light_and_shows_its_board_first(site: Service, visit: Visit, game: str) -> None:
    person = Visitor(site, "Weighing")
    seats = [{"me": True}] * GAMES[game].seats[-1]
    match = begin_match([person], game=game, seats=seats, seed=SEED)
    play_match([person], match, MOVES, Random(0))
    requests: list[Requests] = []
    page = visit(
        f"{site.url}/matches/{match}",
        before=lambda page: requests.append(Requests(page)),
        is_new=True,  # without what its browser has loaded before
        storage_state=person.state,
    )
    await_settled(page)
    loaded = requests[0].wait_for(page, REGULAR, *([BOLD] if page.evaluate(HAS_BOLD) else []))
    worker = len(ASSETS[WORKER].gzipped or b"")
    # The preview of an only answer comes when the page is there already, perhaps after this look.
    weight = worker + sum(one.size for one in loaded if "/preview" not in one.path)
    assert weight <= MAX_PAGE_BYTES, sorted(loaded, key=lambda one: -one.size)
    assert abs(weight / 1_000 - read_weight(GAMES[game].title)) <= NEAR_KB
    first = loaded[: 1 + CONNECTIONS]
    assert "board.svg" in first[1].path, "it has a connection at once"
    assert all(any(style in one.path for one in first) for style in ("frame.css", "match.css"))
    board_ms = TRIPS * TRIP_MS + 1_000 * sum(one.size for one in first) // BYTES_PER_S
    assert board_ms <= MAX_BOARD_MS, first


def read_weight(title: str) -> int:
    """The kB of the page of a game in the guide."""
    page = (DOCS / "screens.md").read_text(encoding="utf-8")
    [weight] = re.findall(rf"^\| {title} \| (\d+) \| \d+ \| \d+ \| \d+ \|$", page, re.MULTILINE)
    return int(weight)
