"""The Sections of the Wall, and the Horde cards before them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.relief import raised_path, raised_rect
from domain.engine.drawing.svg import (
    Attribute,
    Markup,
    definitions,
    explain,
    gradient,
    group,
    mark,
    path,
    pattern,
    rect,
)
from domain.engine.sentences import Sentence, capitalize, sentence
from domain.games.great_wall import board, touch
from domain.games.great_wall.render import facts, icons, letters, pieces, sentences, signs
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.render.signs import Sign
from domain.games.great_wall.sayings import bill
from domain.games.great_wall.view import HordeView, SectionView, View

COLUMNS = 6
CELLS = {f"{row},{column}": (row, column) for row in range(2) for column in range(COLUMNS)}
"""The grid of a Horde card: the row and the column of each place."""
MAX_CACHED_GRIDS = 256
"""More than the Horde cards have, at two widths."""
GAP = 8
HEAD = 22
NAME = 19
"""The height of the name of a Horde card."""
ABILITY = 15
"""The height of a line of its ability."""
SPOT = 27
"""The height of a Vital spot."""
BETWEEN = 3
"""Between two Horde cards."""
WALL = 58
"""The height of a Wall, without the Rest Zone below it."""
ZONE, REST_ROWS = 23, 2
"""The height of a line of a Rest Zone, and how many it has at least."""
BANNER = "#e0c48f"
"""The background of the name of a Horde card."""
LEDGE = "#efebe1"
"""The background of the Firing spots."""
SLOT = 20
"""From one Firing spot to the next."""

_RANGE = (
    "M0 40L52 8 96 34 150 4 214 38 262 16 318 40 372 6 430 36 486 12 540 38 598 6 652 32 700 14V60"
    "H0Z"
)
_DARK = (
    "M52 8L96 34 70 40 60 26ZM150 4L214 38 172 44 164 26ZM262 16L318 40 278 44 270 30Z"
    "M372 6L430 36 392 44 384 26ZM486 12L540 38 504 44 496 28ZM598 6L652 32 618 42 608 26Z"
)
"""Mountains on the horizon, and their dark sides."""


def patterns() -> Markup:
    """What surfaces are filled with."""
    return definitions(
        gradient("slot", "#cfc3a3", "#fffdf6"),
        gradient("steppe", "#c9c3ae", "#d9c9a0", "#c5ae7c"),
        pattern(
            "masonry",
            28,
            path("M0 .5H28M0 14.5H28M7 .5v14M21 14.5v14", **_line("#bdb39d")),
            fill="#d6cfc0",
        ),
        pattern(
            "paving",
            40,
            path("M0 0L40 40M40 0L0 40", **_line("#ccbd97")),
            fill="#d8cbaa",
        ),
    )


def ground(across: float, wall: float, high: float) -> Iterator[Markup]:
    """The steppe with mountains as far down as the middle of the wall, and the yards below it."""
    yield rect(0, 0, across, high, rx=8, fill="url(#paving)")
    yield rect(0, 0, across, wall, rx=8, fill="url(#steppe)")
    yield path(_RANGE, fill="#b9b096")
    yield path(_DARK, fill="#a79d82")


def _line(colour: str) -> dict[str, Attribute]:
    return {"fill": "none", "stroke": colour}


def height(table: Table, across: float) -> float:
    """The height of the Sections."""
    return HEAD + board.ROWS * (_card(table.view) + BETWEEN) + WALL + _zone(table, across)


def foot(view: View) -> float:
    """Where the Wall stands, from the top of the Sections."""
    return HEAD + board.ROWS * (_card(view) + BETWEEN) + WALL - 2


def _card(view: View) -> float:
    """The height of a Horde card: with two Sections they are wider, and need fewer lines."""
    lines = 2 if len(view.sections) == 2 else 3
    return NAME + lines * ABILITY + 2 * SPOT + 4


def _width(view: View, across: float) -> float:
    return (across - GAP * (len(view.sections) - 1)) / len(view.sections)


def parts(table: Table, across: float) -> Iterator[Markup]:
    """The Sections from left to right, the first row of Horde cards next to the Wall."""
    width, zone = _width(table.view, across), _zone(table, across)
    for number, section in enumerate(table.view.sections):
        drawn = mark(touch.SECTION.of(section.section), *_section(table, section, width, zone))
        yield group(drawn, at=(number * (width + GAP), 0))


def _section(table: Table, section: SectionView, width: float, zone: float) -> Iterator[Markup]:
    view, words = table
    threatened = section.section == view.indicator
    key = "section_threatened" if threatened else "section_heading"
    name = capitalize(words(key, section=Sentence(f"section_{section.section}")))
    card = _card(view)
    below = HEAD + board.ROWS * (card + BETWEEN)
    yield rect(0, 0, width, below + WALL + zone, rx=7, fill="#ffffff", fill_opacity=0)
    yield letters.small(4, 15, name, font_weight=700)
    cards = {horde.row: horde for horde in section.hordes}
    for row in range(board.ROWS):
        y = HEAD + (board.ROWS - 1 - row) * (card + BETWEEN)
        yield group(*_place(table, section, cards.get(row), width), at=(0, y))
    yield group(*_wall(table, section, width), at=(0, below))
    resting = mark(touch.REST.of(section.section), *_resting(table, section, width, zone))
    yield group(resting, at=(0, below + WALL))


def _place(
    table: Table, section: SectionView, horde: HordeView | None, width: float
) -> Iterator[Markup]:
    """A touchable Horde card, or an empty place."""
    if horde is None:
        high = _card(table.view)
        yield rect(
            1, 1, width - 2, high - 2, rx=7, fill="none", stroke="#8d8060", stroke_dasharray="5 5"
        )
    else:
        yield mark(touch.HORDE.of(horde.card), *_horde(table, section, horde, width))


def _horde(table: Table, section: SectionView, horde: HordeView, width: float) -> Iterator[Markup]:
    """A Horde card: its numbers, its ability, its grid."""
    words, high = table.words, _card(table.view)
    stroke = 3 if horde.full else 1.2
    yield raised_rect(0, 0, width, high, rx=6, fill="#f8efd9", stroke=INK, stroke_width=stroke)
    emblem = icons.draw_emblem(icons.HORDE_EMBLEMS[horde.type])
    yield group(emblem, at=(width - 40, high / 2 + 4), scale=1.4)
    yield pieces.banner(width, NAME, BANNER)
    yield letters.small(7, 15, words(f"horde_{horde.card}"), font_weight=700)
    said = sentences.horde_figures(words, horde)
    figures = [signs.count(name, number, said) for name, number in _figures(horde).items()]
    yield from signs.place(figures, width - 5 - signs.length(figures, 5), 9.5, 5)
    if horde.ability != "none":
        ability = letters.wrap_text(words(f"horde_{horde.type}_text"), width - 12)
        yield from letters.draw_lines(7, NAME + 12, ability, step=ABILITY)
    yield group(*_grid(table, section, horde, width), at=(0, high - 3 - 2 * SPOT))


def _figures(horde: HordeView) -> dict[str, int]:
    return {"power": horde.power, "honor": horde.honor, "lethality": horde.lethality}


def _grid(table: Table, section: SectionView, horde: HordeView, width: float) -> Iterator[Markup]:
    """The Vital spots of a Horde card."""
    across = (width - 6) / COLUMNS
    yield _empty_cells(tuple(spot.at for spot in horde.spots), across)
    for spot in horde.spots:
        row, column = CELLS[spot.at]
        drawn = pieces.vital_spot(table, spot, (across, SPOT))
        name = touch.spot(section.section, horde.row, spot.at)
        yield group(mark(name, drawn), at=(3 + column * across, row * SPOT))


@lru_cache(MAX_CACHED_GRIDS)
def _empty_cells(spots: tuple[str, ...], across: float) -> Markup:
    """A dot in the middle of each cell of a grid without a Vital spot."""
    cells = (cell for at, cell in CELLS.items() if at not in spots)
    dots = (f"M{3 + (column + 0.5) * across:.1f} {(row + 0.5) * SPOT}h0" for row, column in cells)
    return path("".join(dots), stroke="#dacfb3", stroke_width=4, stroke_linecap="round")


def _wall(table: Table, section: SectionView, width: float) -> Iterator[Markup]:
    """The Wall with its Firing spots, Barricades, Defense, and what more of it costs."""
    words, slots = table.words, _slots(table, section)
    light = f"M1.4 {WALL - 4}V7"
    yield raised_path(
        _battlements(width), light, fill="url(#masonry)", stroke=INK, stroke_width=1.3
    )
    level = signs.count("wall", section.level, words("wall_level", level=section.level))
    yield group(level.drawn, at=(8, 18))
    held = _held(table, section)
    yield group(held.drawn, at=(width - 8 - held.width, 18))
    yield mark(touch.FIRING.of(section.section), *_firing(table, section, slots))
    x = 16 + SLOT * len(slots)
    yield explain(words("barricades", count=section.barricades), *_barricades(section, x))
    prices = _prices(table, section)
    if part := prices.get("wall"):
        yield group(part.drawn, at=(width - held.width - 16 - part.width, 18))
    if barricade := prices.get("barricade"):
        yield group(barricade.drawn, at=(width - 6 - barricade.width, 44))


def _battlements(width: float) -> str:
    """The outline of a Wall, with teeth at its top."""
    teeth = 12
    step = width / (2 * teeth - 1)
    edge = "".join(
        f"h{step:.2f}" + (f"v4h{step:.2f}v-4" if n < teeth - 1 else "") for n in range(teeth)
    )
    return f"M0 1{edge}V{WALL - 2}H0Z"


def _held(table: Table, section: SectionView) -> Sign:
    """Defense against Power, and whether the Wall holds."""
    said = table.words("wall_held", defense=section.defense, power=section.power)
    defense = signs.count("defense", section.defense, said)
    holds = section.defense >= section.power
    sign = path(
        "M1 1L4 5L10 -5" if holds else "M10 -5L2 0L10 5",
        fill="none",
        stroke="#2f6b2f" if holds else pieces.WOUND,
        stroke_width=2.6,
    )
    row = [defense, Sign(11, sign), signs.count("power", section.power, said)]
    return Sign(signs.length(row, 4), explain(said, *signs.place(row, 0, 0, 4)))


def _prices(table: Table, section: SectionView) -> dict[str, Sign]:
    """What the viewer pays for the next part of the Wall, and for a Barricade, and the honor."""
    words, costs = table.words, facts.own_costs(table.view)
    found: dict[str, Sign] = {}
    if costs is None:
        return found
    if section.section in costs.walls:
        cost = signs.material(costs.walls[section.section])
        honor = board.WALL[section.level].next_honor or 0
        said = words("next_wall", cost=bill(None, cost), honor=sentence("some_honor", count=honor))
        found["wall"] = signs.price(said, cost, honor=honor)
    if section.barricades < board.BARRICADES:
        cost = signs.material(costs.barricade)
        honor = board.BARRICADE_HONOR
        said = words(
            "next_barricade", cost=bill(None, cost), honor=sentence("some_honor", count=honor)
        )
        found["barricade"] = signs.price(said, cost, "barricade", honor)
    return found


def _slots(table: Table, section: SectionView) -> list[Markup]:
    """The Firing spots, taken and free."""
    view = table.view
    there = [
        pieces.token(table, clan)
        for clan, one in enumerate(view.clans)
        for _ in range(one.firing.get(section.section, 0))
    ]
    return there + [pieces.empty_slot()] * (section.firing_spots - len(there))


def _firing(table: Table, section: SectionView, slots: list[Markup]) -> Iterator[Markup]:
    """A ledge with the Firing spots."""
    box = rect(4, 29, max(28, 8 + SLOT * len(slots)), 27, rx=4, fill=LEDGE, stroke="#a89d84")
    yield explain(table.words("firing_spots"), box)
    for number, shape in enumerate(slots):
        yield group(shape, at=(18 + SLOT * number, 42.5))


def _barricades(section: SectionView, x: float) -> Iterator[Markup]:
    """A sign for each Barricade that stands, and an outline for each that could."""
    for number in range(board.BARRICADES):
        name = "barricade" if number < section.barricades else "no_barricade"
        yield group(signs.icon(name), at=(x + 17 * number, 43))


def _resting(table: Table, section: SectionView, width: float, zone: float) -> Iterator[Markup]:
    """The Rest Zone: the soldiers of each clan there."""
    box = rect(0, 0, width, zone - 2, rx=4, fill="#efe6cd", stroke="#a08c5e")
    yield explain(table.words("rest_zone"), box)
    there = _soldiers(table, section)
    for number, row in enumerate(signs.rows(there, width - 6, 4)):
        yield from signs.place(row, 3, ZONE * number + ZONE / 2 + 1, 4)
    if not there:
        yield letters.small(10, 20, table.words("rest_zone"), fill=FAINT)


def _soldiers(table: Table, section: SectionView) -> list[Sign]:
    """The soldiers of each clan that rest in a Section."""
    view, words = table
    found = []
    for clan, one in enumerate(view.clans):
        counts = one.rest.get(section.section)
        if counts:
            said = words("resting", soldiers=sentences.troops(words, counts))
            found.append(_troop(table, clan, counts, said))
    return found


def _troop(table: Table, clan: int, counts: dict[board.Soldier, int], said: str) -> Sign:
    """The token of a clan, and a sign with a number for each type of soldier."""
    row = [Sign(20, group(pieces.token(table, clan), at=(10, 0)))]
    row += [signs.count(name, number, said) for name, number in counts.items() if number]
    width = signs.length(row, 2) + 3
    fill = pieces.COLOURS[table.view.clans[clan].colour][0]
    box = rect(0, -10, width, 20, rx=10, fill="#fffdf6", stroke=fill, stroke_width=1.6)
    return Sign(width, explain(said, box, *signs.place(row, 0, 0, 2)))


def _zone(table: Table, across: float) -> float:
    """The height of the Rest Zones, which is that of the fullest one."""
    width = _width(table.view, across)
    rows = (len(signs.rows(_soldiers(table, one), width - 6, 4)) for one in table.view.sections)
    return 4 + ZONE * max(REST_ROWS, *rows)
