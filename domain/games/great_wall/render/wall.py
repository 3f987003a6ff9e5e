"""The Sections of the Wall, and the Horde cards before them."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.panel import FAINT, INK, count
from domain.engine.svg import Markup, group, marked, rect, text
from domain.games.great_wall import board, touch
from domain.games.great_wall.render import pieces, words
from domain.games.great_wall.render.pieces import LINE, SMALL, SPOT
from domain.games.great_wall.view import HordeView, SectionView, View

COLUMNS = 6
GAP = 14
CARD = 2 * SPOT[1] + 2 * LINE + 40
"""How high a Horde card is."""
WALL = 74
"""How high a Wall is, without the Rest Zones below it."""
ZONE = 21
"""How high a line of a Rest Zone is."""
STONE = "#cfc7b6"


def height(view: View) -> float:
    """How much room the Sections need."""
    zones = max(_zones(view, section) for section in view.sections)
    return 26 + board.ROWS * (CARD + 6) + WALL + ZONE * zones + 12


def _zones(view: View, section: SectionView) -> int:
    """How many clans have soldiers in the Rest Zone."""
    return sum(section.section in clan.rest for clan in view.clans)


def parts(view: View, across: float) -> Iterator[Markup]:
    """The Sections from left to right, the first row of Horde cards next to the Wall."""
    width = (across - GAP * (len(view.sections) - 1)) / len(view.sections)
    for number, section in enumerate(view.sections):
        drawn = marked(touch.SECTION.of(section.section), *_section(view, section, width))
        yield group(drawn, at=(number * (width + GAP), 0))


def _section(view: View, section: SectionView, width: float) -> Iterator[Markup]:
    here = "  (the next Horde card may come here)" if section.section == view.indicator else ""
    name = f"{words.SECTIONS[section.section].capitalize()} Section{here}"
    yield text(0, 16, name, 14, fill=INK, font_weight=700)
    cards = {horde.row: horde for horde in section.hordes}
    for row in range(board.ROWS):
        y = 26 + (board.ROWS - 1 - row) * (CARD + 6)
        yield group(*_place(view, section, cards.get(row), width), at=(0, y))
    yield group(*_wall(view, section, width), at=(0, 26 + board.ROWS * (CARD + 6)))


def _place(
    view: View, section: SectionView, horde: HordeView | None, width: float
) -> Iterator[Markup]:
    """A Horde card to be touched, or where none is."""
    if horde is None:
        yield from _no_horde(width)
    else:
        yield marked(touch.HORDE.of(horde.card), *_horde(view, section, horde, width))


def _no_horde(width: float) -> Iterator[Markup]:
    yield rect(0, 0, width, CARD, rx=7, fill="none", stroke="#d8ccae", stroke_dasharray="5 5")


def _horde(view: View, section: SectionView, horde: HordeView, width: float) -> Iterator[Markup]:
    """A Horde card: its numbers, its ability, its grid."""
    stroke = 3 if horde.full else 1.2
    yield rect(0, 0, width, CARD, rx=7, fill="#f6eeda", stroke=INK, stroke_width=stroke)
    yield text(10, 18, horde.name, 14, fill=INK, font_weight=700)
    figures = f"Power {horde.power}, honor {horde.honor}, Lethality {horde.lethality}"
    yield text(width - 10, 18, figures, SMALL, fill=INK, text_anchor="end")
    yield from pieces.lines(10, 35, pieces.folded(horde.text, width - 20)[:2])
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
            yield group(marked(name, pieces.vital_spot(view, spot)), at=at)


def _wall(view: View, section: SectionView, width: float) -> Iterator[Markup]:
    """The Wall with its Firing spots, Barricades, Defense, and who rests behind it."""
    yield rect(0, 0, width, WALL - 8, rx=4, fill=STONE, stroke=INK, stroke_width=1.5)
    held = f"Defense {section.defense} against Power {section.power}"
    yield text(10, 19, f"Wall level {section.level}", 14, fill=INK, font_weight=700)
    yield text(width - 10, 19, held, 13, fill=INK, text_anchor="end")
    barricades = count(section.barricades, "Barricade")
    yield text(width - 10, 46, barricades, 13, fill=INK, text_anchor="end")
    yield text(10, 46, "Firing spots", SMALL, fill=INK)
    archers = [(clan, one.firing.get(section.section, 0)) for clan, one in enumerate(view.clans)]
    there = list(pieces.tokens(view, archers))
    there += [pieces.empty_slot()] * (section.firing_spots - len(there))
    for number, shape in enumerate(there):
        yield group(shape, at=(90 + 22 * number, 42))
    resting = [clan for clan, one in enumerate(view.clans) if section.section in one.rest]
    for number, clan in enumerate(resting):
        y = WALL + ZONE * number + 6
        yield group(pieces.token(view, clan), at=(11, y - 4))
        told = words.troops(view.clans[clan].rest[section.section])
        yield text(26, y, f"{told} at rest", SMALL, fill=FAINT)
