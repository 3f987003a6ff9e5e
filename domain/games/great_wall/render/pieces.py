"""Shapes of the picture: clans, soldiers, Vital spots, and text that fits its space."""

from __future__ import annotations

from domain.engine.drawing.panel import INK
from domain.engine.drawing.svg import Attribute, Markup, circle, explain, group, rect, text
from domain.games.great_wall.render import sentences
from domain.games.great_wall.render.icons import ICONS
from domain.games.great_wall.render.letters import SMALL
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.view import SpotView, View

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
WOUND = "#7d1f1a"


def token(view: View, clan: int) -> Markup:
    """A clerk or an Archer of a clan, its middle at the origin; those of Qin Jiushao are square."""
    fill, ink = COLOURS[view.clans[clan].colour]
    letter = text(
        0, 4.8, sentences.sign(view, clan), SMALL, fill=ink, text_anchor="middle", font_weight=700
    )
    look: dict[str, Attribute] = {"fill": fill, "stroke": INK, "stroke_width": 1}
    square = view.clans[clan].colour == "qin"
    shape = rect(-8.5, -8.5, 17, 17, rx=2, **look) if square else circle(0, 0, 9, **look)
    return group(shape, letter)


def empty_slot() -> Markup:
    """A free slot or Firing spot, its middle at the origin."""
    return circle(0, 0, 9, fill="#ffffff", stroke="#a89d84", stroke_width=1.5)


def vital_spot(table: Table, spot: SpotView, width: float, height: float) -> Markup:
    """A Vital spot from its top left: free with its reward, wounded, or covered."""
    fill, said, inside = _spot(table, spot)
    box = rect(1, 1, width - 2, height - 2, rx=4, fill=fill, stroke=INK, stroke_width=1)
    return explain(said, box, group(*inside, at=(width / 2, height / 2)))


def _spot(table: Table, spot: SpotView) -> tuple[str, str, list[Markup]]:
    """The background of a Vital spot, its words, and what is drawn around its middle."""
    view, words = table
    if spot.wounded:
        return WOUND, words("spot_wound"), [ICONS["wound"]]
    if spot.clan is not None:
        fill, ink = COLOURS[view.clans[spot.clan].colour]
        sign = sentences.sign(view, spot.clan)
        soldier = group(ICONS[spot.soldier or "spearman"], at=(7, 0), scale=0.95)
        drawn = [_beside(sign, ink), circle(7, 0, 9.5, fill="#fffdf6"), soldier]
        return fill, words(f"spot_{spot.soldier}", clan=sign), drawn
    for name, number in spot.reward.items():
        drawn = [_beside(str(number), INK), group(ICONS[name], at=(7, 0), scale=0.95)]
        return GROUND[name], words(f"spot_{name}", count=number), drawn
    return "#ffffff", words("spot_free"), []


def _beside(written: str, ink: str) -> Markup:
    """A digit left of the middle of a Vital spot."""
    return text(-9.5, 4.8, written, SMALL, fill=ink, text_anchor="middle", font_weight=700)


def no_spot(width: float, height: float) -> Markup:
    """A cell of the grid without a Vital spot."""
    return circle(width / 2, height / 2, 2, fill="#d8ccae")
