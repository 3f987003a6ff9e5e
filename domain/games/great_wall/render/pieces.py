"""Shapes of the picture: clans, soldiers, Vital spots, and text that fits its space."""

from __future__ import annotations

from functools import lru_cache

from domain.engine.drawing.panel import INK, KEPT_INK
from domain.engine.drawing.relief import raised_disc, raised_rect
from domain.engine.drawing.svg import (
    Attribute,
    Markup,
    Point,
    circle,
    explain,
    group,
    path,
    rect,
)
from domain.games.great_wall import board
from domain.games.great_wall.render import letters, sentences
from domain.games.great_wall.render.icons import ICONS
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.view import SpotView

COLOURS: dict[str, tuple[str, str]] = {
    "dragon": ("#B3261E", "#FFFFFF"),
    "snake": ("#2F7D32", "#FFFFFF"),
    "monkey": ("#E0A100", KEPT_INK),
    "turtle": ("#1F5FA8", "#FFFFFF"),
    "panda": ("#3D3D3D", "#FFFFFF"),
    "reed": ("#A58A5B", KEPT_INK),
    "qin": ("#5B2A86", "#FFFFFF"),
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
MAX_CACHED = 1024
"""More pieces than the pictures of several tables have."""


def token(table: Table, clan: int) -> Markup:
    """A clerk or an Archer of a clan, its middle at the origin; those of Qin Jiushao are square."""
    return make_token(table.view.clans[clan].colour, sentences.sign(table, clan))


@lru_cache(MAX_CACHED)
def make_token(colour: str, sign: str) -> Markup:
    """A token of this colour with this sign."""
    fill, ink = COLOURS[colour]
    letter = letters.small(0, 4.8, sign, fill=ink, text_anchor="middle", font_weight=700)
    look: dict[str, Attribute] = {"fill": fill, "stroke": INK, "stroke_width": 1}
    if colour == "qin":
        return group(raised_rect(-8.5, -8.5, 17, 17, rx=2, depth=1.6, **look), letter)
    return group(raised_disc(0, 0, 9, depth=1.6, **look), letter)


@lru_cache(MAX_CACHED)
def empty_slot(yields: str | None = None) -> Markup:
    """A free slot or Firing spot, its middle at the origin, perhaps with what a clerk there
    yields.
    """
    ring = circle(0, 0, 9, fill="url(#slot)", stroke="#8d7f5e", stroke_width=1.2)
    return group(ring, group(ICONS[yields], scale=0.65, opacity=0.6)) if yields else ring


def banner(width: float, high: float, fill: str) -> Markup:
    """The ground of the name at the top of a card."""
    return path(f"M1.5 {high:g}V7q0-5.5 5.5-5.5H{width - 7:.1f}q5.5 0 5.5 5.5V{high:g}Z", fill=fill)


def vital_spot(table: Table, spot: SpotView, size: Point) -> Markup:
    """A Vital spot from its top left: free with its reward, wounded, or covered."""
    view, words = table
    if spot.wounded:
        return _spot(words("spot_wound"), size, WOUND, INK, "", "wound")
    if spot.clan is not None:
        fill, ink = COLOURS[view.clans[spot.clan].colour]
        sign, soldier = sentences.sign(table, spot.clan), spot.soldier or "spearman"
        return _spot(words(f"spot_{soldier}", clan=sign), size, fill, ink, sign, soldier)
    for name, number in spot.reward.items():
        said = words(f"spot_{name}", count=number)
        return _spot(said, size, GROUND[name], INK, str(number), name)
    return _spot(words("spot_free"), size, "#ffffff", INK, "", "")


@lru_cache(MAX_CACHED)
def _spot(said: str, size: Point, fill: str, ink: str, written: str, icon: str) -> Markup:
    """A Vital spot: its words, its background, a digit or letter, and an icon."""
    (width, height), parts = size, []
    if written:
        parts.append(
            letters.small(-9.5, 4.8, written, fill=ink, text_anchor="middle", font_weight=700)
        )
        if icon in board.SOLDIERS:
            parts.append(circle(7, 0, 9.5, fill="#fffdf6"))
    if icon:
        parts.append(group(ICONS[icon], at=(7, 0) if written else (0, 0)))
    box = rect(0.3, 0.3, width - 0.6, height - 0.6, rx=4, fill=fill, stroke=INK)
    shown = [group(*parts, at=(width / 2, height / 2))] if parts else []
    return explain(said, box, *shown)
