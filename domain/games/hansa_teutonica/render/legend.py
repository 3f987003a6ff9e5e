"""The legend under the map."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Panel, plain_panel
from domain.engine.drawing.panel import FAINT
from domain.engine.drawing.svg import Markup, Point, group, text
from domain.games.hansa_teutonica.board import MARKERS, PRIVILEGES
from domain.games.hansa_teutonica.render import pieces
from domain.games.hansa_teutonica.render.sentences import Scene

WIDTH, LINE = 372, 36
"""The width of the legend, and the height of an entry."""


def panel(scene: Scene) -> Panel:
    """The signs of this map, one below the other."""
    rows = [
        group(
            group(sign, at=(width / 2, 0)),
            text(width + 8, 6, words, 15, fill=FAINT),
            at=(0, LINE * (row + 0.5)),
        )
        for row, (words, sign, width) in enumerate(_entries(scene))
    ]
    return plain_panel(scene.words, "legend", (WIDTH, len(rows) * LINE), rows, folds=True)


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
