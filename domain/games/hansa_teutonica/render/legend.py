"""The legend, in two panels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.engine.drawing.layout import Panel, plain_panel
from domain.engine.drawing.panel import FAINT
from domain.engine.drawing.svg import Markup, Point, group, text
from domain.engine.drawing.terminal_width import wrap
from domain.games.hansa_teutonica.board import MARKERS, PRIVILEGES
from domain.games.hansa_teutonica.render import pieces
from domain.games.hansa_teutonica.render.sentences import Scene

WIDTH, COLUMN = 340, 170
"""The widths of the legend and of a column of it."""
LETTER, LINE = 13, 15
SCALE = 1.1
"""How much larger a sign is than on the map, so that letters on it are as large as the words."""
LEAST = 28
"""The least height of an entry."""

Entry = tuple[str, Markup, float]
"""Words, a sign with its middle at the origin, and its width."""


def panels(scene: Scene) -> Iterator[Panel]:
    """The signs of pieces, offices and cities, and those of markers and routes."""
    words = scene.words
    size, drawn = _columns(_pieces(scene))
    yield plain_panel(words, "legend", size, drawn, folds=True)
    size, drawn = _columns(_markers(scene))
    label = words("panel_legend_markers")
    yield Panel("legend-markers", "legend", label, *size, tuple(drawn), folds=True)


def _columns(entries: Iterable[Entry]) -> tuple[Point, list[Markup]]:
    """Entries in two columns of about the same height, and the size of both."""
    bottoms, drawn = [0.0, 0.0], []
    for words, sign, sign_width in entries:
        width = sign_width * SCALE
        lines = wrap(words, int((COLUMN - width - 12) / 6.6))
        height = max(LEAST, LINE * len(lines) + 4)
        column = bottoms.index(min(bottoms))
        top = height / 2 + 4.5 - LINE * (len(lines) - 1) / 2
        entry = [
            group(sign, at=(width / 2 + 1, height / 2), scale=SCALE),
            *(
                text(width + 8, top + LINE * row, line, LETTER, fill=FAINT)
                for row, line in enumerate(lines)
            ),
        ]
        drawn.append(group(*entry, at=(COLUMN * column, bottoms[column])))
        bottoms[column] += height
    return (WIDTH, max(bottoms)), drawn


def _pieces(scene: Scene) -> Iterator[Entry]:
    view, words = scene.view, scene.words
    yield words("piece_trader"), pieces.trader(view.colours[0], "1"), 22
    yield words("piece_merchant"), pieces.merchant(view.colours[0], "1"), 22
    yield words("legend_post"), pieces.slot(), 22
    if any(route.post_requires for route in view.map.routes):
        yield words("legend_merchant_post"), pieces.merchant_slot(words), 22
    yield words("legend_office"), pieces.office(words, "trader", "white", 0), 26
    yield words("legend_round_office"), pieces.office(words, "merchant", "orange", 1), 26
    for privilege in PRIVILEGES:
        yield words(f"privilege_{privilege}"), pieces.office(words, "trader", privilege, 0), 26
    yield words("legend_control"), group(pieces.flag(view.colours[0], "1"), at=(-8, -7)), 22
    yield words("legend_last"), pieces.last_ring(20, 20), 26
    yield words("legend_red"), pieces.strip(-13, -7, 26, pieces.RED), 26
    yield words("legend_improves"), pieces.strip(-13, -7, 26, pieces.GOLD), 26
    if view.provinces:
        yield words("legend_pawn"), group(pieces.pawn(), scale=0.9), 22
        yield words("legend_soldier"), pieces.soldier(), 20
    if any(route.tavern for route in view.map.routes):
        yield words("legend_tavern"), pieces.tavern(words), 22
    if any(city.green for city in view.map.cities):
        yield words("legend_green"), _green_city(), 26


def _markers(scene: Scene) -> Iterator[Entry]:
    view, words = scene.view, scene.words
    for kind in MARKERS:
        yield scene.marker(kind), pieces.marker(words, kind), pieces.tag_width(words, kind)
    for bonus in sorted({r.permanent_bonus for r in view.map.routes if r.permanent_bonus}):
        yield scene.bonus(bonus), pieces.bonus(words, bonus), pieces.tag_width(words, bonus)
    for country in sorted({route.country for route in view.map.routes} - {"England"}):
        yield words(f"country_{country}"), pieces.road(country), 34


def _green_city() -> Markup:
    return group(pieces.city((-12, -12, 12, 12), green=True), pieces.leaf())
