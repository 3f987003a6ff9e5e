"""Touches: how players point at moves, and the tree of all touch sequences.

The way to a move is the sequence of touches that a player makes for it. Where there are too many
touches to choose from, they are grouped by the part of the table that contains them: the player
chooses the row first, then the space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, Generic, Literal, NewType, TypeVar

import msgspec

from domain.engine.play import Move

M = TypeVar("M")
Touch = NewType("Touch", str)
"""A thing that a player touches, as its kind and its id: `space:f4`, `pass`."""
Way = tuple[Touch, ...]
ImpliedMoves = Mapping[tuple[str, ...], Callable[..., Iterable[dict[str, Any]]]]
"""Moves, legal or not, that a sequence of touches can stand for. The key lists the touch kinds; the
function gets the view and the id of each touch.
"""
MAX_CHOICES = 25
"""Maximum number of touches to choose from; beyond it, players choose a part first."""
MAX_ALTERNATIVES = 200
"""Maximum number of touches to list in place of a refused one."""


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


def touch_fields(_view: object, move: Move) -> Iterator[Way]:
    """The `touches` of a game in which a player touches the fields of a move, in their order:
    `PlaceStone(row=2, column=3)` is `row:2`, then `column:3`. A move without fields is one word.
    """
    values = ((name, getattr(move, name)) for name in _fields(type(move)))
    touches = tuple(Touch(f"{name}:{value}") for name, value in values if value is not None)
    yield touches or (Touch(_word(type(move))),)


def kinds_of_fields(moves: Iterable[type[Move]]) -> tuple[TouchKind, ...]:
    """The kinds of touches that `touch_fields` makes of these moves, without duplicates."""
    kinds = (kind for move in moves for kind in _kinds_of_fields(move))
    return tuple({kind.kind: kind for kind in kinds}.values())


def _kinds_of_fields(move: type[Move]) -> Iterator[TouchKind]:
    for name in _fields(move):
        yield TouchKind(name, "thing", f"the `{name}` of a move")
    if not _fields(move):
        yield TouchKind(_word(move), "word", f"the move `{move.__name__}`")


def _fields(move: type[Move]) -> list[str]:
    return [name for name in move.__struct_fields__ if name != "seat"]


def _word(move: type[Move]) -> str:
    """The name of a kind of move in lower case: `give_in` for `GiveIn`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", move.__name__).lower()


@dataclass(frozen=True, eq=False, kw_only=True)
class Pointing:
    """How players of a game point at moves: by the fields of the moves, unless the game says more.

    If it has its own `touches`, it also needs their `kinds`.
    """

    touches: Callable[[Any, Any], Iterable[Way]] = touch_fields  # for a move, in a view
    kinds: tuple[TouchKind, ...] = ()  # of touches, and of the parts that contain them
    part_of: Callable[[Any, Touch], Touch | None] = no_part  # the part that contains a touch
    implied_moves: ImpliedMoves = field(
        default_factory=dict
    )  # for touches that start no offered move


class TouchTree(Generic[M]):
    """Moves by their touch sequences. A path into the tree consists of touches, and of parts before
    them.
    """

    def __init__(self, ways: Mapping[Way, M], part_of: Callable[[Touch], Touch | None]) -> None:
        self.ways = ways
        self.part_of = part_of

    @cached_property
    def part_chains(self) -> dict[Touch, tuple[Touch, ...]]:
        """Each touch with the part that contains it, the part that contains that, and so on."""
        names = dict.fromkeys(name for way in self.ways for name in way)
        return {name: tuple(_part_chain(name, self.part_of)) for name in names}

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
        shown = _next_touches(ways, depth)
        ladders = [_below(part, self.part_chains[name]) for name in shown]
        for level in range(1, max(map(len, ladders), default=0)):
            if len(shown) > MAX_CHOICES:
                shown = tuple(dict.fromkeys(ladder[: level + 1][-1] for ladder in ladders))
        return shown

    def after(self, touches: Sequence[Touch]) -> TouchTree[M]:
        """What is left to touch after these touches: the shortest of the ways to each move that go
        through them.
        """
        return self._after(touches, (way for way in self.ways if goes_through(way, touches)))

    def after_each(self, touches: Sequence[Touch]) -> TouchTree[M]:
        """What is left to touch after these touches, one by one: each is the next one on a way, or
        if it is on none, a later one, unless one of its kind has been the next one.
        """
        ways, begun = list(self.ways), list[Touch]()
        for name in touches:
            depth = len(begun)
            if onward := [way for way in ways if way[depth : depth + 1] == (name,)]:
                ways = onward
                begun.append(name)
            elif kind_of(name) in map(kind_of, begun):
                ways = []
            else:
                ways = [way for way in ways if name in way[depth:]]
        return self._after(touches, ways)

    def _after(self, touches: Sequence[Touch], through: Iterable[Way]) -> TouchTree[M]:
        """What these ways have besides these touches: the shortest of the ways to each move."""
        left = {way: tuple(name for name in way if name not in touches) for way in through}
        shortest: dict[M, int] = {}
        for way, rest in left.items():
            move = self.ways[way]
            shortest[move] = min(len(rest), shortest.get(move, len(rest)))
        ways = {
            rest: self.ways[way]
            for way, rest in left.items()
            if len(rest) == shortest[self.ways[way]]
        }
        return TouchTree(ways, self.part_of)

    def alternatives(self, path: Sequence[Touch]) -> tuple[int, tuple[Touch, ...]]:
        """The place of the first touch of a path that leads to no move, and up to MAX_ALTERNATIVES
        touches that are possible there: first those of the same kind, also if they come later on a
        way. If nothing can follow the touches before it, that is the first touch.
        """
        starts = (place for place in reversed(range(len(path))) if self._next(path[:place]))
        place = next(starts, 0)
        refused = kind_of(path[place])
        ways, depth, _ = self._walk(path[:place])
        alike = (name for way in ways for name in way[depth:] if kind_of(name) == refused)
        found = dict.fromkeys((*alike, *self._next(path[:place])))
        return place, tuple(found)[:MAX_ALTERNATIVES]

    def _next(self, path: Sequence[Touch]) -> tuple[Touch, ...]:
        """All touches that can follow a path."""
        ways, depth, _ = self._walk(path)
        return _next_touches(ways, depth)

    def _walk(self, path: Sequence[Touch]) -> tuple[list[Way], int, Touch | None]:
        """The ways that match the path, the number of touches in it, and the part it ends with."""
        ways, depth, part = list(self.ways), 0, None
        for name in path:
            longer = [way for way in ways if depth < len(way)]
            if touched := [way for way in longer if way[depth] == name]:
                ways, depth, part = touched, depth + 1, None
            else:
                ways, part = [way for way in longer if name in self.part_chains[way[depth]]], name
        return ways, depth, part


def _next_touches(ways: Iterable[Way], depth: int) -> tuple[Touch, ...]:
    """The touches of these ways after the first ones, without duplicates."""
    return tuple(dict.fromkeys(way[depth] for way in ways if depth < len(way)))


def goes_through(way: Way, touches: Sequence[Touch]) -> bool:
    """Whether a way has all these touches, in any order but among those of one kind."""
    for name in touches:
        if name not in way:
            return False
    touched = [name for name in way if name in touches]
    if len(touched) != len(touches):
        return False
    return sorted(touched, key=kind_of) == sorted(touches, key=kind_of)


def _part_chain(touch: Touch, part_of: Callable[[Touch], Touch | None]) -> Iterator[Touch]:
    step: Touch | None = touch
    while step is not None:
        yield step
        step = part_of(step)


def _below(part: Touch | None, ladder: tuple[Touch, ...]) -> tuple[Touch, ...]:
    """The items of a ladder below a part, or all of them."""
    return ladder[: ladder.index(part)] if part in ladder else ladder
