"""Fits text into a given width: measures, cuts and wraps it."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import accumulate, takewhile

_NARROW_LETTERS = frozenset("iljtfrI.,:;'|!()[]{} -")
_MIN_EMS = 0.36
_BROAD_LETTERS = frozenset("mwMW@%&…—")
_CLOSING_LETTERS = frozenset("，。、；：！？）」』》")
_OPENING_LETTERS = frozenset("（「『《")


def text_width(words: str, size: float) -> float:
    """Return the width of a text at this font size in pixels: an upper bound for all fonts that may
    draw it.
    """
    return sum(map(_ems, words)) * size


def truncate(words: str, size: float, room: float) -> str:
    """Return the text, cut with an ellipsis at its end if it is wider than `room`."""
    if text_width(words, size) <= room:
        return words
    ends = accumulate((_ems(letter) * size for letter in words), initial=text_width("…", size))
    fitting = sum(1 for _ in takewhile(lambda end: end <= room, ends)) - 1
    return f"{words[: max(0, fitting)].rstrip()}…"


def truncate_middle(words: str, size: float, room: float) -> str:
    """Return the text, with an ellipsis in the middle if it is too wide: the ends of labels often
    differ most.
    """
    if text_width(words, size) <= room:
        return words
    half = min(len(words) // 2, int(room / size / _MIN_EMS))  # more never fits
    head, tail = words[:half], words[len(words) - half :]
    while head and text_width(f"{head}…{tail}", size) > room:
        head, tail = (head[:-1], tail) if len(head) >= len(tail) else (head, tail[1:])
    return f"{head.rstrip()}…{tail.lstrip()}"


def wrap(words: str, size: float, room: float, lines: int) -> list[str]:
    """Return the text on at most `lines` lines; the last one is cut. A line ends at a space, or
    beside a Chinese character.
    """
    found: list[str] = []
    rest = " ".join(words.split())
    while rest and len(found) < lines - 1:
        end = _line_end(rest, size, room)
        found.append(truncate(rest[:end].rstrip(), size, room))
        rest = rest[end:].lstrip()
    return [*found, truncate(rest, size, room)] if rest else found


def _line_end(words: str, size: float, room: float) -> int:
    """Return where the first line ends: at the last break that fits, else at the first one."""
    breaks = [place for place in range(1, len(words)) if _can_break(words, place)]
    widths = list(accumulate(_ems(letter) * size for letter in words))
    fitting = [place for place in (*breaks, len(words)) if widths[place - 1] <= room]
    return fitting[-1] if fitting else (*breaks, len(words))[0]


def _can_break(words: str, place: int) -> bool:
    """Return whether a line may end before this letter."""
    before, after = words[place - 1], words[place]
    if after == " ":
        return True
    return (is_wide(before) or is_wide(after)) and not (
        after in _CLOSING_LETTERS or before in _OPENING_LETTERS
    )


def is_wide(letter: str) -> bool:
    """Return whether a letter is as wide as its size, such as a Chinese one."""
    return unicodedata.east_asian_width(letter) in "WF"


@lru_cache(4_096)
def _ems(letter: str) -> float:
    if letter in _NARROW_LETTERS:
        return _MIN_EMS
    if letter in _BROAD_LETTERS or is_wide(letter) or letter > "\U00010000":
        return 1.0
    return 0.72 if letter.isupper() else 0.57
