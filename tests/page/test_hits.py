"""Touch targets are large enough, and nothing covers them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from domain.engine.game import legal_moves
from domain.engine.touches import kind_of
from domain.games import GAMES
from tests.games.record import Moment, record
from tests.games.seen import AnyGame

WIDE = 1280
MIN_SIZE_PX = 24
"""Minimum size in pixels, from WCAG 2.2 (2.5.8)."""
CASES = [
    *(pytest.param(game, 1, id=game.key) for game in GAMES.values()),
    *(
        pytest.param(game, 4, id=f"{game.key}, more", marks=pytest.mark.long)
        for game in GAMES.values()
    ),
]
"""Games, and the number of positions checked for each kind of step that waits for a seat."""
STATIC = Path(__file__).parents[2] / "service" / "page" / "static"
FAULTS = """async ([module, drawn, names, least]) => {
    const { Board } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
    const PARTS = [5, 4, 6, 3, 7, 2, 8, 1, 9].map((part) => part / 10); // the middle first
    const board = new Board(document.getElementById("board"), {});
    board.show(drawn);
    const faults = board.light(names, [], String).map((name) => `${name} is not there`);
    const large = new Set();
    for (const lamp of board.open) {
        const name = lamp.dataset.at;
        lamp.scrollIntoView({ block: "center" });
        const { left, top, width, height } = lamp.getBoundingClientRect();
        const at = (x, y) => document.elementFromPoint(left + x * width, top + y * height);
        const hit = PARTS.some((x) => PARTS.some((y) => lamp.contains(at(x, y))));
        if (!hit) faults.push(`${name} is covered`);
        if (Math.min(width, height) >= least) large.add(name);
    }
    const small = names.filter((name) => !large.has(name)).map((name) => `${name} is small`);
    faults.push(...small);
    return faults;
}"""


def moments(game: AnyGame, of_each: int) -> Iterator[Moment]:
    """Positions of random games with few and many seats, with all kinds of steps that occurred."""
    waiting: dict[str, list[Moment]] = defaultdict(list)
    for seats in (game.seats[0], game.seats[-1]):
        for moment in record(game, seats, 0).moments:
            waiting[type(moment.state.agenda[-1]).__name__].append(moment)
    for found in waiting.values():
        apart = max(1, len(found) // of_each)
        yield from found[apart // 2 :: apart][:of_each]


def things(game: AnyGame, view: Any, moves: Any) -> list[str]:
    """All elements of the picture that some move touches."""
    roles = {kind.kind: kind.role for kind in game.touch_kinds}
    names = {name for move in moves for way in game.pointing.touches(view, move) for name in way}
    return sorted(name for name in names if roles[kind_of(name)] == "thing")


@pytest.mark.parametrize(("game", "of_each"), CASES)
def test_everything_can_be_hit(browser: Browser, game: AnyGame, of_each: int) -> None:
    module = (STATIC / "match/board.js").read_text()
    with browser.new_page(viewport={"width": WIDE, "height": 800}) as page:
        page.set_content("<body style='margin: 0'><div id=board></div>")
        page.add_style_tag(content=(STATIC / "match.css").read_text())
        page.add_style_tag(content=f".view {{ width: {WIDE}px !important; }}")
        for state, move in ((moment.state, moment.move) for moment in moments(game, of_each)):
            view = game.view(state, move.seat)
            names = things(game, view, legal_moves(game, state, move.seat))
            assert (
                page.evaluate(
                    FAULTS, [module, game.render_svg(view, game.words()), names, MIN_SIZE_PX]
                )
                == []
            )
