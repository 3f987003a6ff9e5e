"""What a match knows of its lines of play besides the current one: the points that it has left, and
states to fold other states from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec

POINTS_PER_SNAPSHOT = 128
"""Number of points of a line from one snapshot of the state to the next."""
MAX_SNAPSHOTS = 64
"""Number of snapshots of a match from which on new ones replace those of lines that it has left;
the longest line has fewer.
"""


class LinePoint(Protocol):
    """A point of a line of play."""

    @property
    def version(self) -> int:
        """The version of the match that it belongs to."""
        ...


P = TypeVar("P", bound=LinePoint)


class _LeftPoint(msgspec.Struct, Generic[P], frozen=True, gc=False):
    """A point that is not on the current line, and the version of the point before it."""

    point: P
    before: int


class LeftPoints(Generic[P]):
    """The points of all lines that were left and not taken up again, the last one left last."""

    __slots__ = ("_points",)

    def __init__(self) -> None:
        self._points: dict[int, _LeftPoint[P]] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LeftPoints) and self._points == other._points

    __hash__ = None  # type: ignore[assignment]  # it changes

    def copy(self) -> LeftPoints[P]:
        """A copy that changes by itself."""
        other = LeftPoints[P]()
        other._points = self._points.copy()
        return other

    def leave(self, line: Sequence[P], kept: int) -> None:
        """Add the points of a line after its first `kept` ones, of which there is at least one."""
        for before, point in zip(line[kept - 1 :], line[kept:], strict=False):
            self._points[point.version] = _LeftPoint(point, before.version)

    def take(self, path: Sequence[P]) -> None:
        """Remove the points of a path, because they are on the current line again."""
        for point in path:
            del self._points[point.version]

    def path_to(self, version: int) -> tuple[int, list[P]]:
        """The version of the current line after which the line with a version leaves it, and its
        points from there to that version, oldest first; no points if it is on no line that was
        left.
        """
        path: list[P] = []
        while left := self._points.get(version):
            path.append(left.point)
            version = left.before
        return version, path[::-1]

    def continues(self, version: int) -> bool:
        """Whether a line that was left goes on after this version."""
        return any(left.before == version for left in self._points.values())

    @property
    def newest(self) -> int | None:
        """The last version of the line that was left last; None if there is none."""
        return next(reversed(self._points), None)


class Snapshots:
    """States of a match at some points of its lines, by version. Each POINTS_PER_SNAPSHOT-th point
    of the current line has one.
    """

    __slots__ = ("_states",)

    def __init__(self) -> None:
        self._states: dict[int, Any] = {}

    def copy(self) -> Snapshots:
        """A copy that changes by itself; the states never change."""
        other = Snapshots()
        other._states = self._states.copy()
        return other

    def keep(self, line: Sequence[LinePoint], state: Any) -> None:
        """Keep the state after the last point of a line, if it is one of those that have one."""
        if len(line) % POINTS_PER_SNAPSHOT:
            return
        self._states[line[-1].version] = state.copy()
        if len(self._states) > MAX_SNAPSHOTS:
            needed = {point.version for point in line}
            del self._states[next(version for version in self._states if version not in needed)]

    def before(self, line: Sequence[LinePoint], points: int) -> tuple[int, Any]:
        """The largest number of points, at most `points`, after which there is a state, and a copy
        of it; 0 and None if there is none.
        """
        for begin in range(points - points % POINTS_PER_SNAPSHOT, 0, -POINTS_PER_SNAPSHOT):
            if (state := self._states.get(line[begin - 1].version)) is not None:
                return begin, state.copy()
        return 0, None
