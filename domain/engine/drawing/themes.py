"""Themes of pictures: each replaces the colours of a drawn picture, and draws nothing itself.

Games draw with the colours of the standard theme. In the dark, a colour is as far from black as it
was from white, so all contrasts stay; a game can say better colours for its surfaces. A colour in
capitals, such as `#F6D23C`, stays the same in the dark: that of a piece which its name tells, such
as *yellow*, and of what is drawn on it. High contrast and print keep the order from dark to light.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from math import exp, log
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

Theme = Literal["standard", "dark", "contrast", "print"]
THEMES: tuple[Theme, ...] = get_args(Theme)
Palette = Mapping[str, str]
"""Colours of the standard theme, each with the one that replaces it in the dark."""


class Palettes(NamedTuple):
    """The colours of a game that differ from the usual."""

    dark: Palette = MappingProxyType({})
    sharp: Palette = MappingProxyType({})
    """In high contrast and in print: instead of a colour near the middle, such as that of the lines
    between spaces, the one from which these themes start.
    """


NO_PALETTES = Palettes()
Linear = tuple[float, float, float]
"""Red, green and blue as amounts of light from 0 to 1."""

NIGHT: Palette = MappingProxyType(
    {
        "#fff7": "#fff3",  # the light on edges
        "#ffffff": "#2d2922",  # who decides
        "#fff1bf": "#352c0a",  # who has won
        "#f3ecd9": "#24211b",
        "#d8ccae": "#4d4536",
    }
)
"""The colours in the dark of what the pictures of all games share."""
SHARP: Palette = MappingProxyType(
    {
        "#6f6657": "#453e33",  # faint letters
        "#d8ccae": "#857a63",  # the edge of a seat's card
    }
)
"""The same in high contrast and in print: colours near the middle, from which others keep away."""
COLOUR = re.compile(r'(?<= )(fill|stroke|stop-color)="(#[0-9a-fA-F]{3,8})"')
"""A colour in a drawn picture; nothing that people write has this form outside of a text."""
MAX_CACHED_COLOURS = 2_048
"""More than four themes of all games have."""

_BLACK = 0.05
"""What WCAG adds to the light of a colour before it compares two of them."""
_NIGHT = 0.065
"""The product of both sides of a colour and its opposite: white becomes a dark grey, not black."""
_MIDDLE = (_BLACK * (1 + _BLACK)) ** 0.5
_STRETCH = 1.35
_LUMA = (0.2126, 0.7152, 0.0722)


def recolour(picture: str, theme: Theme, own: Palettes = NO_PALETTES) -> str:
    """The picture in a theme; `own` are the colours of its game."""
    if theme == "standard":
        return picture
    known: dict[str, str] = {}  # as many as colours: a picture has some thousand places of them

    def replace(found: re.Match[str]) -> str:
        name, colour = found.groups()
        if colour not in known:
            known[colour] = colour_in(theme, colour, own)
        return f'{name}="{known[colour]}"'

    return COLOUR.sub(replace, picture)


def colour_in(theme: Theme, colour: str, own: Palettes = NO_PALETTES) -> str:
    """A colour of the standard theme in another one."""
    if theme == "standard":
        return colour
    if theme == "dark":
        return own.dark.get(colour) or NIGHT.get(colour) or _change(theme, colour)
    return _change(theme, own.sharp.get(colour) or SHARP.get(colour, colour))


def sharp_at_night(colour: str, own: Palettes = NO_PALETTES) -> str:
    """A colour of the standard theme in high contrast on a dark page."""
    if colour in own.sharp:
        return _change("contrast", _change("dark", own.sharp[colour]))
    return colour_in("contrast", colour_in("dark", colour, own))


@lru_cache(MAX_CACHED_COLOURS)
def _change(theme: Theme, colour: str) -> str:
    if len(colour) not in (4, 7):
        return colour  # shadows and lights are translucent: they fit any ground
    is_kept = colour != colour.lower()
    if theme == "dark":
        return colour if is_kept else _write(_darken(_read(colour)))
    sharp = _sharpen(_read(colour), is_kept)
    return _write(sharp if theme == "contrast" else _grey(sharp))


def luminance(colour: str) -> float:
    """The relative luminance of an opaque colour, from 0 to 1, as WCAG defines it."""
    return _light(_read(colour))


def contrast(one: str, other: str) -> float:
    """The contrast of two opaque colours, from 1 to 21, as WCAG defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + _BLACK) / (low + _BLACK)


def _darken(colour: Linear) -> Linear:
    return _with_light(colour, _NIGHT / (_light(colour) + _BLACK) - _BLACK)


def _sharpen(colour: Linear, is_kept: bool) -> Linear:
    """Further from the middle between black and white; light pieces would only lose their hue."""
    apart = log((_light(colour) + _BLACK) / _MIDDLE)
    if is_kept and apart > 0:
        return colour
    return _with_light(colour, _MIDDLE * exp(_STRETCH * apart) - _BLACK)


def _grey(colour: Linear) -> Linear:
    """Without colour: light grounds are white by now, and take no ink."""
    light = _light(colour)
    return (light, light, light)


def _light(colour: Linear) -> float:
    return sum(part * weight for part, weight in zip(colour, _LUMA, strict=True))


def _with_light(colour: Linear, wanted: float) -> Linear:
    """The same hue with this luminance: with less of all light, or with white in it."""
    wanted, light = min(max(wanted, 0.0), 1.0), _light(colour)
    if wanted <= light:
        red, green, blue = (part * wanted / light if light else 0.0 for part in colour)
    else:
        white = (wanted - light) / (1 - light)
        red, green, blue = (part + (1 - part) * white for part in colour)
    return red, green, blue


def _read(colour: str) -> Linear:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return red, green, blue


def _write(colour: Linear) -> str:
    parts = (
        part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in colour
    )
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)
