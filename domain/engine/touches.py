"""Touches: how players point at moves, and the tree of all touch sequences.

The way to a move is the sequence of touches that a player makes for it. Where there are too many
touches to choose from, they are grouped by the part of the table that contains them: the player
chooses the row first, then the space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Generic, Literal, NewType, TypeVar

import msgspec

M = TypeVar("M")
Touch = NewType("Touch", str)
"""A thing that a player touches, as its kind and its id: `space:f4`, `pass`."""
Way = tuple[Touch, ...]
MAX_CHOICES = 25
"""Maximum number of touches to choose from; beyond it, players choose a part first."""


class TouchKind(msgspec.Struct, frozen=True):
    """A kind of touches: *things* that the picture marks, *words* to say, or *parts* of the table,
    which contain touches but cannot be touched.
    """

    kind: str
    role: Literal["thing", "word", "part"]
    about: str  # what a touch of this kind stands for

    def of(self, *which: str | int) -> Touch:
        """A touch of this kind with these numbers and keys as its id."""
        return Touch(":".join((self.kind, *map(str, which))))


def kind_of(touch: Touch) -> str:
    """The kind of a touch."""
    return touch.partition(":")[0]


def id_of(touch: Touch) -> str:
    """The id of a touch within its kind; "" if it has none."""
    return touch.partition(":")[2]


def as_number(text: str) -> int | str:
    """The id as a number; unchanged if it is not one."""
    return int(text) if text.isdecimal() else text


def no_part(_view: object, _touch: Touch) -> Touch | None:
    """The `part_of` of a game that never offers too many touches."""
    return None


class TouchTree(Generic[M]):
    """Moves by their touch sequences. A path into the tree consists of touches, and of parts before
    them.
    """

    def __init__(self, ways: Mapping[Way, M], part_of: Callable[[Touch], Touch | None]) -> None:
        self.ways = ways
        names = dict.fromkeys(name for way in ways for name in way)
        self.part_chains = {name: tuple(_part_chain(name, part_of)) for name in names}
        """Each touch with the part that contains it, the part that contains this part, and so on.
        """

    @property
    def parts(self) -> dict[Touch, list[Touch]]:
        """Each part with the touches of this tree, or the smaller parts, that it contains."""
        held: dict[Touch, dict[Touch, None]] = {}
        for name, part in (
            pair for ladder in self.part_chains.values() for pair in pairwise(ladder)
        ):
            held.setdefault(part, {})[name] = None
        return {part: list(names) for part, names in held.items()}

    def moves_at(self, path: Sequence[Touch]) -> tuple[M, ...]:
        """The moves that this path leads to; empty if it leads nowhere."""
        ways, _, _ = self._walk(path)
        return tuple(dict.fromkeys(self.ways[way] for way in ways))

    def choices(self, path: Sequence[Touch]) -> tuple[Touch, ...]:
        """The next touches to choose from; parts instead if there are more than MAX_CHOICES
        touches.
        """
        ways, depth, part = self._walk(path)
        names = dict.fromkeys(way[depth] for way in ways if depth < len(way))
        ladders = [_below(part, self.part_chains[name]) for name in names]
        shown = tuple(names)
        for level in range(1, max(map(len, ladders), default=0)):
            if len(shown) > MAX_CHOICES:
                shown = tuple(dict.fromkeys(ladder[: level + 1][-1] for ladder in ladders))
        return shown

    def _walk(self, path: Sequence[Touch]) -> tuple[list[Way], int, Touch | None]:
        """The ways that match the path, the number of touches in it, and the part it ends with."""
        ways, depth, part = list(self.ways), 0, None
        for name in path:
            touched = [way for way in ways if way[depth : depth + 1] == (name,)]
            if touched:
                ways, depth, part = touched, depth + 1, None
            else:
                longer = (way for way in ways if depth < len(way))
                ways, part = [way for way in longer if name in self.part_chains[way[depth]]], name
        return ways, depth, part


def _part_chain(touch: Touch, part_of: Callable[[Touch], Touch | None]) -> Iterator[Touch]:
    step: Touch | None = touch
    while step is not None:
        yield step
        step = part_of(step)


def _below(part: Touch | None, ladder: tuple[Touch, ...]) -> tuple[Touch, ...]:
    """The items of a ladder below a part, or all of them."""
    return ladder[: ladder.index(part)] if part in ladder else ladder
