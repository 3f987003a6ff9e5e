"""The match page on every kind of screen: what it shows without scrolling, how large letters and
touchable things are, and how often a finger takes the wrong one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page

from domain.engine.game import describe_event, describe_step, legal_moves, preview
from domain.engine.touches import kind_of
from tests.games.modes import Table, tables
from tests.games.record import Moment, record
from tests.page.visitors import Visitor, begin_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

SCRIPT = (Path(__file__).with_name("screens.js")).read_text()
RUN = "([name, ...args]) => window.screens[name](...args)"
SCREENS = ((1920, 1080), (1280, 800), (1024, 768), (768, 1024))
"""Screens on which all that a player needs is in sight, in pixels."""
PHONES = ((390, 844), (360, 640), (844, 390), (640, 360))
"""Telephones upright and sideways: the map is brought closer before a touch."""
LETTER_PX = 12
TARGET_PX = 24
MAX_ZOOM = 8
PHONE_LETTER_PX = 11
"""The least size on a telephone after zooming."""
SCATTER_PX = 5.5
"""How far from the middle of a thing a finger comes down, as a standard deviation."""
MAX_MOMENTS = 6
TOUCHES = 30
"""Number of touches in each moment."""
MAX_WRONG = 0.01
TABLES = [pytest.param(table, id=table.id) for table in tables() if table.game.key != "toy"]


class Scene(NamedTuple):
    """A moment as the page shows it: a picture, a prompt, what a move does, and the touches."""

    picture: str
    prompt: str
    does: list[str]
    names: list[str]


@pytest.fixture(scope="module")
def match(site: Service) -> str:
    people = [Visitor(site, "Screens"), Visitor(site, "Screens too")]
    return begin_match(people, game="qin", seed="3" * 64)


@pytest.fixture
def screen(site: Service, visit: Visit, match: str) -> Page:
    """A page with the layout of a match, in which tests show any picture."""
    page = visit(f"{site.url}/page/manifest.webmanifest")  # without scripts
    page.evaluate(f"() => {{ {SCRIPT} }}")
    run(page, "open", f"{site.url}/matches/{match}")
    return page


def run(page: Page, name: str, *args: object) -> Any:
    """The result of a function of `screens.js` in a page."""
    return page.evaluate(RUN, [name, *args])


def moments(table: Table) -> list[Moment]:
    """Moments of a random game in which different kinds of steps wait for a seat."""
    waiting: dict[str, list[Moment]] = defaultdict(list)
    for moment in record(table.game, table.seats, 0).moments:
        waiting[type(moment.state.agenda[-1]).__name__].append(moment)
    of_each = [found[len(found) // 2] for found in waiting.values()]
    return of_each[:: -(-len(of_each) // MAX_MOMENTS)]


def scene_of(table: Table, moment: Moment) -> Scene:
    """A moment as the seat sees it that has to decide."""
    game, state, seat = table.game, moment.state, moment.move.seat
    view, words = game.view(state, seat), game.words()
    moves = legal_moves(game, state, seat)
    roles = {kind.kind: kind.role for kind in game.touch_kinds}
    touches = {name for move in moves for way in game.pointing.touches(view, move) for name in way}
    said = (describe_event(game, event, view) for event in preview(game, state, moment.move))
    return Scene(
        game.render_svg(view, words),
        words.say(describe_step(game, state.agenda[-1], view, seat)),
        [words.say(one) for one in said if one],
        sorted(name for name in touches if roles[kind_of(name)] == "thing"),
    )


@pytest.mark.parametrize("table", TABLES)
def test_a_player_sees_all_they_need(screen: Page, table: Table) -> None:
    faults = []
    for moment in moments(table):
        each = scene_of(table, moment)
        for width, height in SCREENS:
            screen.set_viewport_size({"width": width, "height": height})
            missing = run(screen, "show", *each)
            found = [*missing, *out_of_sight(run(screen, "measure"))]
            where = f"{width}x{height}, {type(moment.state.agenda[-1]).__name__}"
            faults += [f"{where}: {fault}" for fault in found]
        covered = run(screen, "hidden")
        faults += [f"{type(moment.state.agenda[-1]).__name__}: {name} covered" for name in covered]
    assert not faults, "\n".join(faults)


def out_of_sight(measured: Any) -> Iterator[str]:
    """What a player cannot see or touch on a large screen: the smallest of each panel."""
    for part, seen in measured["seen"].items():
        if not seen:
            yield f"{part} is not in sight"
    for letter in smallest(measured["letters"], lambda one: one["size"]):
        if letter["size"] < LETTER_PX - 0.05:
            yield f"{letter['panel']}: {letter['what']!r} has {letter['size']:.1f} px"
    for target in smallest(measured["targets"], side):
        if side(target) < TARGET_PX - 0.05 and is_crowded(target, measured["targets"]):
            yield f"{target['panel']}: {target['what']} has {side(target):.1f} px"


def smallest(measured: list[Any], size: Any) -> list[Any]:
    """The smallest of each panel."""
    panels: dict[str, list[Any]] = defaultdict(list)
    for one in measured:
        panels[one["panel"]].append(one)
    return [min(found, key=size) for found in panels.values()]


def side(target: Any) -> float:
    """The shorter side of a thing on the screen."""
    return float(min(target["width"], target["height"]))


def is_crowded(target: Any, others: list[Any]) -> bool:
    """Whether a circle of TARGET_PX around it meets that of another, or another thing: WCAG 2.2,
    success criterion 2.5.8.
    """
    x, y = middle(target)
    near = (other for other in others if other["what"] != target["what"])
    return any(
        abs(x - other_x) < TARGET_PX and abs(y - other_y) < TARGET_PX
        for other_x, other_y in map(middle, near)
    )


def middle(target: Any) -> tuple[float, float]:
    return target["left"] + target["width"] / 2, target["top"] + target["height"] / 2


@pytest.mark.parametrize("table", TABLES)
def test_a_finger_takes_what_it_means(screen: Page, table: Table) -> None:
    chance, touches, wrong = Random(table.id), 0, list[str]()
    for moment in moments(table):
        each = scene_of(table, moment)
        for width, height in PHONES[:2] if touches else PHONES:
            screen.set_viewport_size({"width": width, "height": height})
            assert run(screen, "show", *each) == []
            measured = run(screen, "measure")
            seen = measured["seen"]
            assert seen["prompt"], (width, height)
            assert seen["confirm"], (width, height)
            least = min(one["size"] for one in measured["letters"] if one["panel"] == "map")
            assert least * MAX_ZOOM >= PHONE_LETTER_PX, (width, height, least)
        if each.names:
            scatter = [[chance.gauss(0, SCATTER_PX) for _ in "xy"] for _ in range(TOUCHES)]
            wrong += run(screen, "touchWithScatter", scatter)
            touches += TOUCHES
    assert len(wrong) <= MAX_WRONG * touches, f"{len(wrong)} of {touches}: {wrong[:20]}"
