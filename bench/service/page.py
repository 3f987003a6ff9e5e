"""The page in a browser: time to the first board on a slow link, page weight, and the delay until a
viewer sees another player's move.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

from bench.load.http import LoadResult, run
from bench.load.limits import spread
from bench.load.loads import moves_load
from bench.load.matches import open_matches, playing_script, random_moves, sign_up
from bench.load.servers import Server, run_apart, run_service
from service.matches.container import wall_clock
from service.page.assets import ASSETS, JAVASCRIPT, Asset
from tests.page.chromium import chromium

LAUNCH = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")
TIMES = 5
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
"""1.6 Mbit/s down and 0.75 up, 150 ms round trip: a telephone on a slow network."""
WATCHED_MATCHES = 4  # watched matches, one after the other
MOVES_PER_MATCH = 30  # moves of each, fewer than a whole match
PAUSE_S = 0.15  # between two moves
OTHER_MATCHES = 60  # other matches at the same time
OTHER_MOVES_PER_S = 100  # moves per second of the others
OTHER_MOVES = 40  # moves of each of the others
BOARD = """() => new Promise((done) => {
    const look = () => {
        const image = document.querySelector("#board img");
        const drawn = document.querySelector("#board > svg > svg")?.children.length;
        if (drawn || image?.naturalWidth) done(performance.now());
        else requestAnimationFrame(look);
    };
    look();
})"""
"""Milliseconds from the start of the navigation until there is a board."""
WATCH = """() => {
    const match = document.getElementById("match");
    const { dataset } = match;
    const now = () => performance.timeOrigin + performance.now();
    window.seen = {};
    new MutationObserver(() => {
        if (dataset.ready === "true") seen[dataset.version] ??= now();
    }).observe(match, { attributes: true });
}"""


def figures(folder: Path) -> dict[str, float]:
    """The first board, its page weight, and delays with and without other matches."""
    found: dict[str, float] = {}
    with run_service(folder / "page") as server, _browser() as browser:
        found |= _first_boards(browser, server)
        found |= spread("another player's move until it is on the screen", _delays(browser, server))
        with ThreadPoolExecutor(1) as pool:
            loud = pool.submit(
                run_apart,
                moves_load,
                server,
                OTHER_MATCHES,
                interval=OTHER_MATCHES / OTHER_MOVES_PER_S,
                max_moves=OTHER_MOVES,
            )
            beside = _delays(browser, server, loud)
            played = loud.result()
    found |= spread(f"the same beside {OTHER_MOVES_PER_S} moves per second", beside)
    found["moves watched beside them"] = len(beside)
    found["moves per second beside them"] = played.rate
    found["requests that failed"] = len(played.failures)
    return found


@contextmanager
def _browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=list(LAUNCH))
        yield browser
        browser.close()


def _first_boards(browser: Browser, server: Server) -> dict[str, float]:
    """Figures of a match opened by its link for the first time."""
    [match] = open_matches(server.port, sign_up(server.port), 1)
    url = f"http://127.0.0.1:{server.port}/matches/{match}"
    times, weights = zip(*(_first_board(browser, url) for _ in range(TIMES)), strict=True)
    script = sum(len(asset.content) for asset in _own_modules())
    return {
        "first board at 1.6 Mbit/s and 150 ms, empty cache, ms": median(times),
        "transferred for that page, kB": median(weights) / 1000,
        "own scripts, kB": script / 1000,
    }


def _own_modules() -> Iterator[Asset]:
    for name, asset in ASSETS.items():
        if asset.media_type == JAVASCRIPT and not name.startswith("vendor/"):
            yield asset


def _first_board(browser: Browser, url: str) -> tuple[float, float]:
    """Milliseconds until the board is there, and the received bytes."""
    with browser.new_context() as context:
        page, weight = context.new_page(), list[float]()
        devtools = context.new_cdp_session(page)
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", SLOW)
        devtools.on("Network.loadingFinished", lambda one: weight.append(one["encodedDataLength"]))
        page.goto(url, wait_until="commit")
        taken: float = page.evaluate(BOARD)
        _await(page, "")
        return taken, sum(weight)


def _delays(
    browser: Browser, server: Server, loud: Future[LoadResult] | None = None
) -> list[float]:
    """Seconds from the request of a move until a viewer sees it, for many moves; with a load, only
    while it runs.
    """
    token = sign_up(server.port)
    delays: list[float] = []
    for match in open_matches(server.port, token, WATCHED_MATCHES):
        with browser.new_page() as page:
            page.goto(f"http://127.0.0.1:{server.port}/matches/{match}")
            _await(page, "")
            page.evaluate(WATCH)
            for version, move in enumerate(random_moves(match, MOVES_PER_MATCH), 2):
                begin = wall_clock()
                run(server.port, [playing_script(match, token, [move])])
                _await(page, f"[data-version='{version}']")
                if loud and loud.done():
                    return delays
                delays.append((page.evaluate("version => seen[version]", version) - begin) / 1000)
                time.sleep(PAUSE_S)
    return delays


def _await(page: Page, what: str) -> None:
    """Wait until all of this is on the screen."""
    page.locator(f"#match{what}[data-ready=true]").wait_for()
