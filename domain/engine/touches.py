"""How moves are pointed at: names of what is touched for them, and the tree that these form.

A *way* to a move is the names that a hand would touch for it, one after the other. Where there are
too many names to choose from, those that are part of the same larger thing are taken together: one
first chooses the row, then the space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Generic, Literal, NewType, TypeVar

import msgspec

M = TypeVar("M")
Touch = NewType("Touch", str)
"""The name of what is touched: its kind, and which of them: `space:f4`, `pass`."""
Way = tuple[Touch, ...]
MOST = 25
"""From more names than this nobody should have to choose."""


class Kind(msgspec.Struct, frozen=True):
    """A kind of names: of *things* that the picture marks, of *words* to say, or of *parts* of the
    table, which are never touched but hold what is.
    """

    kind: str
    role: Literal["thing", "word", "part"]
    about: str  # what such a name stands for

    def of(self, *which: str | int) -> Touch:
        """The name of one of this kind; numbers and keys that tell it from the others."""
        return Touch(":".join((self.kind, *map(str, which))))


def kind_of(touch: Touch) -> str:
    """The kind of a name."""
    return touch.partition(":")[0]


def which(touch: Touch) -> str:
    """What tells a name from the others of its kind; nothing if there are none."""
    return touch.partition(":")[2]


def number(text: str) -> int | str:
    """The number that tells a name from the others; what is none stays as it is."""
    return int(text) if text.isdecimal() else text


def in_no_part(_view: object, _touch: Touch) -> Touch | None:
    """The part that a name belongs to in a game where there are never too many."""
    return None


class Tree(Generic[M]):
    """Moves by the ways to them. A path into the tree names touches, and parts on the way there."""

    def __init__(self, ways: Mapping[Way, M], within: Callable[[Touch], Touch | None]) -> None:
        self.ways = ways
        names = dict.fromkeys(name for way in ways for name in way)
        self.ladders = {name: tuple(_ladder(name, within)) for name in names}
        """Each name with the part it belongs to, the part that this belongs to, and so on."""

    @property
    def parts(self) -> dict[Touch, list[Touch]]:
        """Each part, and what it holds of the names in these ways, or of smaller parts."""
        held: dict[Touch, dict[Touch, None]] = {}
        for name, part in (pair for ladder in self.ladders.values() for pair in pairwise(ladder)):
            held.setdefault(part, {})[name] = None
        return {part: list(names) for part, names in held.items()}

    def left(self, path: Sequence[Touch]) -> tuple[M, ...]:
        """The moves to which this path leads; none if it leads nowhere."""
        ways, _, _ = self._walked(path)
        return tuple(dict.fromkeys(self.ways[way] for way in ways))

    def choices(self, path: Sequence[Touch]) -> tuple[Touch, ...]:
        """What can be named next: touches, or parts if there are more of those than MOST."""
        ways, depth, part = self._walked(path)
        names = dict.fromkeys(way[depth] for way in ways if depth < len(way))
        ladders = [_below(part, self.ladders[name]) for name in names]
        shown = tuple(names)
        for level in range(1, max(map(len, ladders), default=0)):
            if len(shown) > MOST:
                shown = tuple(dict.fromkeys(ladder[: level + 1][-1] for ladder in ladders))
        return shown

    def _walked(self, path: Sequence[Touch]) -> tuple[list[Way], int, Touch | None]:
        """The ways that are left, how many touches they have in common, and the part last named."""
        ways, depth, part = list(self.ways), 0, None
        for name in path:
            touched = [way for way in ways if way[depth : depth + 1] == (name,)]
            if touched:
                ways, depth, part = touched, depth + 1, None
            else:
                longer = (way for way in ways if depth < len(way))
                ways, part = [way for way in longer if name in self.ladders[way[depth]]], name
        return ways, depth, part


def _ladder(touch: Touch, within: Callable[[Touch], Touch | None]) -> Iterator[Touch]:
    step: Touch | None = touch
    while step is not None:
        yield step
        step = within(step)


def _below(part: Touch | None, ladder: tuple[Touch, ...]) -> tuple[Touch, ...]:
    """The names of a ladder below a part, or all of them."""
    return ladder[: ladder.index(part)] if part in ladder else ladder
