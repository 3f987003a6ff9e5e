"""Screenshots of the page: every game in each mode in the middle of a match, on a phone, a tablet
and a desktop screen.

`python -m tests.page.screenshots FOLDER` writes them: `qin-360x640.jpg`; with names, such as
`great_wall-solo`, only those.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, expect, sync_playwright

from domain.engine.touches import kind_of
from domain.games import GAMES
from tests.page.chromium import chromium
from tests.page.conftest import LAUNCH
from tests.page.hands import Mouse
from tests.page.visitors import Visitor
from tests.support.whole_service import Service, running_service

SIZES = ((360, 640), (768, 1024), (1280, 800))
SEATS = 3
BEGUN = 0.4
"""The share of a match that bots have played, so that the board is well filled."""
DECISIONS, CHOICES = 4, 8
"""Minimum number of decisions after that, so that the log has text; and of legal choices, some of
them in the picture.
"""
QUALITY = 80
FAST = {"ANNALS_BOT_SECONDS": "0.1", "ANNALS_PICTURE_RATE": "100000"}
PATIENCE_MS = 60_000
PAUSE_S = 0.5


def in_the_middle(ann: Visitor, game: str, mode: str) -> str:
    """The path of a match that bots started, in which she has many choices."""
    rules, options = GAMES[game], {"mode": mode} if mode else {}
    count = min(SEATS, rules.seats_for(rules.options(**options))[-1])
    seats = [{"bot": level.key} for level in rules.levels[:count]]
    table = {"game": game, "seats": seats, "options": options}
    played = f"/v1/matches/{ann.call('POST', '/v1/matches', table)['id']}"
    match = until(ann, played, lambda match: match["status"] == "scored")
    version = round(BEGUN * match["version"])
    while not ann.call("GET", f"{played}?version={version}")["awaiting"]:
        version += 1
    path = f"/v1/matches/{ann.call('POST', f'{played}/forks', {'version': version})['id']}"
    in_picture = {one.kind for one in GAMES[game].touch_kinds if one.role == "thing"}
    random, decisions = Random(f"{game}{mode}"), 0
    while True:
        match = until(ann, path, lambda match: not any(one["bot"] for one in match["awaiting"]))
        if not match["awaiting"]:  # it ended before, as cooperative games may
            return in_the_middle(ann, game, mode)
        received = ann.call("GET", f"{path}/legal-moves?touch=true")
        moves, firsts = received["moves"], {ways[0][0] for ways in received["ways"]}
        things = [touch for touch in firsts if kind_of(touch) in in_picture]
        if decisions >= DECISIONS and len(moves) >= CHOICES and len(things) > 1:
            return path
        ann.call("POST", f"{path}/moves", {"move": random.choice(moves)})
        decisions += 1


def until(ann: Visitor, path: str, fits: Callable[[Any], bool]) -> Any:
    """The match as soon as it satisfies `fits`."""
    while not fits(match := ann.call("GET", path)):
        time.sleep(PAUSE_S)
    return match


def name_screenshots() -> Iterator[tuple[str, str, str]]:
    """The names of the screenshots of each game in each mode, with its key and the mode ("" for the
    default).
    """
    for key, game in GAMES.items():
        yield key, key, ""
        for mode in game.seats_by_mode:
            if game.non_default_mode(game.options(mode=mode)):
                yield f"{key}-{mode}", key, mode


def shots(
    browser: Browser, site: Service, ann: Visitor, names: Sequence[str]
) -> Iterator[tuple[str, bytes]]:
    """Each screenshot and its name; all if `names` is empty."""
    for name, game, mode in name_screenshots():
        if names and name not in names:
            continue
        path = in_the_middle(ann, game, mode)
        for width, height in SIZES:
            size = {"width": width, "height": height}
            known: Any = {"viewport": size, "storage_state": ann.state, "locale": "en-GB"}
            page = browser.new_page(**known)
            page.set_default_timeout(PATIENCE_MS)
            page.goto(site.url + path.removeprefix("/v1"))
            expect(page.locator("#match[data-ready=true]")).to_be_visible(timeout=PATIENCE_MS)
            Mouse(page, Random(name)).touch(".view .can-touch")
            expect(page.locator(".view .touched")).not_to_have_count(0)
            yield f"{name}-{width}x{height}.jpg", page.screenshot(type="jpeg", quality=QUALITY)
            page.close()
        ann.call("POST", f"{path}/resign")


def main(folder: Path, names: Sequence[str]) -> None:
    """Write these screenshots, or all, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        running_service(Path(data), **FAST) as site,
        sync_playwright() as driver,
        driver.chromium.launch(executable_path=chromium(), args=list(LAUNCH)) as browser,
    ):
        ann = Visitor(site, "Ann")
        ann.call("POST", "/v1/me/name", {"name": "Ann"})
        for name, picture in shots(browser, site, ann, names):
            (folder / name).write_bytes(picture)
            sys.stdout.write(f"{name}: {len(picture) / 1000:.0f} kB\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
