"""Custom ids of buttons and menus: the action, the match, its version and the seat.

A custom id contains everything that its handler needs: nothing is stored per message, and an old
button is recognized by its version.
"""

from __future__ import annotations

import re

import msgspec
from msgspec import Struct

from service.runtime.errors import NotFound

MAX_CUSTOM_ID_CHARS = 100
_PATTERN = re.compile(
    r"([a-z]{2})\|([a-z0-9][a-z0-9-]{0,63})\|(\d{1,9})\|(\d{0,2})\|((?:\d{1,3}\.)*)"
)


class CustomId(Struct, frozen=True):
    """The action of a button or menu; `path` holds the choices made in previous menus."""

    action: str
    match: str
    version: int
    seat: int | None = None
    path: tuple[int, ...] = ()

    def __str__(self) -> str:
        seat = "" if self.seat is None else self.seat
        path = "".join(f"{choice}." for choice in self.path)
        text = f"{self.action}|{self.match}|{self.version}|{seat}|{path}"
        assert len(text) <= MAX_CUSTOM_ID_CHARS
        return text

    def with_action(self, action: str, *path: int) -> CustomId:
        """Return this id with another action and path."""
        return msgspec.structs.replace(self, action=action, path=path)


def parse(text: str) -> CustomId:
    """Parse a custom id. Raises NotFound if it is not one of ours."""
    found = _PATTERN.fullmatch(text)
    if found is None:
        raise NotFound("This button is not one of ours.")
    kind, match, version, seat, path = found.groups()
    choices = tuple(int(choice) for choice in path.split(".") if choice)
    return CustomId(kind, match, int(version), int(seat) if seat else None, choices)
