"""Shapes of the picture: clans, soldiers, Vital spots, and text that fits its space."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Attribute, Markup, circle, group, rect, text
from domain.engine.drawing.terminal_width import wrap
from domain.games.great_wall.render import sentences
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.view import SpotView, View

SMALL = 11.5
"""The size of small words. They are legible at a width of 1200 pixels, or half of that."""
LETTER = 0.54
"""The average width of a letter relative to its size, as capitals are rare. A Chinese character is
twice as wide.
"""
LINE = 15
COLOURS: dict[str, tuple[str, str]] = {
    "dragon": ("#b3261e", "#ffffff"),
    "snake": ("#2f7d32", "#ffffff"),
    "monkey": ("#e0a100", "#2b2620"),
    "turtle": ("#1f5fa8", "#ffffff"),
    "panda": ("#3d3d3d", "#ffffff"),
    "reed": ("#a58a5b", "#2b2620"),
    "qin": ("#5b2a86", "#ffffff"),
}
"""By clan, its colour and the colour of text on it."""
GROUND: dict[str, str] = {
    "wood": "#e2cba8",
    "stone": "#d5d5d2",
    "gold": "#f5dc8a",
    "chi": "#bfe3df",
    "any": "#f0e6f6",
    "honor": "#f3c3bd",
    "tactics": "#cfd6f3",
}
"""The background of a Vital spot, by its reward."""
SPOT = (54, 30)
"""The width and the height of a Vital spot."""
WOUND = "#7d1f1a"


def token(view: View, clan: int) -> Markup:
    """A clerk or an Archer of a clan, its middle at the origin; those of Qin Jiushao are square."""
    fill, ink = COLOURS[view.clans[clan].colour]
    letter = text(
        0, 4, sentences.sign(view, clan), SMALL, fill=ink, text_anchor="middle", font_weight=700
    )
    look: dict[str, Attribute] = {"fill": fill, "stroke": INK, "stroke_width": 1}
    square = view.clans[clan].colour == "qin"
    shape = rect(-8.5, -8.5, 17, 17, rx=2, **look) if square else circle(0, 0, 9, **look)
    return group(shape, letter)


def empty_slot() -> Markup:
    """A free slot or Firing spot, its middle at the origin."""
    return circle(0, 0, 9, fill="#ffffff", stroke="#a89d84", stroke_width=1.5)


def tokens(view: View, counts: Iterable[tuple[int, int]]) -> Iterator[Markup]:
    """The number of pieces given for each of these clans."""
    return (token(view, clan) for clan, number in counts for _ in range(number))


def vital_spot(table: Table, spot: SpotView) -> Markup:
    """A Vital spot from its top left: free with its reward, wounded, or covered."""
    width, height = SPOT
    fill, ink, said = _spot(table, spot)
    box = rect(1, 1, width - 2, height - 2, rx=4, fill=fill, stroke=INK, stroke_width=1)
    middle = text(
        width / 2, height / 2 + 4, said, SMALL, fill=ink, text_anchor="middle", font_weight=700
    )
    return group(box, middle)


def _spot(table: Table, spot: SpotView) -> tuple[str, str, str]:
    """The background of a Vital spot, its text, and the colour of its text."""
    view, words = table
    if spot.wounded:
        return WOUND, "#ffffff", words("spot_wound")
    if spot.clan is not None:
        fill, ink = COLOURS[view.clans[spot.clan].colour]
        return fill, ink, words(f"spot_{spot.soldier}", clan=sentences.sign(view, spot.clan))
    for name, number in spot.reward.items():
        return GROUND[name], INK, words(f"spot_{name}", count=number)
    return "#ffffff", INK, ""


def no_spot() -> Markup:
    """A cell of the grid without a Vital spot."""
    width, height = SPOT
    return rect(width / 2 - 2, height / 2 - 2, 4, 4, rx=2, fill="#d8ccae")


def wrap_text(words: str, width: float, size: float = SMALL) -> list[str]:
    """The words, broken into lines of at most this width."""
    return wrap(words, max(8, int(width / (LETTER * size))))


def lines(
    x: float, y: float, words: Iterable[str], size: float = SMALL, fill: str = FAINT
) -> Iterator[Markup]:
    """Lines of text, one below the other. The first baseline is at y."""
    for number, line in enumerate(words):
        yield text(x, y + LINE * number, line, size, fill=fill)
