"""Words that fit: how wide they are at most, cut and wrapped."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import accumulate, takewhile

_NARROW = frozenset("iljtfrI.,:;'|!()[]{} -")
_LEAST = 0.36
_BROAD = frozenset("mwMW@%&…—")


def width(words: str, size: float) -> float:
    """How many pixels words take at this size, in any of the fonts that may draw them, at most."""
    return sum(map(_ems, words)) * size


def cut(words: str, size: float, room: float) -> str:
    """Words, with an ellipsis in the place of what has no room."""
    if width(words, size) <= room:
        return words
    ends = accumulate((_ems(letter) * size for letter in words), initial=width("…", size))
    fitting = sum(1 for _ in takewhile(lambda end: end <= room, ends)) - 1
    return f"{words[: max(0, fitting)].rstrip()}…"


def squeezed(words: str, size: float, room: float) -> str:
    """Words, with an ellipsis in the middle if they have no room: their ends often differ most."""
    if width(words, size) <= room:
        return words
    half = min(len(words) // 2, int(room / size / _LEAST))  # more has no room in any case
    head, tail = words[:half], words[len(words) - half :]
    while head and width(f"{head}…{tail}", size) > room:
        head, tail = (head[:-1], tail) if len(head) >= len(tail) else (head, tail[1:])
    return f"{head.rstrip()}…{tail.lstrip()}"


def wrapped(words: str, size: float, room: float, lines: int) -> list[str]:
    """Words on at most so many lines; the last is cut."""
    found: list[str] = []
    rest = words.split()
    while rest and len(found) < lines - 1:
        count = len(rest)
        while count > 1 and width(" ".join(rest[:count]), size) > room:
            count -= 1
        found.append(cut(" ".join(rest[:count]), size, room))
        rest = rest[count:]
    return [*found, cut(" ".join(rest), size, room)] if rest else found


@lru_cache(4_096)
def _ems(letter: str) -> float:
    if letter in _NARROW:
        return _LEAST
    if letter in _BROAD or unicodedata.east_asian_width(letter) in "WF" or letter > "\U00010000":
        return 1.0
    return 0.72 if letter.isupper() else 0.57
