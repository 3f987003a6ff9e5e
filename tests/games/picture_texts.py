"""Where the words of a picture stand, and how much room they take in the fonts that we ship."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from xml.etree.ElementTree import Element

from service.drawing.pictures.fonts import letter_widths

MOVED = re.compile(r"translate\((\S+) (\S+)\)")
SCALED = re.compile(r"scale\((\S+)\)")
CAPITAL = 0.711
"""How high a capital of Roboto is, as a part of the size."""
WIDE = 1.0
"""How wide a letter is that Roboto lacks, such as one of Chinese."""
BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""The part of the words that stands before their place."""


@dataclass(frozen=True)
class Words:
    """Words of a picture, and the corners of the room they take, in its own units."""

    words: str
    size: float
    left: float
    top: float
    right: float
    bottom: float

    def over(self, other: Words) -> bool:
        """Whether both take the same room, by more than a hair."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > 1 and down > 1


def words_of(
    part: Element,
    at: tuple[float, float] = (0, 0),
    scale: float = 1,
    wider: float = 1,
    **style: str,
) -> Iterator[Words]:
    """All words in a picture, in drawing order, in a font wider than ours by this factor."""
    if turned := part.get("transform"):
        x, y, factor = read_transform(turned)
        at, scale = (at[0] + scale * x, at[1] + scale * y), scale * factor
    style = {**style, **part.attrib}
    if part.tag.rpartition("}")[2] == "text" and part.text:
        yield measure(part.text, style, at, scale, wider)
    for inner in part:
        yield from words_of(inner, at, scale, wider, **style)


@lru_cache
def read_transform(turned: str) -> tuple[float, float, float]:
    """How far a `transform` moves, and the factor of its scale."""
    assert set(re.findall(r"([a-z]+)\(", turned)) <= {"translate", "scale"}, turned
    moved, scaled = MOVED.search(turned), SCALED.search(turned)
    x, y = (float(moved[1]), float(moved[2])) if moved else (0.0, 0.0)
    return x, y, float(scaled[1]) if scaled else 1.0


def overlaps(drawn: Sequence[Words]) -> Iterator[tuple[Words, Words]]:
    """All pairs that take the same room, the one that was drawn first before the other."""
    across = sorted(enumerate(drawn), key=lambda one: one[1].left)
    for place, (number, words) in enumerate(across):
        for other_number, other in across[place + 1 :]:
            if other.left >= words.right:
                break
            if words.over(other):
                yield (words, other) if number < other_number else (other, words)


def measure(
    said: str, style: dict[str, str], at: tuple[float, float], scale: float, wider: float = 1
) -> Words:
    """The room that words take in a part that begins at this place, at this scale, in a font wider
    than ours by this factor.
    """
    assert "dominant-baseline" not in style
    size = scale * float(style["font-size"])
    long = size * length(said, bold=style.get("font-weight") == "700", wider=wider)
    if held := style.get("textLength"):
        long = scale * float(held)
    left = at[0] + scale * float(style["x"]) - BEFORE[style.get("text-anchor", "start")] * long
    foot = at[1] + scale * float(style["y"])
    return Words(said, size, left, foot - CAPITAL * size, left + long, foot)


@lru_cache(maxsize=4096)
def length(words: str, *, bold: bool = False, wider: float = 1) -> float:
    """How long words are, as a multiple of their size, in a font wider than ours by this factor."""
    widths = letter_widths(is_bold=bold)
    own = sum(widths[letter] for letter in words if letter in widths)
    return own * wider + WIDE * sum(letter not in widths for letter in words)
