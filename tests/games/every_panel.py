"""How large the panels of a picture and all in them are, as functions of a game and of seats."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from math import dist
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from service.drawing.pictures.player_names import MAX_NAME_WIDTH
from tests.games.drawn import draw_in_turn
from tests.games.picture_boxes import Box, things_of
from tests.games.picture_texts import overlaps, words_of
from tests.games.record import record
from tests.games.seen import AnyGame

MAP_BOXES = ((700, 660), (768, 600))
"""The room for a map in a window of 1024 x 768 and in one of 768 x 1024."""
COLUMN = 340
"""The width of the column beside a map."""
OWN_HEIGHT, ALL_OWN_HEIGHT = 270, 300
"""The height of one panel of the viewer, and of all together."""
MIN_LETTER = {"map": 12, "own": 13, "seat": 13, "table": 13, "legend": 13}
MIN_TOUCH = {"map": 24, "own": 26, "seat": 24, "table": 24, "legend": 24}
"""By the role of a panel, in pixels of the screen; pages show a column at its own size."""
MAX_KB = 150
WIDTHS = ("en", "zh-Hant")
"""Languages whose letters are of different widths: all Chinese ones are squares."""
SURFACE = re.compile(r"url\(#([^)]*)\)")
"""The name of what a shape is filled with."""
TOLERANCE = 0.01
"""Pictures round to a hundredth of a pixel."""


class Fault(NamedTuple):
    """Something too small or too large: the worse, the less it has of what it needs."""

    share: float
    panel: str
    rule: str
    what: str
    size: float
    scale: float
    limit: float | None = None

    def __str__(self) -> str:
        where = f"{self.panel}: {self.what!r} {self.rule}"
        limit = "" if self.limit is None else f" (limit {self.limit:.1f})"
        return f"{where}: {self.size:.1f}{limit} at a scale of {self.scale:.2f}"


def panels_fit_the_screen(game: AnyGame, seats: int, turn: int = 0) -> None:
    """At moments of a random game, as seat 0 and spectators see them."""
    drawn = draw_in_turn(game, seats, WIDTHS, turn)
    check_pictures(game, [drawing.svg for _, drawing in drawn])


def the_widest_names_fit(game: AnyGame, seats: int) -> None:
    """Those of the most letters, each as wide as any."""
    words = game.words(names=["W" * MAX_NAME_WIDTH] * seats)
    [moment, *_] = record(game, seats, 0).some(1)
    check_pictures(game, [game.render_svg(game.view(moment.state, 0), words)])


def check_pictures(game: AnyGame, pictures: Iterable[str]) -> None:
    """Nothing in these pictures of a game is too small or too large."""
    assert worst_faults(pictures) == [], f"{game.key}: see Panels in docs/engine.md"


def worst_faults(pictures: Iterable[str]) -> list[str]:
    """The worst fault of each panel and rule in these pictures, the worst of all first."""
    worst: dict[tuple[str, str], Fault] = {}
    for fault in sorted(fault for picture in set(pictures) for fault in faults(picture)):
        worst.setdefault((fault.panel, fault.rule), fault)
    return list(map(str, worst.values()))


def faults(picture: str) -> Iterator[Fault]:
    """All that is too small or too large in a picture."""
    kilobytes = len(picture.encode()) / 1000
    yield from _too_large("picture", "is too heavy", "kB", kilobytes, MAX_KB)
    root = ElementTree.fromstring(picture)
    yield from surface_faults(root)
    panels = [part for part in root if part.get("data-panel")]
    own = sum(_size(panel)[1] for panel in panels if panel.get("data-role") == "own")
    yield from _too_large("own", "is too high", "all own panels", own, ALL_OWN_HEIGHT)
    widest = max(_size(panel)[0] for panel in panels if panel.get("data-role") == "map")
    for panel in panels:
        if panel.get("data-role") != "head":
            yield from _panel_faults(panel, widest)


def _panel_faults(panel: Element, map_width: float) -> Iterator[Fault]:
    name, role = panel.attrib["data-panel"], panel.attrib["data-role"]
    width, height = _size(panel)
    scale = min(min(w / width, h / height) for w, h in MAP_BOXES) if role == "map" else 1.0
    if role != "map":
        most = map_width if role == "table" else COLUMN
        yield from _too_large(name, "is too wide", name, width, max(most, COLUMN))
    if role == "legend" and not panel.get("data-folds"):
        yield Fault(0, name, "does not fold", name, height, scale)
    if role == "own":
        yield from _too_large(name, "is too high", name, height, OWN_HEIGHT)
    inside = Element("g")  # without the place of the panel
    inside.extend(panel)
    letter, written = MIN_LETTER[role], list(words_of(inside))
    for one, other in overlaps(written):
        yield Fault(0, name, f"is over {one.words!r}", other.words, other.size, scale)
    for words in written:
        said, size = words.words, words.size
        yield from _too_small(name, "is too small to read", said, size, letter, scale)
        outside = max(-words.left, -words.top, words.right - width, words.bottom - height)
        if outside > 1:
            yield Fault(-outside, name, "is not all in its panel", said, outside, scale)
    yield from _touch_faults(name, inside, MIN_TOUCH[role], scale)


def surface_faults(picture: Element) -> Iterator[Fault]:
    """Fillings that are defined nowhere, or twice, and filters, which browsers draw slowly."""
    defined = Counter(part.get("id") for part in picture.iter() if part.get("id"))
    for part in picture.iter():
        for name in SURFACE.findall(" ".join(part.attrib.values())):
            if defined[name] != 1:
                yield Fault(0, "picture", "is defined so often", name, defined[name], 1.0)
        if part.get("filter") or part.tag.endswith("filter"):
            yield Fault(0, "picture", "is slow to draw", "filter", 1.0, 1.0)


def _touch_faults(panel: str, inside: Element, least: float, scale: float) -> Iterator[Fault]:
    """Things that are too small to touch, unless a circle around each meets that of no other."""
    largest: dict[str, Box] = {}
    for name, box in things_of(inside):
        if name not in largest or box.narrow > largest[name].narrow:
            largest[name] = box
    small = {name: box for name, box in largest.items() if box.narrow * scale < least - TOLERANCE}
    for name, box in small.items():
        others = (other.middle for key, other in small.items() if key != name)
        room = min((dist(box.middle, middle) for middle in others), default=least / scale)
        if panel != "map" or room * scale < least:
            yield from _too_small(panel, "is too small to touch", name, box.narrow, least, scale)


def _size(panel: Element) -> tuple[float, float]:
    width, height = map(float, panel.attrib["data-size"].split())
    return width, height


def _too_small(
    panel: str, rule: str, what: str, size: float, least: float, scale: float
) -> Iterator[Fault]:
    if size * scale < least - TOLERANCE:
        yield Fault(size * scale / least, panel, rule, what, size * scale, scale, least)


def _too_large(panel: str, rule: str, what: str, size: float, most: float) -> Iterator[Fault]:
    if size > most:
        yield Fault(most / size, panel, rule, what, size, 1.0, most)
