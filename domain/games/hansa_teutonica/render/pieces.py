"""The pieces of Hansa Teutonica as shapes: traders, merchants, offices, markers."""

from __future__ import annotations

from functools import lru_cache

from domain.engine.drawing.panel import INK, KEPT_FAINT, KEPT_INK, PAPER
from domain.engine.drawing.relief import SHADOW, join, raised_disc, raised_path, raised_rect
from domain.engine.drawing.svg import (
    Attribute,
    Markup,
    circle,
    explain,
    group,
    mark_last,
    path,
    polygon,
    rect,
    text,
)
from domain.engine.drawing.terminal_width import column_width
from domain.engine.sentences import Sentence, Words, seat_number, sentence
from domain.games.hansa_teutonica.board import PLAYER_COLOURS

Box = tuple[float, float, float, float]
"""The left, top, right and bottom edge of something."""

ROAD = "#b79f72"
ROADS = {
    "England": (ROAD, "#d8c79b"),
    "Wales": ("#5f8f4e", "#b4d3a2"),
    "Scotland": ("#4f74a8", "#afc6e4"),
}
"""By country, the edge and the background of its routes."""
DASHES = {"Wales": "9 7", "Scotland": "2 6"}
"""The dashes of these routes, which distinguish them without colours."""
GOLD = "#f4c542"
GREEN = "#9cc48a"
PLATE = "#f9f3e0"
FADED = "#544b3a"
"""The colour of words on the land that matter little."""

PLAYERS: dict[str, str] = dict(
    zip(PLAYER_COLOURS, ("#D0392B", "#F6D23C", "#2F6FC1", "#29834F", "#8A4AA6"), strict=True)
)
SIGNS: dict[str, str] = dict(
    zip(PLAYER_COLOURS, ("#FFFFFF", KEPT_INK, "#FFFFFF", "#FFFFFF", "#FFFFFF"), strict=True)
)
"""The number of the seat on a piece of each colour."""
OFFICES = {"white": "#FFFDF6", "orange": "#F09A3E", "purple": "#B58AC6", "black": "#4A463F"}
LETTERS = {"white": KEPT_FAINT, "orange": KEPT_INK, "purple": KEPT_INK, "black": "#FFFFFF"}

BOLD: dict[str, Attribute] = {"fill": INK, "font_weight": 700, "text_anchor": "middle"}
RED = "#B3261E"
LEAF = "M0 10V2M0 3C-9 3-9-7 0-11C9-7 9 3 0 3Z"

MAX_CACHED = 256
"""More pieces of a shape than several tables have."""
OFFICE = 24
PIECE = 19
SLOT = 17
FINGER = 12.2
"""The radius of the circle around a small thing that players touch."""
RING = 12.5
"""Half the side of the ring around the post of the last deed."""


@lru_cache(MAX_CACHED)
def trader(colour: str, sign: str, side: float = PIECE) -> Markup:
    """A cube with the number of its seat, its middle at the origin."""
    half = side / 2
    body = raised_rect(-half, -half, side, side, rx=2.5, depth=side / 10, **_body(colour))
    return group(body, _sign(colour, sign, side))


@lru_cache(MAX_CACHED)
def merchant(colour: str, sign: str, side: float = PIECE) -> Markup:
    """A disc with the number of its seat."""
    body = raised_disc(0, 0, side / 2 + 0.8, depth=side / 10, **_body(colour))
    return group(body, _sign(colour, sign, side))


def piece(colours: tuple[str, ...], sign: str, side: float = PIECE) -> Markup:
    """A piece by its sign in a view, such as `1m`."""
    shape, seat = trader if sign[1] == "t" else merchant, int(sign[0])
    return shape(colours[seat], str(seat_number(seat)), side)


def slot() -> Markup:
    """A free post."""
    return circle(0, 0, SLOT / 2, fill="url(#slot)", stroke="#7d6a45")


def merchant_slot(words: Words) -> Markup:
    """A free post for a merchant."""
    ring = circle(0, 0, SLOT / 2 + 1, fill="#f6efda", stroke=INK, stroke_width=1.8)
    return group(ring, _letter(words("letter_merchant"), 12.5))


def bonus(words: Words, kind: str) -> Markup:
    """A permanent bonus, printed beside its route."""
    width = tag_width(words, kind)
    return explain(
        words.line(sentence(f"bonus_{kind}")),
        raised_rect(-width / 2, -10, width, 20, depth=1.4, fill="#cfe3ee", stroke=INK),
        text(0, 4.5, words(f"short_{kind}"), 12, **BOLD),
    )


def tag_width(words: Words, kind: str) -> float:
    """How wide a marker or a permanent bonus is."""
    return 6.6 * column_width(words(f"short_{kind}")) + 6


def tavern(words: Words) -> Markup:
    """The sign of a route that had a marker at the start."""
    return explain(
        name_effect(words, "tavern", "legend_tavern"),
        circle(0, 0, 9.5, fill="none", stroke=FADED, stroke_width=1.2),
        text(0, 4.5, words("letter_tavern"), 12, fill=FADED, text_anchor="middle"),
    )


def road(country: str) -> Markup:
    """A piece of a route of this country."""
    return along("M-16 0H16", country)


def along(line: str, country: str) -> Markup:
    """A route of a country along a line."""
    edge, ground = ROADS[country]
    style: dict[str, Attribute] = {"fill": "none", "stroke_linejoin": "round"}
    lines = [
        path(line, stroke=edge, stroke_width=9, **style),
        path(line, stroke=ground, stroke_width=6, **style),
    ]
    if dashes := DASHES.get(country):
        lines.append(path(line, stroke=edge, stroke_width=3, stroke_dasharray=dashes, **style))
    return group(*lines)


def leaf() -> Markup:
    """The sign of a green city."""
    return path(LEAF, fill=INK, fill_opacity=0.75)


def city(box: Box, *, red: bool = False, green: bool = False, country: str = "") -> Markup:
    """The plate of a city between its edges; in a country with the edge of its routes."""
    style: dict[str, Attribute] = {"stroke": INK, "stroke_width": 1.2}
    if country:
        style = {"stroke": ROADS[country][0], "stroke_width": 2.4}
    if dashes := DASHES.get(country):
        style["stroke_dasharray"] = dashes
    if red:
        style = {"stroke": RED, "stroke_width": 2.4}
    left, top, right, bottom = box
    fill = GREEN if green else PLATE
    width, height = right - left, bottom - top
    return join(  # light on its edge would hardly be seen
        rect(left + 1, top + 2, width, height, rx=4, **SHADOW),
        rect(left, top, width, height, rx=4, fill=fill, **style),
    )


def strip(left: float, top: float, width: float, colour: str) -> Markup:
    """The background of a row of a plate."""
    return rect(left, top, width, 14, rx=3, fill=colour)


def office(words: Words, shape: str, privilege: str, coin: int) -> Markup:
    """A free office: its shape, its colour with the first letter, perhaps a coin."""
    style: dict[str, Attribute] = {"fill": OFFICES[privilege], "stroke": INK}
    half = OFFICE / 2
    if shape == "trader":
        body = rect(-half, -half, 2 * half, 2 * half, rx=3, **style)
    else:
        body = circle(0, 0, half, **style)
    x, y, size = (-4, 9.5, 12) if coin else (0, 5, 14)
    style = {"fill": LETTERS[privilege], "text_anchor": "middle"}
    letter = text(x, y, words(f"letter_{privilege}"), size, **style)
    return group(body, letter, *([group(_coin(coin), at=(5.5, -6))] if coin else []))


def ground() -> Markup:
    """The edge of an office below a piece. The rest is irrelevant once the office is open."""
    return rect(-12, -12, 24, 24, rx=3, fill=OFFICES["white"], stroke=INK)


def name_effect(words: Words, kind: str, name: str) -> str:
    """What a thing is called, and what it does."""
    parts = {"name": Sentence(name), "does": Sentence(f"effect_{kind}")}
    return words.line(sentence("does", **parts))


def marker(words: Words, kind: str) -> Markup:
    """A bonus marker, with its name and what it does."""
    width = tag_width(words, kind)
    return explain(
        name_effect(words, kind, f"marker_{kind}"),
        raised_rect(-width / 2, -10, width, 20, rx=5, fill=GOLD, stroke="#7a5a00"),
        text(0, 4.5, words(f"short_{kind}"), 12, **BOLD),
    )


def pawn() -> Markup:
    """The pawn of two players, its foot at the origin."""
    return group(
        raised_path("M-11 14Q-9 6-4 2Q-2 0-3-4H3Q2 0 4 2Q9 6 11 14Z", "M-8 12Q-7 7-2 3", fill=INK),
        circle(0, -8, 6.5, fill=INK, stroke=PAPER, stroke_width=1.5),
    )


def soldier() -> Markup:
    """A shield on the border between two provinces."""
    shield, light = "M-8-9H8V0Q8 7 0 11Q-8 7-8 0Z", "M-6.6 1V-7.6H6"
    return raised_path(shield, light, fill="#a9b2b8", stroke=INK, stroke_width=1.4)


def reach(across: float, down: float = 0) -> Markup:
    """An invisible area around a small thing, its middle at the origin, for fingers."""
    down = down or across
    return rect(-across / 2, -down / 2, across, down, fill="none", pointer_events="all")


def button(left: float, top: float, width: float, height: float) -> Markup:
    """The background of what players touch in a panel."""
    style: dict[str, Attribute] = {"fill": "#fffdf6", "stroke": "#d8ccae", "stroke_width": 1}
    return rect(left, top, width, height, rx=6, pointer_events="all", **style)


def reach_around() -> Markup:
    """An invisible circle around a post: those of two posts never meet."""
    return circle(0, 0, FINGER, fill="none", pointer_events="all")


def last_ring(width: float = 2 * RING, height: float = 2 * RING) -> Markup:
    """A dashed ring with its middle at the origin, used only for the last deed."""
    style: dict[str, Attribute] = {"rx": 6, "fill": "none", "pointer_events": "none"}
    left, top = -width / 2, -height / 2
    dashes: dict[str, Attribute] = {"stroke": "#ffffff", "stroke_dasharray": "5 4", **style}
    return mark_last(
        rect(left, top, width, height, stroke=INK, stroke_width=4, **style),
        rect(left, top, width, height, stroke_width=2, **dashes),
    )


def flag(colour: str, sign: str) -> Markup:
    """The flag of the controller of a city, from its top left corner."""
    return group(
        path("M0 0V14", stroke=INK, stroke_width=1.6),
        polygon(((0, 0), (16, 0), (13, 6), (16, 12), (0, 12)), **_body(colour)),
        text(6.5, 10.4, sign, 12, fill=SIGNS[colour], font_weight=700, text_anchor="middle"),
    )


def _coin(points: int) -> Markup:
    return group(
        circle(0, 0, 6.5, fill=GOLD, stroke="#7a5a00", stroke_width=1),
        _letter(str(points), 12),
    )


def _letter(sign: str, size: float) -> Markup:
    return text(0, 4.5, sign, size, **BOLD)


def _body(colour: str) -> dict[str, Attribute]:
    return {"fill": PLAYERS[colour], "stroke": INK}


def _sign(colour: str, sign: str, side: float) -> Markup:
    return text(
        0,
        side * 0.26,
        sign,
        side * 0.75,
        fill=SIGNS[colour],
        font_weight=700,
        text_anchor="middle",
    )
