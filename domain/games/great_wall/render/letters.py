"""How much room words take, so that they fit where they are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from domain.engine.drawing.layout import Panel
from domain.engine.drawing.panel import INK
from domain.engine.drawing.svg import Attribute, Markup, group, text
from domain.engine.drawing.terminal_width import wrap

SMALL = 13.5
"""The size of small words: they are legible on the page, and at half of that in a chat."""
LINE = 16
"""From one line of small words to the next."""
BOLD = 1.03
"""How much wider bold letters are."""
WIDE, OTHER = 1.0, 0.66
"""The width of a Chinese character, and of letters that are not listed, relative to their size."""
MAX_CACHED_TEXTS = 4096
"""More than the pictures of a table have: most texts of a picture are also in the next."""
_GROUPS = (
    (0.27, " !.,:;'I[]ijl|\u2018\u2019\u00b7"),
    (0.36, '"-`()frt{}/\\^\u201c\u201d'),
    (0.52, "*?_y<>cksvxz"),
    (0.58, "$+0123456789=EFJLabdeghnopqu\u2212"),
    (0.66, "#&BRSTYZACDKPUVX"),
    (0.72, "GHNOQ~"),
    (0.78, "%w"),
    (0.9, "M@Wm"),
)
_WIDTHS = {letter: width for width, letters in _GROUPS for letter in letters}
_FIRST_WIDE = "\u2e80"
_SLENDER = 0.4
"""The width of a letter in a line of slender ones."""


@lru_cache(MAX_CACHED_TEXTS)
def length(words: str, size: float = SMALL, *, bold: bool = False) -> float:
    """The width of words, or a little more."""
    widths = (_WIDTHS.get(one, WIDE if one >= _FIRST_WIDE else OTHER) for one in words)
    return sum(widths) * size * (BOLD if bold else 1)


@lru_cache(MAX_CACHED_TEXTS)
def wrap_text(
    words: str, width: float, size: float = SMALL, *, bold: bool = False
) -> tuple[str, ...]:
    """The words, broken into lines of at most this width."""
    columns = max(8, int(width / (_SLENDER * size)))
    while True:
        lines = tuple(wrap(words, columns))
        if columns == 8 or all(length(line, size, bold=bold) <= width for line in lines):
            return lines
        columns -= 1


def wrap_list(
    things: Sequence[str], between: str, width: float, size: float, *, bold: bool = False
) -> tuple[str, ...]:
    """Things in a row on lines of at most this width, each on one line; or, if one is longer, as
    `wrap_text` breaks them.
    """
    end = between.rstrip()
    if any(length(thing + end, size, bold=bold) > width for thing in things):
        return wrap_text(between.join(things), width, size, bold=bold)
    lines = [things[0]]
    for thing in things[1:]:
        longer = f"{lines[-1]}{between}{thing}"
        if length(longer + end, size, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines[-1] += end
            lines.append(thing)
    return tuple(lines)


def small(x: float, y: float, words: str, **style: Attribute) -> Markup:
    """Small words; `inherit_style` gives them size and ink."""
    return text(x, y, words, None, **style)


def inherit_style(panel: Panel) -> Panel:
    """The panel with the size and the ink of small words, and round joins, for all of it."""
    parts = group(*panel.parts, fill=INK, font_size=SMALL, stroke_linejoin="round")
    return replace(panel, parts=(parts,))


def draw_lines(x: float, y: float, words: Iterable[str], step: float = LINE) -> Iterator[Markup]:
    """Small words in lines, one below the other. The first baseline is at y."""
    for number, line in enumerate(words):
        yield small(x, y + step * number, line)
