"""Two checkouts in turns, A B B A: load and measuring are ours, the service is of either."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from statistics import geometric_mean
from typing import NamedTuple

from bench.load.http import Timed
from bench.load.limits import spread
from bench.load.loads import moves_load
from bench.load.servers import TREE, apart, service
from bench.load.usage import each

MATCHES, ALONE = 200, 10
WARM_UP = 5
Figures = Mapping[str, float]


class Ratio(NamedTuple):
    """A figure of both, and ours as a ratio to the other's: geometric means of all pairs, so that
    twice and half as much are as far from 1; and the least and the greatest ratio.
    """

    other: float
    ours: float
    middle: float
    least: float
    greatest: float


def compare(folder: Path, other: Path, rounds: int) -> dict[str, Ratio]:
    """Ratios of this checkout to another one, each round of two pairs: other, ours, ours, other."""
    pairs = list[tuple[Figures, Figures]]()
    for number in range(rounds):
        trees = (other, TREE, TREE, other)
        a, b, c, d = (measure(folder / f"{number}-{turn}", tree) for turn, tree in enumerate(trees))
        pairs += [(a, b), (d, c)]
    return dict(ratios(pairs))


def ratios(pairs: Iterable[tuple[Figures, Figures]]) -> Iterator[tuple[str, Ratio]]:
    """The ratio of each figure that both have and that is never 0, from pairs of the other's and
    ours.
    """
    pairs = list(pairs)
    for name in pairs[0][1]:
        with suppress(KeyError, ValueError, ZeroDivisionError):
            others, ours = zip(*((a[name], b[name]) for a, b in pairs), strict=True)
            found = [one / other for other, one in zip(others, ours, strict=True)]
            its, mine, middle = map(geometric_mean, (others, ours, found))
            yield name, Ratio(its, mine, middle, min(found), max(found))


def measure(data: Path, tree: Path) -> dict[str, float]:
    """What the service of a checkout does, and what a move takes of its processes."""
    with service(data, tree) as server:
        apart(moves_load, server, WARM_UP)
        one = apart(moves_load, server, ALONE, in_turn=True)
        many = apart(moves_load, server, MATCHES)
    if failures := one.failures + many.failures:
        raise RuntimeError(f"{len(failures)} requests failed: {failures[0]}")
    return {**_speed(one, many), **each(many.spent, len(many.latencies))}


def _speed(one: Timed, many: Timed) -> dict[str, float]:
    return {
        **spread("1 client", one.latencies),
        f"{MATCHES} matches, durable moves per second": many.rate,
        **spread(f"{MATCHES} matches at full speed", many.latencies),
    }
