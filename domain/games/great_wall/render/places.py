"""The Locations with clerks, Overseers, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.relief import raised_rect
from domain.engine.drawing.svg import Attribute, Markup, explain, group, mark, path, rect
from domain.games.great_wall import board, touch
from domain.games.great_wall.render import facts, icons, letters, pieces, sentences, signs
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.render.signs import Sign
from domain.games.great_wall.sayings import bill
from domain.games.great_wall.view import LocationView

GAP = 6
PRODUCTION = 116
WIDTHS = {**dict.fromkeys(board.PRODUCTION, PRODUCTION), "tea_house": 95, "builders": 156}
"""The widths of some Locations; the others share the rest of their row."""
HEIGHTS = 68, 63
"""Of the first row, which has Overseers and recruits, and of the second one."""
TOP, MIDDLE, BOTTOM = 13, 34, 56
"""The middles of the lines of a Location."""
HEIGHT = sum(HEIGHTS) + GAP
LACQUER = "#8C2B1C"
GAINS = {
    "tea_house": "gain_tea",
    "builders": "gain_building",
    "embassy": "gain_hiring",
    "logistics": "gain_move",
    "academy": "gain_tactic",
}
"""By Location, the key of the text that says what clerks there bring."""
TIGHT, LOOSE = 0.5, 6
"""The gap between two clerks in pixels: for slots; and at most, if a number follows the token."""


def parts(table: Table, across: float) -> Iterator[Markup]:
    """The Locations in two rows: production and Barracks, then the others."""
    locations, split = table.view.locations, len(board.PRODUCTION) + 1
    y = 0.0
    for row, high in zip((locations[:split], locations[split:]), HEIGHTS, strict=True):
        x = 0.0
        for place, width in zip(row, _widths(row, across), strict=True):
            name = touch.LOCATION.of(place.location)
            yield group(mark(name, *_location(table, place, width, high)), at=(x, y))
            x += width + GAP
        y += high + GAP


def _widths(row: tuple[LocationView, ...], across: float) -> list[float]:
    """The widths of the Locations of a row."""
    known = [WIDTHS.get(place.location, 0) for place in row]
    rest = (across - GAP * (len(row) - 1) - sum(known)) / known.count(0)
    return [width or rest for width in known]


def _location(table: Table, place: LocationView, width: float, high: float) -> Iterator[Markup]:
    """A Location: its slots with clerks, its Shame icon, the Overseers there, its prices."""
    words = table.words
    yield raised_rect(0, 0, width, high, rx=5, fill="#f6efdc", stroke="#7d6a45")
    yield path(_roof(width), fill=LACQUER, stroke=INK, stroke_width=0.8)
    if emblem := icons.LOCATION_EMBLEMS.get(place.location):
        yield group(icons.draw_emblem(emblem), at=(width - 26, high / 2 + 6))
    name = words(f"location_{place.location}")
    yield letters.small(5, TOP + 4, name, font_weight=700)
    clerks = _clerks(table, place)
    gap = min(signs.even_gap(clerks, width - 8), LOOSE) if place.slots is None else TIGHT
    yield from signs.place(clerks, 4, MIDDLE, max(gap, TIGHT))
    if place.shame_icon:
        shame = signs.icon("shame", 0, 0.85)
        yield group(explain(words("shame_icon"), shame), at=(width - 9, MIDDLE))
    yield from signs.place(_overseers(table, place), 5, BOTTOM, 1)
    if next_level := _next_level(table, place):
        yield group(next_level.drawn, at=(width - next_level.width - 3, TOP))
    yield from _place_recruits(_recruits(table, place), width)
    if place.location in GAINS:
        yield letters.small(5, BOTTOM + 1, words(GAINS[place.location]), fill=FAINT)


def _roof(width: float) -> str:
    """The eaves of a Location, which bend upwards at their ends."""
    return f"M-2-1Q3 0 6-3H{width - 6:.1f}q3 3 8 2L{width - 1:.1f} 3.5H1Z"


def _clerks(table: Table, place: LocationView) -> list[Sign]:
    """Each clerk and each free slot; without a limit, a token and a number for each clan."""
    there = list(enumerate(place.clerks))
    if place.slots is None:
        return [_clerks_of(table, clan, number) for clan, number in there if number]
    tokens = [pieces.token(table, clan) for clan, number in there for _ in range(number)]
    free = pieces.empty_slot(board.PRODUCTION.get(place.location))
    tokens += [free] * (place.slots - len(tokens))
    return [Sign(18, group(one, at=(9, 0))) for one in tokens]


def _clerks_of(table: Table, clan: int, number: int) -> Sign:
    """The token of a clan, and how many clerks it has there."""
    said = table.words("clerks", count=number)
    token = group(pieces.token(table, clan), at=(9, 0))
    if number == 1:
        return Sign(20, explain(said, token))
    digits = letters.small(18.5, 5, str(number), font_weight=700)
    return Sign(18.5 + signs.DIGIT * len(str(number)), explain(said, token, digits))


def _overseers(table: Table, place: LocationView) -> list[Sign]:
    """The Overseers of all clans there, each with its level."""
    return [
        _overseer(table, clan, one.overseers[place.location].level)
        for clan, one in enumerate(table.view.clans)
        if place.location in one.overseers
    ]


def _overseer(table: Table, clan: int, level: int) -> Sign:
    """An Overseer: the sign of its clan, and its level in a white field."""
    view, words = table
    fill, ink = pieces.COLOURS[view.clans[clan].colour]
    sign = sentences.sign(table, clan)
    room = max(10.0, letters.length(sign, bold=True) + 2)
    bold: dict[str, Attribute] = {"text_anchor": "middle", "font_weight": 700}
    return Sign(
        room + 11,
        explain(
            words("overseer_level", level=level),
            rect(0.5, -9, room + 10, 18, rx=3, fill=fill, stroke=INK),
            rect(room + 0.5, -8, 9, 16, rx=2, fill="#ffffff"),
            letters.small(room / 2 + 0.5, 5, sign, fill=ink, **bold),
            letters.small(room + 5, 5, str(level), **bold),
        ),
    )


def _next_level(table: Table, place: LocationView) -> Sign | None:
    """What the viewer pays for the next level of their Overseer there."""
    costs = facts.own_costs(table.view)
    if costs is None or place.location not in costs.overseers:
        return None
    cost = costs.overseers[place.location]
    return signs.price(table.words("next_overseer", cost=bill(None, cost)), cost)


def _place_recruits(recruits: list[Sign], width: float) -> Iterator[Markup]:
    """The prices of recruits below the clerks; if they are too wide, the first one above."""
    if signs.length(recruits, 2) > width - 6:
        first, *recruits = recruits
        yield group(first.drawn, at=(width - first.width - 3, TOP))
    yield from signs.place(recruits, 3, BOTTOM, 2)


def _recruits(table: Table, place: LocationView) -> list[Sign]:
    """What the viewer pays for each type of soldier in the Barracks."""
    words, costs = table.words, facts.own_costs(table.view)
    if costs is None or place.location != "barracks":
        return []
    return [
        signs.price(signs.name_cost(words, f"soldier_{one}", cost), cost, one)
        for one, cost in costs.recruits.items()
    ]
