"""Reads the partitions of a process from its command line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from service.runtime.settings import BadSetting

RANGE = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")


def read_partitions(text: str | None, count: int) -> Sequence[int]:
    """Return the partitions in a list such as `0-3,8`; all of them if `text` is None.

    Raises BadSetting if the list is malformed, or names an unknown partition or one partition
    twice.
    """
    if text is None:
        return range(count)
    numbers = [partition for part in text.split(",") for partition in _read_range(part.strip())]
    if unknown := sorted({one for one in numbers if one >= count}):
        raise BadSetting(
            f"--partitions names {unknown[0]}, but the store has partitions 0 to {count - 1}"
            " (ANNALS_PARTITIONS)."
        )
    if len({*numbers}) < len(numbers):
        raise BadSetting(f"--partitions names a partition twice: {text}.")
    return sorted(numbers)


def _read_range(part: str) -> Iterator[int]:
    """One number, or all numbers of a range."""
    found = RANGE.fullmatch(part)
    first, last = (found[1], found[2] or found[1]) if found else ("1", "0")
    if int(first) > int(last):
        raise BadSetting(
            f"--partitions takes numbers and ranges such as 0-3,8; {part!r} is neither."
        )
    yield from range(int(first), int(last) + 1)
