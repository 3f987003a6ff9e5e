"""What the match page shows on a screen, measured from real boxes in a browser."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Frame, Page

from domain.engine.game import describe_event, describe_step, legal_moves, preview
from domain.engine.touches import kind_of
from tests.games.modes import Table
from tests.games.record import Moment, record

SCRIPT = (Path(__file__).with_name("screens.js")).read_text()
FRAME = """() => new Promise((done) => {
    const frame = document.createElement("iframe");
    Object.assign(frame, { src: location.href, onload: done });
    frame.style = "position: fixed; inset: 0; border: 0; width: 100%; height: 100%; opacity: 0";
    document.body.replaceChildren(frame);
})"""
"""Replaces what a page shows by a frame with the same. Without opacity the browser lays it out and
finds what is at a point, but paints nothing.
"""
RUN = "([name, ...args]) => window.screens[name](...args)"
LARGE = ((1920, 1080), (1366, 768), (1280, 800), (1024, 768), (768, 1024))
"""Screens on which all that a player needs is in sight, in pixels."""
PHONES = ((390, 844), (844, 390), (360, 640), (640, 360))
"""Telephones upright and sideways: the map is brought closer before a touch."""
TARGET_PX = 24
"""A target may be smaller if a circle of this diameter around it is its own: WCAG 2.2, 2.5.8."""
AIMED_PX = 40
MAX_MOMENTS = 6
PAGE = "page"
"""Stands for what is in no panel."""
Size = tuple[int, int]


class Scene(NamedTuple):
    """A moment as the page shows it: a picture, a prompt, what a move does, and the touches."""

    picture: str
    prompt: str
    does: list[str]
    names: list[str]


class Smallest(NamedTuple):
    """The size of a letter or a target in pixels, and where it is."""

    size: float
    panel: str = ""  # or `page`
    what: str = ""

    def __str__(self) -> str:
        return f"{self.panel}: {self.what} has {self.size:.1f} px"


NOTHING = Smallest(float("inf"))


class ScreenSizes(NamedTuple):
    """What is smallest in the picture and on the rest of the page, and what is out of sight.

    On a telephone the letters of the map are those after a touch has brought a part of it closer;
    `aimed` is the smallest target then.
    """

    letter: Smallest
    target: Smallest
    aimed: Smallest
    page_letter: Smallest
    page_target: Smallest
    unseen: tuple[str, ...]
    beyond: float

    @classmethod
    def worst(cls, found: Iterable[ScreenSizes]) -> ScreenSizes:
        """The worst of several."""
        each = list(found)
        return cls(
            min(one.letter for one in each),
            min(one.target for one in each),
            min(one.aimed for one in each),
            min(one.page_letter for one in each),
            min(one.page_target for one in each),
            tuple(dict.fromkeys(part for one in each for part in one.unseen)),
            max(one.beyond for one in each),
        )


def open_screen(page: Page, site: str, match: str) -> Frame:
    """A frame with the layout of a match, in which tests show any picture.

    A script can resize a frame, and measure it, without having the browser paint each size.
    """
    page.goto(f"{site}/page/manifest.webmanifest")  # without scripts
    page.evaluate(FRAME)
    screen = page.frames[-1]
    screen.evaluate(f"() => {{ {SCRIPT} }}")
    run(screen, "open", f"{site}/matches/{match}")
    return screen


def run(screen: Frame, name: str, *args: object) -> Any:
    """The result of a function of `screens.js` in a frame."""
    return screen.evaluate(RUN, [name, *args])


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


def measure(screen: Frame, sizes: Sequence[Size]) -> list[ScreenSizes]:
    """What a page shows of a scene on screens of these sizes, all or none of which are PHONES."""
    are_phones = sizes[0] in PHONES
    return [_sizes_of(one, are_phones) for one in run(screen, "measure", sizes, are_phones)]


def _sizes_of(found: Any, is_phone: bool) -> ScreenSizes:
    letters = [Smallest(one["size"], one["panel"], one["what"]) for one in found["letters"]]
    targets, aimed = list(_targets(found["targets"])), [Smallest(AIMED_PX)]
    if is_phone:
        closer = found["closer"]
        aimed += [Smallest(one["side"], "map", one["what"]) for one in closer]
        letters = [one for one in letters if one.panel != "map"]
        letters += [Smallest(one["letter"], "map", f"near {one['what']}") for one in closer]
        targets = [one for one in targets if one.panel != "map"]
    return ScreenSizes(
        min((one for one in letters if one.panel != PAGE), default=NOTHING),
        min((one for one in targets if one.panel != PAGE), default=NOTHING),
        min(aimed),
        min(one for one in letters if one.panel == PAGE),
        min(one for one in targets if one.panel == PAGE),
        tuple(part for part, seen in found["seen"].items() if not seen),
        found["beyond"],
    )


def _targets(targets: list[Any]) -> Iterator[Smallest]:
    """The shorter side of the largest of each name; of those with room around them, at least
    TARGET_PX.
    """
    largest: dict[tuple[str, str], Any] = {}
    for one in sorted(targets, key=itemgetter("side")):
        largest[one["panel"], one["what"]] = one
    for one in largest.values():
        side = one["side"]
        if side < TARGET_PX and not _is_crowded(one, targets):
            side = TARGET_PX
        yield Smallest(side, one["panel"], one["what"])


def _is_crowded(target: Any, others: list[Any]) -> bool:
    """Whether a circle of TARGET_PX around it meets that of another, or another thing."""
    x, y = target["center"]
    near = (other["center"] for other in others if other["what"] != target["what"])
    return any(abs(x - left) < TARGET_PX and abs(y - top) < TARGET_PX for left, top in near)
