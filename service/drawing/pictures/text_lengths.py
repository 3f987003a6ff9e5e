"""Lengths of texts in SVG pictures: in a wider font than ours, a reader's renderer narrows them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from service.drawing.charts.text_metrics import is_wide
from service.drawing.pictures.fonts import letter_widths

MIN_LETTERS = 2
"""A single letter has room in any font."""
MAX_CACHED_TEXTS = 4_096
"""More than the pictures of a few tables have: most texts of a picture are also in the next."""
_TAG = re.compile(r"<(?:/g>|g\b[^>]*>|text\b([^>]*)>([^<]*))")
_FONT = re.compile(r' font-(?:size="([0-9.]+)"|weight="(\w+)")')
_BOLD = ("700", "bold")
_NARROWER = ' lengthAdjust="spacingAndGlyphs"'
"""Bold letters of other fonts are up to a quarter wider, too much to take from the gaps between."""


class _Style(NamedTuple):
    size: float
    is_bold: bool


_USUAL = _Style(16.0, is_bold=False)


def hold_lengths(picture: str) -> str:
    """Return the picture with the length that each text of several letters has in our fonts. A text
    with letters that they lack, other than Chinese ones, keeps the length that its font gives it.
    """
    return "".join(_parts(picture))


def _parts(picture: str) -> Iterator[str]:
    """Yield the picture in parts, with the length of each text after its other attributes."""
    styles, done = [_USUAL], 0
    for found in _TAG.finditer(picture):
        kind = picture[found.start() + 1]
        if kind == "/":
            styles.pop()
        elif kind == "g":
            tag = found[0]
            if not tag.endswith("/>"):
                styles.append(_style_of(tag, styles[-1]) if " font-" in tag else styles[-1])
        elif ems := _ems(found[2], (style := _style_of(found[1], styles[-1])).is_bold):
            end = found.end(1)
            yield picture[done:end]
            yield f' textLength="{ems * style.size:.0f}"{_NARROWER if style.is_bold else ""}'
            done = end
    yield picture[done:]


@lru_cache(MAX_CACHED_TEXTS)
def _style_of(tag: str, around: _Style) -> _Style:
    """Return the style of an element with these attributes within another one."""
    size, is_bold = around
    for font_size, weight in _FONT.findall(tag):
        if font_size:
            size = float(font_size)
        else:
            is_bold = weight in _BOLD
    return _Style(size, is_bold)


@lru_cache(MAX_CACHED_TEXTS)
def _ems(escaped: str, is_bold: bool) -> float:
    """Return how long words are as a multiple of their size; 0 if it is unknown, or the same in
    other fonts.
    """
    words, widths = unescape(escaped), letter_widths(is_bold=is_bold)
    own = [widths[letter] for letter in words if letter in widths]
    wide = sum(map(is_wide, (letter for letter in words if letter not in widths)))
    if len(own) < MIN_LETTERS or len(own) + wide < len(words):
        return 0
    return sum(own) + wide
