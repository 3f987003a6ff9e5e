"""The legend under the map."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.panel import FAINT
from domain.engine.drawing.svg import Markup, Point, group, text
from domain.engine.drawing.terminal_width import column_width
from domain.games.hansa_teutonica.board import MARKERS, PRIVILEGES
from domain.games.hansa_teutonica.render import pieces
from domain.games.hansa_teutonica.render.sentences import Scene

LINE = 36
LETTER = 8.6
"""The average width of a letter; half of a Chinese character is not much wider."""


def height(scene: Scene, across: float) -> float:
    """The height of the legend below a map of this width."""
    return (1 + max(row for row, *_ in _place_entries(scene, across))) * LINE + 12


def parts(scene: Scene, across: float) -> Iterator[Markup]:
    """The signs of this map, from left to right in as many lines as necessary."""
    for row, x, words, sign, width in _place_entries(scene, across):
        yield group(sign, at=(x + width / 2, row * LINE))
        yield text(x + width + 8, row * LINE + 6, words, 17, fill=FAINT)


def _place_entries(scene: Scene, across: float) -> Iterator[tuple[int, float, str, Markup, float]]:
    """Each sign with its line, its start in it, its words, and its width."""
    row, x = 0, 0.0
    for words, sign, width in _entries(scene):
        room = width + 30 + LETTER * column_width(words)
        if x + room - 22 > across:
            row, x = row + 1, 0.0
        yield row, x, words, sign, width
        x += room


def _entries(scene: Scene) -> Iterator[tuple[str, Markup, float]]:
    """Words, a sign with its middle at the origin, and its width."""
    view, words = scene.view, scene.words
    origin: Point = (0, 0)
    yield words("piece_trader"), pieces.trader(view.colours[0], "0"), 26
    yield words("piece_merchant"), pieces.merchant(view.colours[0], "0"), 28
    yield words("legend_post"), pieces.slot(), 22
    if any(route.post_requires for route in view.map.routes):
        yield words("legend_merchant_post"), pieces.merchant_slot(words), 24
    yield words("legend_office"), pieces.office(words, "trader", "white", 0), 30
    yield words("legend_round_office"), pieces.office(words, "merchant", "orange", 1), 32
    for privilege in PRIVILEGES:
        yield words(f"privilege_{privilege}"), pieces.office(words, "trader", privilege, 0), 30
    yield words("legend_control"), group(pieces.flag(view.colours[0], "0"), at=(-10, -8)), 24
    yield words("legend_last"), group(pieces.last_frame([origin]), scale=0.8), 30
    yield from _of_the_map(scene)
    if view.provinces:
        yield words("legend_pawn"), group(pieces.pawn(), scale=0.8), 22
        yield words("legend_soldier"), pieces.soldier(), 20


def _of_the_map(scene: Scene) -> Iterator[tuple[str, Markup, float]]:
    """The signs that not every map has."""
    view, words = scene.view, scene.words
    yield words("legend_red"), pieces.name_plate(-14, -10, 28, red=True, improves=False), 28
    yield words("legend_improves"), pieces.name_plate(-14, -10, 28, red=False, improves=True), 28
    if any(route.tavern for route in view.map.routes):
        yield words("legend_tavern"), pieces.tavern(words), 24
    if any(city.green for city in view.map.cities):
        yield words("legend_green"), group(pieces.city(34, green=True), scale=0.8), 30
    for kind in MARKERS:
        yield scene.marker(kind), pieces.marker(words, kind), 56
    for bonus in sorted({r.permanent_bonus for r in view.map.routes if r.permanent_bonus}):
        yield scene.bonus(bonus), pieces.bonus(words, bonus), pieces.bonus_width(words, bonus)
    for country in sorted({route.country for route in view.map.routes} - {"England"}):
        yield words(f"country_{country}"), pieces.road(country), 32
