"""The page in a browser: how soon the first board is there on a slow link, what a page weighs, and
how soon a move of somebody else is on the screen.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

from bench.load.http import Timed, run
from bench.load.limits import spread
from bench.load.loads import moves_load
from bench.load.matches import moves_of, open_matches, playing_script, sign_up
from bench.load.servers import Server, apart, service
from service.matches.container import wall_clock
from service.page.assets import ASSETS, MODULE, Asset
from tests.page.chromium import chromium

LAUNCH = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")
TIMES = 5
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
"""1.6 Mbit/s down and 0.75 up, 150 ms there and back: a telephone on a slow network."""
WATCHED = 4  # matches, one after the other
MOVES = 30  # of each: before it ends
PAUSE_S = 0.15  # between two of them
OTHERS = 60  # matches that others play meanwhile
PACE = 100  # moves a second of theirs
OTHER_MOVES = 40  # of each of theirs: all have so many
BOARD = """() => new Promise((done) => {
    const look = () => {
        const image = document.querySelector("#board img");
        const drawn = document.querySelector("#board > svg > svg")?.children.length;
        if (drawn || image?.naturalWidth) done(performance.now());
        else requestAnimationFrame(look);
    };
    look();
})"""
"""The milliseconds from the beginning of the navigation until a board is there."""
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
    """The first board, what is sent for it, and delays: alone, and while others play."""
    found: dict[str, float] = {}
    with service(folder / "page") as server, _browser() as browser:
        found |= _first_boards(browser, server)
        found |= spread("a move of another until it is on the screen", _delays(browser, server))
        with ThreadPoolExecutor(1) as pool:
            loud = pool.submit(
                apart, moves_load, server, OTHERS, interval=OTHERS / PACE, most=OTHER_MOVES
            )
            beside = _delays(browser, server, loud)
            played = loud.result()
    found |= spread(f"the same beside {PACE} moves per second", beside)
    found["moves that were watched then"] = len(beside)
    found["moves per second then"] = played.rate
    found["requests that failed"] = len(played.failures)
    return found


@contextmanager
def _browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=list(LAUNCH))
        yield browser
        browser.close()


def _first_boards(browser: Browser, server: Server) -> dict[str, float]:
    """Of a match that somebody opens by its link for the first time."""
    [match] = open_matches(server.port, sign_up(server.port), 1)
    url = f"http://127.0.0.1:{server.port}/matches/{match}"
    times, weights = zip(*(_first_board(browser, url) for _ in range(TIMES)), strict=True)
    script = sum(len(asset.content) for asset in _own_modules())
    return {
        "first board at 1.6 Mbit/s and 150 ms, nothing kept, ms": median(times),
        "all of that page as it is sent, kB": median(weights) / 1000,
        "own script as it is written, kB": script / 1000,
    }


def _own_modules() -> Iterator[Asset]:
    for name, asset in ASSETS.items():
        if asset.kind == MODULE and not name.startswith("vendor/"):
            yield asset


def _first_board(browser: Browser, url: str) -> tuple[float, float]:
    """Milliseconds until the board is there, and the bytes of all that comes."""
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


def _delays(browser: Browser, server: Server, loud: Future[Timed] | None = None) -> list[float]:
    """Seconds from when a move is sent until somebody who watches sees it, for each of many; only
    as long as a load goes on, if there is one.
    """
    token = sign_up(server.port)
    delays: list[float] = []
    for match in open_matches(server.port, token, WATCHED):
        with browser.new_page() as page:
            page.goto(f"http://127.0.0.1:{server.port}/matches/{match}")
            _await(page, "")
            page.evaluate(WATCH)
            for version, move in enumerate(moves_of(match, MOVES), 2):
                begin = wall_clock()
                run(server.port, [playing_script(match, token, [move])])
                _await(page, f"[data-version='{version}']")
                if loud and loud.done():
                    return delays
                delays.append((page.evaluate("version => seen[version]", version) - begin) / 1000)
                time.sleep(PAUSE_S)
    return delays


def _await(page: Page, what: str) -> None:
    """Until all of this is on the screen."""
    page.locator(f"#match{what}[data-ready=true]").wait_for()
