"""Pages of lists, and cursors: where the next page begins, in one word."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


class BadCursor(ValueError):
    """A cursor that was not made here."""


class Page(msgspec.Struct, Generic[T], frozen=True):
    """Some of a list, in order, and after what the next page begins, if there is one: a cursor, or
    how many places of a leaderboard.
    """

    items: list[T]
    next: str | int | None


def write_cursor(place: object) -> str:
    """The cursor of what comes after this place."""
    return urlsafe_b64encode(msgspec.json.encode(place)).rstrip(b"=").decode()


def read_cursor(cursor: str, place: msgspec.json.Decoder[T]) -> T:
    """The place after which the page begins; BadCursor if this is none."""
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        return place.decode(text)
    except (ValueError, msgspec.MsgspecError) as error:
        raise BadCursor("This cursor does not come from here.") from error
