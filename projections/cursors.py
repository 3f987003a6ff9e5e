"""Cursors: where the next page of a list begins, in one word."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TypeVar

import msgspec

T = TypeVar("T")


class BadCursor(ValueError):
    """A cursor that was not made here."""


def write(place: object) -> str:
    """The cursor of what comes after this place."""
    return urlsafe_b64encode(msgspec.json.encode(place)).rstrip(b"=").decode()


def read(cursor: str, place: msgspec.json.Decoder[T]) -> T:
    """The place after which the page begins; BadCursor if this is none."""
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        return place.decode(text)
    except (ValueError, msgspec.MsgspecError) as error:
        raise BadCursor("This cursor does not come from here.") from error
