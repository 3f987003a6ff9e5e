"""Pages of lists, and cursors: where the next page begins, in one word."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Generic, TypeVar

import msgspec

from domain.engine.errors import Refused

T = TypeVar("T")


class BadCursor(Refused):
    """A cursor that was not made here."""

    code = "bad_cursor"


class Page(msgspec.Struct, Generic[T], frozen=True):
    """Some of a list, in order; the cursor of the next page, if there is one; and how many entries
    the list had not read yet.
    """

    items: list[T]
    next: str | None
    behind: int


def write_cursor(place: str) -> str:
    """The cursor of what comes after this place: times of 14 digits, and the id of a match."""
    return urlsafe_b64encode(place.encode()).rstrip(b"=").decode()


def read_cursor(cursor: str, times: int) -> str:
    """The place, of so many times, after which the page begins; BadCursor if this is none."""
    try:
        place = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except ValueError:
        place = ""
    if not re.fullmatch(rf"(\d{{14}}:){{{times}}}[a-z0-9-]{{1,64}}", place, re.ASCII):
        raise BadCursor("This cursor does not come from here.")
    return place
