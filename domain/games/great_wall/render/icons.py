"""Small signs of our own, each 16 by 16 around its middle: they differ in shape and in colour.

Emblems are larger and pale, below the words of Horde cards and Locations.
"""

from __future__ import annotations

from functools import lru_cache

from domain.engine.drawing.panel import INK
from domain.engine.drawing.svg import Markup, circle, group, path, polygon, rect

WOOD, STONE, GOLD, CHI = "#8A5A2B", "#8D9298", "#E3AB1E", "#1D8F8A"
HONOR, SHAME, STEEL = "#C22F25", "#7D1F1A", "#44607C"


def _solid(d: str, fill: str, stroke_width: float = 1) -> Markup:
    thick = {} if stroke_width == 1 else {"stroke_width": stroke_width}
    return path(d, fill=fill, stroke=INK, **thick)


def _lines(d: str, stroke: str = INK, stroke_width: float = 2) -> Markup:
    return path(d, fill="none", stroke=stroke, stroke_width=stroke_width, stroke_linecap="round")


_LOG = group(
    rect(-8, -4, 16, 8, rx=3, fill=WOOD, stroke=INK),
    circle(4.5, 0, 2.2, fill="#e2c08f"),
)
_BLOCK = _solid("M-7 6V-2L-3 -6H4L7 -2V6Z", STONE)
_COIN = group(
    circle(0, 0, 7, fill=GOLD, stroke=INK),
    rect(-2.2, -2.2, 4.4, 4.4, fill="#fffdf6", stroke=INK),
)
_FLAME = _solid("M0 -8C5 -3 7 0 5 4C3 8 -3 8 -5 4C-6 1 -4 0 -3 -2C-2 0 0 -2 0 -8Z", CHI)
_STAR = path(
    "M0-8l2 5h6L3 1 5 7 0 3-5 7-3 1-8-3h6Z",
    fill=HONOR,
    stroke=INK,
    stroke_width=0.8,
)
_CARD = group(
    rect(-5, -7, 10, 14, rx=2, fill="#3f57b5", stroke=INK),
    path("M-2 0H2M0 -3V3", stroke="#ffffff", stroke_width=1.6),
)
_ANY = group(
    polygon(((0, -8), (8, 0), (0, 8), (-8, 0)), fill="#ffffff", stroke=INK, stroke_width=1.4),
    circle(0, -3.4, 1.8, fill=INK),
    circle(3.4, 0, 1.8, fill=INK),
    circle(0, 3.4, 1.8, fill=INK),
    circle(-3.4, 0, 1.8, fill=INK),
)
_MATERIAL = group(
    rect(-6, -7.5, 12, 5, rx=2, fill=WOOD, stroke=INK, stroke_width=0.8),
    _solid("M-8 7V2L-6 0H-3L-1 2V7Z", STONE, 0.8),
    circle(4.4, 3.4, 3.8, fill=GOLD, stroke=INK, stroke_width=0.8),
)
_SPEAR = group(_lines("M-5 7L3 -3"), _solid("M7 -8L5 0L0 -4Z", "#f4f1ea"))
_BOW = group(
    _lines("M-4 -7C6 -6 6 6 -4 7"), _lines("M-4 -7V7M-7 0H6M6 0L3 -3M6 0L3 3", stroke_width=1.3)
)
_HORSE = _solid("M-5 8C-6 1 -4 -3 -1 -5L-1 -8L2 -6C6 -5 8 -1 7 2L4 3L1 1C1 4 4 5 5 8Z", "#f4f1ea")
_CLERK = group(
    circle(0, -4, 3.4, fill="#f4f1ea", stroke=INK, stroke_width=1.2),
    _solid("M-6 8C-6 1 -3 0 0 0C3 0 6 1 6 8Z", "#f4f1ea", 1.2),
)
_SWORDS = _lines("M-6 -6L5 5M6 -6L-5 5M-7 3L-3 7M7 3L3 7", stroke_width=1.9)
_SHIELD = _solid("M-6 -7H6V0C6 4 3 7 0 8C-3 7 -6 4 -6 0Z", "#a8c4e0", 1.3)
_SKULL = group(
    _solid("M-6 0C-7 -10 7 -10 6 0L4 3V7H-4V3Z", "#ffffff", 1.2),
    circle(-2.6, -1.5, 1.7, fill=INK),
    circle(2.6, -1.5, 1.7, fill=INK),
)
_MASK = group(_solid("M-7 -6H7L0 8Z", SHAME), _lines("M0 -3V1", "#ffffff", 1.8))
_BARRICADE = _lines("M-7 6L1 -6M-1 -6L7 6M-7 1H7", "#6b4a22", 2.2)
_NO_BARRICADE = _lines("M-7 6L1 -6M-1 -6L7 6M-7 1H7", "#b5ab97", 1)
_TOWER = _solid("M-6 7V-6H-3V-3H-1.4V-6H1.4V-3H3V-6H6V7Z", "#cfc7b6", 1.2)
_WOUND = _lines("M-5 -5L5 5M5 -5L-5 5", "#ffffff", 3)
_HORDE = group(
    rect(-5, -7, 10, 14, rx=1.5, fill="#f6eeda", stroke=INK, stroke_width=1.3),
    _lines("M-2.5 -2L2.5 3M2.5 -2L-2.5 3", stroke_width=1.5),
)
_HEART = _solid(
    "M0 7C-9 0 -7 -7 -3 -7C-1 -7 0 -5 0 -4C0 -5 1 -7 3 -7C7 -7 9 0 0 7Z", "#3f8f4a", 1.2
)
_COMMAND = group(
    rect(-5, -7, 10, 14, rx=1.5, fill="#fffdf6", stroke=INK, stroke_width=1.3),
    _lines("M-2.5 -3H2.5M-2.5 0H2.5M-2.5 3H1", stroke_width=1.2),
)

ICONS: dict[str, Markup] = {
    "wood": _LOG,
    "stone": _BLOCK,
    "gold": _COIN,
    "chi": _FLAME,
    "honor": _STAR,
    "tactics": _CARD,
    "any": _ANY,
    "any_wsg": _MATERIAL,
    "spearman": _SPEAR,
    "archer": _BOW,
    "horseman": _HORSE,
    "clerk": _CLERK,
    "power": _SWORDS,
    "defense": _SHIELD,
    "lethality": _SKULL,
    "life": _HEART,
    "shame": _MASK,
    "barricade": _BARRICADE,
    "no_barricade": _NO_BARRICADE,
    "wall": _TOWER,
    "wound": _WOUND,
    "horde": _HORDE,
    "command": _COMMAND,
}
"""By the name of what it stands for."""

_RIDER = "M-14 20Q-16 2-4-8L-6-18 2-13Q14-12 20 2L14 7 6 2Q2 8 10 20ZM6-5h.1"
_ARCHERY = "M-10-20Q16-14 16 0Q16 14-10 20M-10-20V20M-18 0H20M20 0L13-6M20 0L13 6"
_AXE = "M-12 20L8-14M2-20Q18-20 20-4Q10-3 4-8ZM-2-13L10-6"
_SACK = "M-8-12H8M-8-12Q-4-16-9-20H9Q4-16 8-12Q22 8 12 18H-12Q-22 8-8-12"
_DRUM = "M-18-4Q0-14 18-4Q0 6-18-4V12Q0 22 18 12V-4M14-22L2-6"
_BUCKLER = "M-15-18H15V2Q15 14 0 20Q-15 14-15 2ZM0-18V20M-15-3H15"
_BANNER = "M-12 21V-20M-12-19H16L9-9 16 1H-12"
_CATAPULT = "M-18 14H18M-12 14L0-4 12 14M-14 6L14-18M14-18q8 2 4 9M-14 19h.1M14 19h.1"
_HEAD = "M-14 0Q-16-20 0-20Q16-20 14 0L9 6V15H-9V6ZM-6-4h.1M6-4h.1M0 3v3M-3 10v5M3 10v5"
_SPEARS = "M-14 20L-5-12M0 20V-14M14 20L5-12M-8-11L-4-22-2-13M-3-14L0-23 3-14M2-13L4-22 8-11"

HORDE_EMBLEMS: dict[str, str] = {
    **dict.fromkeys(("scouts", "outriders", "riders", "heavy_cavalry", "vanguard"), _RIDER),
    **dict.fromkeys(("sharpshooters", "horse_archers"), _ARCHERY),
    **dict.fromkeys(("axemen", "ravagers"), _AXE),
    **dict.fromkeys(("raiders", "foragers", "looters"), _SACK),
    **dict.fromkeys(("iron_guard", "keshig"), _BUCKLER),
    **dict.fromkeys(("lancers", "pike_square"), _SPEARS),
    **dict.fromkeys(("standard_bearers", "leader", "tumen_host"), _BANNER),
    "shamans": _DRUM,
    "headhunters": _HEAD,
    "war_engineers": _CATAPULT,
}
"""By type of Horde cards, 48 wide: pale drawings that tell them apart at a glance."""
LOCATION_EMBLEMS = {
    "barracks": "M-14-16L12 12M14-16L-12 12M-16 8L-8 16M16 8L8 16",
    "tea_house": "M-14-4H10V2Q10 14-2 14Q-14 14-14 2ZM10-1Q18-2 18 3Q17 8 9 7"
    "M-8-9q-3-4 0-8M0-9q-3-4 0-8",
    "builders": "M-18 16H18V5H-18ZM-6 5V16M6 5V16M-12 5V-6H12V5M0-6V5M-6-6V-16H6V-6",
    "embassy": "M-12-16H10Q16-16 16-9H10V12Q10 16 6 16H-14Q-18 16-18 10H4M-8-10V10M-3-6H6M-3 0H6",
    "logistics": "M-18-9H10V5H-18ZM10-2L20-8M-9 5Q-15 5-15 11T-9 17 -3 11 -9 5"
    "M4 5Q-2 5-2 11T4 17 10 11 4 5",
    "academy": "M0-10Q-8-15-18-12V10Q-8 7 0 12Q8 7 18 10V-12Q8-15 0-10V12",
}
"""By Location, 40 wide; what others produce is on their slots."""
_PALE = "#e6d5ab"
_MAX_EMBLEMS = 128
"""More than there are."""


@lru_cache(_MAX_EMBLEMS)
def draw_emblem(line: str) -> Markup:
    """An emblem around its middle."""
    return path(line, fill="none", stroke=_PALE, stroke_width=3, stroke_linecap="round")
