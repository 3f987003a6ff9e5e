"""Turning points: the entries that changed the chance of a seat most, or gave most of it away."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec

from domain.analysis.attribution import Swing
from domain.engine.play import Seat

MAX_TURNING_POINTS = 10
MIN_CHANGE = 0.1
"""Minimum change in chance of a turning point."""
DIGITS = 9
"""Changes that are equal when rounded to so many digits are equal."""


class TurningPoint(msgspec.Struct, frozen=True):
    """The change in the chance of a seat that makes an entry a turning point: what its decision
    gave away, as a negative number, or how far the chance moved.
    """

    version: int
    seat: Seat  # whose chance it is
    change: float
    is_error: bool  # whether the decision of the seat gave it away


def find_turning_points(
    swings: Iterable[Swing],
    errors: Mapping[int, tuple[Seat, float]],
    without_choice: Collection[int],
) -> tuple[TurningPoint, ...]:
    """Return the few largest turning points, oldest first.

    `errors` are those of decisions by version. Versions `without_choice` are no turning points:
    the start, and moves that were the only legal ones.
    """
    found = {
        version: TurningPoint(version, seat, -error, is_error=True)
        for version, (seat, error) in errors.items()
        if error >= MIN_CHANGE
    }
    for swing in swings:
        point = _largest_change(swing)
        known = found.get(swing.version)
        if swing.version not in without_choice and _is_larger(point, known):
            found[swing.version] = point
    largest = sorted(found.values(), key=lambda point: (-abs(point.change), point.version))
    return tuple(sorted(largest[:MAX_TURNING_POINTS], key=lambda point: point.version))


def _largest_change(swing: Swing) -> TurningPoint:
    """The largest change of a swing; if several are equal, that of a seat that decided."""
    changes = [after - before for before, after in zip(swing.before, swing.after, strict=True)]
    seat = max(
        range(len(changes)),
        key=lambda seat: (round(abs(changes[seat]), DIGITS), seat in swing.deciders),
    )
    return TurningPoint(swing.version, seat, changes[seat], is_error=False)


def _is_larger(point: TurningPoint, known: TurningPoint | None) -> bool:
    """Whether a swing is a turning point instead of a known one. An error stays: it says what the
    player could have done.
    """
    if known is None:
        return abs(point.change) >= MIN_CHANGE
    return not known.is_error and abs(point.change) > abs(known.change)
