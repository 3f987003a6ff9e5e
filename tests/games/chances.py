"""Compare what chance deals in a game with what the bags hold."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple

from domain.engine.play import Event

Pieces = Counter[Hashable]


class Draw(NamedTuple):
    """A piece that chance took out of a bag, and where it went: its place, if there are several."""

    bag: str
    kind: Hashable
    place: str = ""


@dataclass(frozen=True)
class Chance:
    """All chance in a game: its bags, what events take out of them, and what is left.

    A die is a bag to which every piece returns.
    """

    bags: Callable[[Any, int], dict[str, Pieces]]
    draws_of: Callable[[Event[Any]], Iterator[Draw]]
    count_left: Callable[[Any], dict[str, Pieces]]
    dice: frozenset[str] = frozenset()
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options with which the game uses as much chance as possible."""
    refilled: Callable[[Event[Any]], dict[str, Pieces]] = lambda _event: {}
    """The bags that an event refills, with their new contents."""


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
    """The pieces dealt in many games."""

    chance: Chance
    tallies: dict[Draw, Tally] = field(default_factory=lambda: defaultdict(Tally))

    def follow(self, bags: dict[str, Pieces], event: Event[Any]) -> None:
        """Take the pieces that this event deals out of the bags; the bags must contain them."""
        bags.update(self.chance.refilled(event))
        drawn = list(self.chance.draws_of(event))
        for (bag, place), kinds in group_draws(drawn).items():
            self._weigh(bag, place, bags[bag], kinds)
        for bag, kind, _ in drawn:
            assert bags[bag][kind] > 0, f"{kind} is not in the {bag} any more"
            bags[bag][kind] -= bag not in self.chance.dice

    def _weigh(self, bag: str, place: str, pieces: Mapping[Hashable, int], kinds: Pieces) -> None:
        """Expect each piece of a bag among these with equal probability."""
        total, taken = sum(pieces.values()), kinds.total()
        spread = (total - taken) / max(1, total - 1) if bag not in self.chance.dice else 1.0
        for kind, count in pieces.items():
            share = count / total
            tally = self.tallies[Draw(bag, kind, place)]
            tally.seen += kinds[kind]
            tally.expected += taken * share
            tally.variance += taken * share * (1 - share) * spread


def group_draws(drawn: list[Draw]) -> dict[tuple[str, str], Pieces]:
    """Count the kinds by bag and place."""
    groups: dict[tuple[str, str], Pieces] = defaultdict(Counter)
    for one in drawn:
        groups[one.bag, one.place][one.kind] += 1
    return groups


def one_of_each(kinds: Any) -> Pieces:
    """A bag with one piece of each kind."""
    return Counter(dict.fromkeys(kinds, 1))


def fill_bag(kinds: Any, counts: Any) -> Pieces:
    """A bag with these counts of each kind."""
    return Counter(dict(zip(kinds, counts, strict=True)))
