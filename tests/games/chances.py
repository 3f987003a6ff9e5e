"""What chance dealt in a game, held against what was there to be dealt."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple

from domain.engine.play import Event

Pieces = Counter[Hashable]


class Drawn(NamedTuple):
    """A piece that chance took out of a bag, and where it went: its place, if there are several."""

    bag: str
    kind: Hashable
    place: str = ""


@dataclass(frozen=True)
class Chance:
    """All chance there is in a game: its bags, what events take out of them, what is left.

    A die is a bag into which everything goes back.
    """

    bags: Callable[[Any, int], dict[str, Pieces]]
    drawn: Callable[[Event[Any]], Iterator[Drawn]]
    left: Callable[[Any], dict[str, Pieces]]
    dice: frozenset[str] = frozenset()
    options: Mapping[str, Any] = field(default_factory=dict)
    """With these there is as much chance as there can be."""
    refilled: Callable[[Event[Any]], dict[str, Pieces]] = lambda _event: {}
    """Bags that an event filled anew, with what is in them then."""


@dataclass
class Tally:
    """How often a kind came to a place, how often it should have, and how far that may vary."""

    seen: int = 0
    expected: float = 0.0
    variance: float = 0.0

    @property
    def surprise(self) -> float:
        """By how many standard deviations it came too often, or too seldom if negative."""
        return (self.seen - self.expected) / sqrt(self.variance) if self.variance else 0.0


@dataclass
class Dealings:
    """What was dealt in many games."""

    chance: Chance
    tallies: dict[Drawn, Tally] = field(default_factory=lambda: defaultdict(Tally))

    def follow(self, bags: dict[str, Pieces], event: Event[Any]) -> None:
        """Take what this event dealt out of the bags; they must have had it."""
        bags.update(self.chance.refilled(event))
        drawn = list(self.chance.drawn(event))
        for (bag, place), kinds in grouped(drawn).items():
            self._weigh(bag, place, bags[bag], kinds)
        for bag, kind, _ in drawn:
            assert bags[bag][kind] > 0, f"{kind} is not in the {bag} any more"
            bags[bag][kind] -= bag not in self.chance.dice

    def _weigh(self, bag: str, place: str, pieces: Mapping[Hashable, int], kinds: Pieces) -> None:
        """Each piece of a bag is as likely to be among these as any other."""
        total, taken = sum(pieces.values()), kinds.total()
        spread = (total - taken) / max(1, total - 1) if bag not in self.chance.dice else 1.0
        for kind, count in pieces.items():
            share = count / total
            tally = self.tallies[Drawn(bag, kind, place)]
            tally.seen += kinds[kind]
            tally.expected += taken * share
            tally.variance += taken * share * (1 - share) * spread


def grouped(drawn: list[Drawn]) -> dict[tuple[str, str], Pieces]:
    """Which kinds came out of a bag to a place."""
    groups: dict[tuple[str, str], Pieces] = defaultdict(Counter)
    for one in drawn:
        groups[one.bag, one.place][one.kind] += 1
    return groups


def one_of_each(kinds: Any) -> Pieces:
    """A bag with one piece of each kind."""
    return Counter(dict.fromkeys(kinds, 1))


def counted(kinds: Any, counts: Any) -> Pieces:
    """A bag with so many of each kind."""
    return Counter(dict(zip(kinds, counts, strict=True)))
