"""Compares two checkouts in the order A B B A: the load is ours, the service is of either."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from statistics import geometric_mean
from typing import NamedTuple

from bench.load.http import LoadResult
from bench.load.limits import spread
from bench.load.loads import moves_load
from bench.load.servers import TREE, run_apart, run_service
from bench.load.usage import usage_per_move

MATCHES, IN_TURN_MATCHES = 200, 10
WARM_UP = 5
Figures = Mapping[str, float]


class Ratio(NamedTuple):
    """A figure of both checkouts, and ours relative to the other's: the geometric mean over all
    pairs (so that twice and half are equally far from 1), the smallest and the largest ratio.
    """

    other: float
    ours: float
    mean: float
    smallest: float
    largest: float


def compare(folder: Path, other: Path, rounds: int) -> dict[str, Ratio]:
    """Ratios of this checkout to another one; each round is: other, ours, ours, other."""
    pairs = list[tuple[Figures, Figures]]()
    for number in range(rounds):
        trees = (other, TREE, TREE, other)
        a, b, c, d = (measure(folder / f"{number}-{turn}", tree) for turn, tree in enumerate(trees))
        pairs += [(a, b), (d, c)]
    return dict(ratios(pairs))


def ratios(pairs: Iterable[tuple[Figures, Figures]]) -> Iterator[tuple[str, Ratio]]:
    """The ratio of each figure that both have and that is never 0, from pairs of the other's and
    our figures.
    """
    pairs = list(pairs)
    for name in pairs[0][1]:
        with suppress(KeyError, ValueError, ZeroDivisionError):
            others, ours = zip(*((a[name], b[name]) for a, b in pairs), strict=True)
            found = [one / other for other, one in zip(others, ours, strict=True)]
            its, mine, middle = map(geometric_mean, (others, ours, found))
            yield name, Ratio(its, mine, middle, min(found), max(found))


def measure(data: Path, tree: Path) -> dict[str, float]:
    """The figures of the service of a checkout, and the use of its processes per move."""
    with run_service(data, tree) as server:
        run_apart(moves_load, server, WARM_UP)
        one = run_apart(moves_load, server, IN_TURN_MATCHES, in_turn=True)
        many = run_apart(moves_load, server, MATCHES)
    if failures := one.failures + many.failures:
        raise RuntimeError(f"{len(failures)} requests failed: {failures[0]}")
    return {**_speed(one, many), **usage_per_move(many.usage, len(many.latencies))}


def _speed(one: LoadResult, many: LoadResult) -> dict[str, float]:
    return {
        **spread("1 client", one.latencies),
        f"{MATCHES} matches, durable moves per second": many.rate,
        **spread(f"{MATCHES} matches at full speed", many.latencies),
    }
