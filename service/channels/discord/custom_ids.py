"""The marks of buttons and menus: what they do, in which match, at which version, for which seat.

A mark holds all there is to know, so that nothing of a message is kept, and an old one tells by
itself that it is old.
"""

from __future__ import annotations

import re

import msgspec
from msgspec import Struct

from service.runtime.errors import NotFound

LONGEST = 100
_FORM = re.compile(r"([a-z]{2})\|([a-z0-9][a-z0-9-]{0,63})\|(\d{1,9})\|(\d{0,2})\|((?:\d{1,3}\.)*)")


class Mark(Struct, frozen=True):
    """What a button or a menu does; the path has what was chosen in menus so far."""

    kind: str
    match: str
    version: int
    seat: int | None = None
    path: tuple[int, ...] = ()

    def __str__(self) -> str:
        seat = "" if self.seat is None else self.seat
        path = "".join(f"{place}." for place in self.path)
        written = f"{self.kind}|{self.match}|{self.version}|{seat}|{path}"
        assert len(written) <= LONGEST
        return written

    def to(self, kind: str, *path: int) -> Mark:
        """The same for something else to do there."""
        return msgspec.structs.replace(self, kind=kind, path=path)


def read(text: str) -> Mark:
    """The mark that is written like this; NotFound if it is none of ours."""
    found = _FORM.fullmatch(text)
    if found is None:
        raise NotFound("This button is not one of ours.")
    kind, match, version, seat, path = found.groups()
    places = tuple(int(place) for place in path.split(".") if place)
    return Mark(kind, match, int(version), int(seat) if seat else None, places)
