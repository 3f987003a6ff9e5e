"""Which partitions a process works on, as it is told on its command line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from service.runtime.settings import BadSetting

SPAN = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")


def read_partitions(text: str | None, count: int) -> Sequence[int]:
    """The partitions that `0-3,8` names, of a store with so many; all of them without a text.

    BadSetting if it means nothing, names one that is not there, or names one twice.
    """
    if text is None:
        return range(count)
    named = [partition for part in text.split(",") for partition in _span(part.strip())]
    if strange := sorted({one for one in named if one >= count}):
        raise BadSetting(
            f"--partitions names {strange[0]}, and the store has {count}: they are 0 to {count - 1}"
            " (ANNALS_PARTITIONS)."
        )
    if len({*named}) < len(named):
        raise BadSetting(f"--partitions names a partition twice: {text}.")
    return sorted(named)


def _span(part: str) -> Iterator[int]:
    """One number, or all from one to another."""
    found = SPAN.fullmatch(part)
    first, last = (found[1], found[2] or found[1]) if found else ("1", "0")
    if int(first) > int(last):
        raise BadSetting(f"--partitions must be numbers and spans, as 0-3,8; {part!r} is neither.")
    yield from range(int(first), int(last) + 1)
