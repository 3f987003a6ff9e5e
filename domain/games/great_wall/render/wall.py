"""The Sections of the Wall, and the Horde cards before them."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Markup, group, mark, rect, text
from domain.engine.sentences import Sentence, capitalize
from domain.games.great_wall import board, touch
from domain.games.great_wall.render import pieces, sentences
from domain.games.great_wall.render.pieces import LINE, SMALL, SPOT
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.view import HordeView, SectionView, View

COLUMNS = 6
GAP = 14
CARD = 2 * SPOT[1] + 2 * LINE + 40
"""The height of a Horde card."""
WALL = 74
"""The height of a Wall, without the Rest Zone below it."""
ZONE = 21
"""The height of a line of a Rest Zone."""
STONE = "#cfc7b6"
LEDGE = "#e4dfd3"
"""The background of the Firing spots."""
FIRING = (6, 27, 30)
"""The first Firing spot on the Wall, x and y, and the height of all."""


def height(view: View) -> float:
    """The height of the Sections."""
    return 26 + board.ROWS * (CARD + 6) + WALL + _zone(view) + 18


def _zone(view: View) -> float:
    """The height of the Rest Zones, which is that of the fullest one."""
    clans = (sum(one.section in clan.rest for clan in view.clans) for one in view.sections)
    return 8 + ZONE * max(1, *clans)


def parts(table: Table, across: float) -> Iterator[Markup]:
    """The Sections from left to right, the first row of Horde cards next to the Wall."""
    sections = table.view.sections
    width = (across - GAP * (len(sections) - 1)) / len(sections)
    for number, section in enumerate(sections):
        drawn = mark(touch.SECTION.of(section.section), *_section(table, section, width))
        yield group(drawn, at=(number * (width + GAP), 0))


def _section(table: Table, section: SectionView, width: float) -> Iterator[Markup]:
    view, words = table
    threatened = section.section == view.indicator
    key = "section_threatened" if threatened else "section_heading"
    name = capitalize(words(key, section=Sentence(f"section_{section.section}")))
    high = height(view) - 12
    yield rect(-3, -3, width + 6, high, rx=7, fill="#ffffff", fill_opacity=0)
    yield text(0, 16, name, 14, fill=INK, font_weight=700)
    cards = {horde.row: horde for horde in section.hordes}
    for row in range(board.ROWS):
        y = 26 + (board.ROWS - 1 - row) * (CARD + 6)
        yield group(*_place(table, section, cards.get(row), width), at=(0, y))
    below = 26 + board.ROWS * (CARD + 6)
    yield group(*_wall(table, section, width), at=(0, below))
    resting = mark(touch.REST.of(section.section), *_resting(table, section, width))
    yield group(resting, at=(0, below + WALL))


def _place(
    table: Table, section: SectionView, horde: HordeView | None, width: float
) -> Iterator[Markup]:
    """A touchable Horde card, or an empty place."""
    if horde is None:
        yield from _no_horde(width)
    else:
        yield mark(touch.HORDE.of(horde.card), *_horde(table, section, horde, width))


def _no_horde(width: float) -> Iterator[Markup]:
    yield rect(0, 0, width, CARD, rx=7, fill="none", stroke="#d8ccae", stroke_dasharray="5 5")


def _horde(table: Table, section: SectionView, horde: HordeView, width: float) -> Iterator[Markup]:
    """A Horde card: its numbers, its ability, its grid."""
    words = table.words
    stroke = 3 if horde.full else 1.2
    yield rect(0, 0, width, CARD, rx=7, fill="#f6eeda", stroke=INK, stroke_width=stroke)
    yield text(10, 18, words(f"horde_{horde.card}"), 14, fill=INK, font_weight=700)
    figures = sentences.horde_figures(words, horde)
    yield text(width - 10, 18, figures, SMALL, fill=INK, text_anchor="end")
    ability = words(f"horde_{horde.type}_text")
    yield from pieces.lines(10, 35, pieces.wrap_text(ability, width - 20)[:2])
    spots = {spot.at: spot for spot in horde.spots}
    left = (width - COLUMNS * SPOT[0]) / 2
    for place in range(2 * COLUMNS):
        row, column = divmod(place, COLUMNS)
        spot = spots.get(f"{row},{column}")
        at = (left + column * SPOT[0], CARD - 8 - (2 - row) * SPOT[1])
        if spot is None:
            yield group(pieces.no_spot(), at=at)
        else:
            name = touch.spot(section.section, horde.row, spot.at)
            yield group(mark(name, pieces.vital_spot(table, spot)), at=at)


def _wall(table: Table, section: SectionView, width: float) -> Iterator[Markup]:
    """The Wall with its Firing spots, Barricades, and Defense."""
    words = table.words
    yield rect(0, 0, width, WALL - 8, rx=4, fill=STONE, stroke=INK, stroke_width=1.5)
    held = words("wall_held", defense=section.defense, power=section.power)
    level = words("wall_level", level=section.level)
    yield text(10, 19, level, 14, fill=INK, font_weight=700)
    yield text(width - 10, 19, held, 13, fill=INK, text_anchor="end")
    barricades = words("barricades", count=section.barricades)
    yield text(width - 10, 46, barricades, 13, fill=INK, text_anchor="end")
    yield mark(touch.FIRING.of(section.section), *_firing(table, section))


def _firing(table: Table, section: SectionView) -> Iterator[Markup]:
    """The Firing spots, taken and free."""
    view, words = table
    archers = [(clan, one.firing.get(section.section, 0)) for clan, one in enumerate(view.clans)]
    there = list(pieces.tokens(view, archers))
    there += [pieces.empty_slot()] * (section.firing_spots - len(there))
    x, y, high = FIRING
    yield rect(x, y, 84 + 22 * len(there), high, rx=4, fill=LEDGE, stroke="#a89d84")
    yield text(x + 6, y + 19, words("firing_spots"), SMALL, fill=INK)
    for number, shape in enumerate(there):
        yield group(shape, at=(90 + 22 * number, y + high / 2))


def _resting(table: Table, section: SectionView, width: float) -> Iterator[Markup]:
    """The Rest Zone: a line for each clan with soldiers there."""
    view, words = table
    yield rect(0, 0, width, _zone(view), rx=4, fill="#ece6d6", stroke="#a89d84")
    resting = [clan for clan, one in enumerate(view.clans) if section.section in one.rest]
    for number, clan in enumerate(resting):
        yield group(pieces.token(view, clan), at=(14, 14 + ZONE * number))
        soldiers = sentences.troops(words, view.clans[clan].rest[section.section])
        said = words("resting", soldiers=soldiers)
        yield text(29, 18 + ZONE * number, said, SMALL, fill=INK)
    if not resting:
        yield text(10, 18, words("rest_zone"), SMALL, fill=FAINT)
