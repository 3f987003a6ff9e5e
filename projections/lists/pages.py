"""Pages of lists, and the cursors between them."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Generic, TypeVar

import msgspec

from domain.engine.errors import Refusal

T = TypeVar("T")


class BadCursor(Refusal):
    """A cursor that Annals has not issued."""

    code = "bad_cursor"


class Page(msgspec.Struct, Generic[T], frozen=True):
    """A part of a list in order, the cursor of the next page or None, and the number of entries
    that the projection had not folded yet.
    """

    items: list[T]
    next: str | None
    lag: int


def write_cursor(sort_key: str) -> str:
    """Encode a sort key (times of 14 digits, and the id of a match) as the cursor after it."""
    return urlsafe_b64encode(sort_key.encode()).rstrip(b"=").decode()


def read_cursor(cursor: str, key_times: int) -> str:
    """Decode the sort key of a cursor, with this number of times. Raises BadCursor if it is not
    valid.
    """
    try:
        sort_key = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except ValueError:
        sort_key = ""
    if not re.fullmatch(rf"(\d{{14}}:){{{key_times}}}[a-z0-9-]{{1,64}}", sort_key, re.ASCII):
        raise BadCursor("This cursor does not come from here.")
    return sort_key
