"""The match page on every kind of screen: what it shows without scrolling, how large letters and
touchable things are, and how often a finger takes the wrong one. `docs/screens.md` has the sizes.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, cycle
from random import Random

import pytest
from _pytest.mark import ParameterSet
from playwright.sync_api import Frame, ViewportSize

from domain.engine.game import fold, preview
from domain.games import GAMES
from tests.games.every_touch import THING
from tests.games.modes import ALL as GAMES_AND_TOY
from tests.games.modes import Table, map_tables
from tests.games.record import record
from tests.games.seen import AnyGame
from tests.page.screen_tables import Row, heading_of, read_rows, write_row
from tests.page.screens import (
    AIMED_PX,
    LARGE,
    PHONES,
    TARGET_PX,
    Scene,
    ScreenSizes,
    Size,
    measure,
    moments,
    open_screen,
    run,
    scene_of,
)
from tests.page.visitors import Visitor, begin_match
from tests.page.visits import Visits
from tests.support.whole_service import Service

LETTER_PX = 12
PHONE_LETTER_PX = 11
"""The smallest size on a telephone, of letters on the map after a touch has brought them closer."""
ROUNDING_PX = 0.05
SCATTER_PX = 5.5
"""How far from the middle of a thing a finger comes down, as a standard deviation."""
SUM = r"[-\u2212]?\d+(?: ?[+\u00d7] ?\d+)*"
SEAT_PANEL = 'data-role="seat"'
"""In pictures with a panel for each seat, whose numbers count; a game may have none."""
AMOUNT = re.compile(r'data-at="([^"]+)"(?:(?!data-at=).)*?<text[^>]*>(\d+)</text>', re.DOTALL)
"""The name of a thing and how many there are of it, in a panel."""
PREVIEWS = pytest.mark.parametrize(
    "previews", [pytest.param(5, id="some"), pytest.param(12, id="more", marks=pytest.mark.long)]
)
"""Number of moves of a game that are drawn before they are made."""
TOUCHES = 10
"""Number of touches in each moment."""
MAX_WRONG = 0.01
WRONG = ("bodiless", "crossedBelow", "covering", "marksInLayers", "namesThatChange")
"""What the preview of a move has nothing of."""
WHOLE: ViewportSize = {"width": 1920, "height": 1080}
"""In this window all screens are whole."""
NEEDED_ON_PHONES = ("map", "prompt", "confirm")
"""What is in sight on a telephone; what the player owns may be below the sheet."""


ALL = slice(None)
THIRDS = [slice(first, None, 3) for first in range(3)]


def cases() -> Iterator[ParameterSet]:
    """Each game in each mode on the last map with the most seats, with a third of the screens. The
    others are in long tests, on all screens.
    """
    modes = list(chain.from_iterable(map(map_tables, GAMES.values())))
    for each, third in zip(modes, cycle(THIRDS), strict=False):
        for table in each:
            marks = () if table is each[-1] else pytest.mark.long
            share = third if table is each[-1] else ALL
            yield pytest.param(table, share, id=table.id, marks=marks)


CASES = list(cases())
CROWDED = [
    table
    for each in map_tables(GAMES["hansa_teutonica"])
    for table in each
    if table.seats == table.game.seats[-1]
]
"""The tables whose boards have the most things beside each other."""
CROWDED_TOUCHES = 100
MAX_LIT = {LARGE[2]: 0.12, PHONES[0]: 0.16}
"""The largest part of a map that lights cover at the first decision, where all is open."""


@pytest.fixture(scope="module")
def match(site: Service) -> str:
    people = [Visitor(site, "Screens"), Visitor(site, "Screens too")]
    return begin_match(people, game="qin", seed="3" * 64)


@pytest.fixture(scope="module")
def screen(visits: Visits, site: Service, match: str) -> Iterator[Frame]:
    """A frame with the layout of a match, in which tests show one picture after another."""
    with visits.begin() as visit:
        yield open_screen(visit("about:blank", viewport=WHOLE), site.url, match)


@pytest.mark.parametrize(("table", "share"), CASES)
def test_a_player_sees_all_they_need_and_a_finger_takes_what_it_means(
    screen: Frame, table: Table, share: slice, update_tables: bool
) -> None:
    """On large screens and on telephones; each moment is shown once for all."""
    large, phones = (each[ALL if update_tables else share] for each in (LARGE, PHONES))
    chance, touches, wrong = Random(table.id), 0, list[str]()
    found: dict[Size, list[ScreenSizes]] = defaultdict(list)
    for moment, phone in zip(moments(table), cycle(phones)):
        scene = scene_of(table, moment)
        show(screen, scene)
        note_sizes(screen, large, found)
        assert run(screen, "hidden") == [], "covered"
        assert run(screen, "catching") == [], "covered by a sign"
        assert run(screen, "crossed") == [], "crossed by a light"
        note_sizes(screen, phones, found)
        if scene.names:
            run(screen, "resize", phone)
            scatter = [[chance.gauss(0, SCATTER_PX) for _ in "xy"] for _ in range(TOUCHES)]
            wrong += run(screen, "touchWithScatter", scatter)
            touches += TOUCHES
    assert len(wrong) <= MAX_WRONG * touches, f"{len(wrong)} of {touches}: {wrong[:20]}"
    for size, each in found.items():
        worst, is_phone = ScreenSizes.worst(each), size in PHONES
        assert not [one for one in worst.unseen if not is_phone or one in NEEDED_ON_PHONES], size
        assert faults(worst, PHONE_LETTER_PX if is_phone else LETTER_PX) == [], size
        compare(size, table, worst, update_tables)


def note_sizes(
    screen: Frame, screens: Sequence[Size], found: dict[Size, list[ScreenSizes]]
) -> None:
    """Add what each of these screens shows of the moment."""
    for size, sizes in zip(screens, measure(screen, screens), strict=True):
        found[size].append(sizes)


def show(screen: Frame, scene: Scene) -> None:
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


@pytest.mark.parametrize("size", MAX_LIT, ids=str)
@pytest.mark.parametrize("game", GAMES_AND_TOY, ids=lambda game: game.key)
def test_the_lights_of_a_first_turn_are_quiet(screen: Frame, game: AnyGame, size: Size) -> None:
    """Also where nearly all spaces are open, as in Tigris & Euphrates."""
    table = Table(game, game.seats[-1], game.key)
    show(screen, scene_of(table, record(game, table.seats, 0).moments[0]))
    run(screen, "resize", size)
    assert run(screen, "measureLights") <= MAX_LIT[size]


@PREVIEWS
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_chosen_move_shows_what_it_changes(screen: Frame, game: AnyGame, previews: int) -> None:
    """Pieces that come are drawn on the map with their bodies, numbers count in the panels of the
    seats, and pieces that leave the own hand are crossed; also while those of the move before
    still travel and count. The marks of the last turn are no pieces, nor are names.
    """
    run(screen, "resize", [1280, 800])
    screen.page.emulate_media(reduced_motion="no-preference")
    changes, both, gone, seen = 0, 0, 0, 0
    for earlier, before, now in list(
        draw_moves(game, previews)
    ):  # nothing moves while they are drawn
        found = run(screen, "previewWhileMoving", earlier, before, now, WRONG)
        gone += len(marks_of(before) - marks_of(now))
        seen += before != now
        for name, (counts, crosses) in found["shown"].items():
            old, new = (panel_of(picture, name) for picture in (before, now))
            assert {*map(last_numbers, counts)} <= {*map(last_numbers, texts_of(new))}, name
            joined = [one for one in counts if "\u2192" in one]
            assert {*map(first_numbers, joined)} <= {*map(first_numbers, texts_of(old))}, name
            both += len(joined)
            left = Counter(THING.findall(old)) - Counter(THING.findall(new))
            assert crosses == (left.total() if 'data-role="own"' in old else 0), name
            changes += name != "map"
        counted, _ = found["shown"].get("own", ([], 0))
        assert len(counted) >= count_changed_amounts(before, now)
        assert not any(found["wrong"].values()), found["wrong"]
        assert found["left"] == []
    assert changes >= min(previews // 4, seen)  # all that a move changes may be hidden before it
    assert bool(both) == (SEAT_PANEL in before)  # most have room for what was and what will be
    assert bool(gone) == hasattr(game.view(record(game, 3, 0).moments[0].state, None), "last")
    screen.page.emulate_media(reduced_motion="reduce")


def draw_moves(game: AnyGame, count: int) -> Iterator[tuple[str, str, str]]:
    """The first moves of a random game in pictures, as those see them who make them: the one
    before it, that before the move and that after it.
    """
    played = record(game, 3, 0)
    earlier = played.moments[0]
    for moment in played.some(count):
        after = fold(moment.state.copy(), preview(game, moment.state, moment.move))
        views = (game.view(each, moment.move.seat) for each in (earlier.state, moment.state, after))
        first, before, now = (game.render_svg(view, game.words()) for view in views)
        yield first, before, now
        earlier = moment


def marks_of(picture: str) -> set[str]:
    """The marks of the last turn on the map."""
    return set(re.findall(r"<g data-last[^>]*>.*?</g>", panel_of(picture, "map")))


def panel_of(picture: str, name: str) -> str:
    """The markup of a panel of a picture."""
    [_, found] = picture.split(f'data-panel="{name}"')
    return found.split("data-panel=")[0]


def count_changed_amounts(before: str, now: str) -> int:
    """How many amounts of things that a player owns differ, such as that of the traders."""
    old, new = (dict(AMOUNT.findall(panel_of(picture, "own"))) for picture in (before, now))
    return sum(old[name] != new[name] for name in old.keys() & new.keys())


def texts_of(panel: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)", panel)


def first_numbers(text: str) -> tuple[str, ...]:
    """The numbers of a text; of one that counts, such as `12 → 15`, those before."""
    return tuple(re.findall(r"[-\u2212]?\d+", re.sub(f" ?→ ?{SUM}", "", text)))


def last_numbers(text: str) -> tuple[str, ...]:
    """The numbers of a text; of one that counts, those after."""
    return tuple(re.findall(r"[-\u2212]?\d+", re.sub(f"{SUM} ?→ ?", "", text)))


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(table, id=table.id, marks=[pytest.mark.long] * (at > 0))
        for at, table in enumerate(CROWDED)
    ],
)
def test_a_finger_takes_what_it_means_where_things_are_close(screen: Frame, table: Table) -> None:
    """Most touches of the most crowded moment, on the smallest telephone."""
    scene = max((scene_of(table, moment) for moment in moments(table)), key=count_names)
    show(screen, scene)
    run(screen, "resize", PHONES[-1])
    chance = Random(table.id)
    scatter = [[chance.gauss(0, SCATTER_PX) for _ in "xy"] for _ in range(CROWDED_TOUCHES)]
    wrong = run(screen, "touchWithScatter", scatter)
    assert len(wrong) <= MAX_WRONG * CROWDED_TOUCHES, wrong


def count_names(scene: Scene) -> int:
    return len(scene.names)
