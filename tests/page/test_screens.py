"""The match page on every kind of screen: what it shows without scrolling, how large letters and
touchable things are, and how often a finger takes the wrong one. `docs/screens.md` has the sizes.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain, cycle
from random import Random

import pytest
from _pytest.mark import ParameterSet
from playwright.sync_api import Page

from domain.engine.game import fold, preview
from domain.games import GAMES
from tests.games.every_touch import THING
from tests.games.modes import Table, map_tables
from tests.games.record import record
from tests.games.seen import AnyGame
from tests.page.screen_tables import Row, heading_of, read_rows, write_row
from tests.page.screens import (
    AIMED_PX,
    LARGE,
    PHONES,
    SCRIPT,
    TARGET_PX,
    Scene,
    ScreenSizes,
    Size,
    measure,
    moments,
    resize,
    run,
    scene_of,
)
from tests.page.visitors import Visitor, begin_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

LETTER_PX = 12
PHONE_LETTER_PX = 11
"""The smallest size on a telephone, of letters on the map after a touch has brought them closer."""
ROUNDING_PX = 0.05
SCATTER_PX = 5.5
"""How far from the middle of a thing a finger comes down, as a standard deviation."""
SUM = r"[-\u2212]?\d+(?: ?[+\u00d7] ?\d+)*"
PREVIEWS = 12
"""Number of moves of a game that are drawn before they are made."""
TOUCHES = 30
"""Number of touches in each moment."""
MAX_WRONG = 0.01
NEEDED_ON_PHONES = ("map", "prompt", "confirm")
"""What is in sight on a telephone; what the player owns may be below the sheet."""


def cases() -> Iterator[ParameterSet]:
    """Each game in each mode on each map; those between the first and the last in long tests."""
    for each in chain.from_iterable(map(map_tables, GAMES.values())):
        for table in each:
            marks = () if table in (each[0], each[-1]) else pytest.mark.long
            yield pytest.param(table, id=table.id, marks=marks)


CASES = list(cases())


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


@pytest.mark.parametrize("table", CASES)
def test_a_player_sees_all_they_need(screen: Page, table: Table, update_tables: bool) -> None:
    found: dict[Size, list[ScreenSizes]] = defaultdict(list)
    for moment in moments(table):
        show(screen, scene_of(table, moment))
        for size in LARGE:
            found[size].append(measure(screen, size))
        assert run(screen, "hidden") == [], "covered"
        assert run(screen, "crossed") == [], "crossed by a light"
    for size, each in found.items():
        worst = ScreenSizes.worst(each)
        assert worst.unseen == (), size
        assert faults(worst, LETTER_PX) == [], size
        compare(size, table, worst, update_tables)


def show(screen: Page, scene: Scene) -> None:
    """Show a moment; the picture has all that can be touched."""
    assert run(screen, "show", *scene) == []


def faults(worst: ScreenSizes, letter_px: float) -> list[str]:
    """What is too small, or beyond the edge of the screen."""
    limits = (
        *((one, letter_px) for one in (worst.letter, worst.page_letter)),
        *((one, TARGET_PX) for one in (worst.target, worst.page_target)),
        (worst.aimed, AIMED_PX),
    )
    small = [str(one) for one, least in limits if one.size < least - ROUNDING_PX]
    return [*small, *([f"{worst.beyond} px beyond the edge"] if worst.beyond else [])]


def compare(size: Size, table: Table, worst: ScreenSizes, update: bool) -> None:
    """The documented row says almost the same; or write it. A game that was never measured, such as
    a new one, has none.
    """
    row, heading = Row.of(worst, is_phone=size in PHONES), heading_of(size)
    if update:
        write_row(heading, table.id, row)
    rows = read_rows(heading)
    if any(each.partition("-")[0] == table.game.key for each in rows):
        recorded = Row.read(rows[table.id])
        assert row.is_like(recorded), f"{size}: {row}, not {recorded}; `make screens` writes them"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_chosen_move_shows_what_it_changes(screen: Page, game: AnyGame) -> None:
    """Pieces that come are drawn on the map with their bodies, numbers count in the panels of the
    seats, and pieces that leave the own hand are crossed; also while those of the move before
    still travel and count.
    """
    screen.set_viewport_size({"width": 1280, "height": 800})
    screen.emulate_media(reduced_motion="no-preference")
    changes, earlier = 0, record(game, 3, 0).moments[0]
    for moment in record(game, 3, 0).some(PREVIEWS):
        state, seat, words = moment.state, moment.move.seat, game.words()
        run(screen, "show", game.render_svg(game.view(earlier.state, seat), words), "", [], [])
        earlier = moment
        after = fold(state.copy(), preview(game, state, moment.move))
        before, now = (game.render_svg(game.view(each, seat), words) for each in (state, after))
        run(screen, "show", before, "", [], [])
        shown = run(screen, "preview", now)
        for name, (counts, crosses) in shown.items():
            old, new = (panel_of(picture, name) for picture in (before, now))
            assert {*map(last_numbers, counts)} <= {*map(last_numbers, texts_of(new))}, name
            assert {*map(first_numbers, counts)} <= {*map(first_numbers, texts_of(old))}, name
            left = Counter(THING.findall(old)) - Counter(THING.findall(new))
            assert crosses == (left.total() if 'data-role="own"' in old else 0), name
            changes += name != "map"
        assert run(screen, "crossedInVain", now) == []
        assert run(screen, "bodiless") == []
        assert run(screen, "preview", None) == {}
        assert screen.locator(".view [visibility]").count() == 0
    assert changes >= PREVIEWS // 4
    screen.emulate_media(reduced_motion="reduce")


def panel_of(picture: str, name: str) -> str:
    """The markup of a panel of a picture."""
    [_, found] = picture.split(f'data-panel="{name}"')
    return found.split("data-panel=")[0]


def texts_of(panel: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)", panel)


def first_numbers(text: str) -> tuple[str, ...]:
    """The numbers of a text; of one that counts, such as `12 → 15`, those before."""
    return tuple(re.findall(r"[-\u2212]?\d+", re.sub(f" ?→ ?{SUM}", "", text)))


def last_numbers(text: str) -> tuple[str, ...]:
    """The numbers of a text; of one that counts, those after."""
    return tuple(re.findall(r"[-\u2212]?\d+", re.sub(f"{SUM} ?→ ?", "", text)))


@pytest.mark.parametrize("table", CASES)
def test_a_finger_takes_what_it_means(screen: Page, table: Table, update_tables: bool) -> None:
    chance, touches, wrong = Random(table.id), 0, list[str]()
    found: dict[Size, list[ScreenSizes]] = defaultdict(list)
    for moment, phone in zip(moments(table), cycle(PHONES)):
        scene = scene_of(table, moment)
        show(screen, scene)
        for size in PHONES:
            found[size].append(measure(screen, size))
        if scene.names:
            resize(screen, phone)
            scatter = [[chance.gauss(0, SCATTER_PX) for _ in "xy"] for _ in range(TOUCHES)]
            wrong += run(screen, "touchWithScatter", scatter)
            touches += TOUCHES
    assert len(wrong) <= MAX_WRONG * touches, f"{len(wrong)} of {touches}: {wrong[:20]}"
    for size, each in found.items():
        worst = ScreenSizes.worst(each)
        assert not set(worst.unseen) & set(NEEDED_ON_PHONES), size
        assert faults(worst, PHONE_LETTER_PX) == [], size
        compare(size, table, worst, update_tables)
