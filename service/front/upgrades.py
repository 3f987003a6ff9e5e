"""Requests that offer another protocol are served over HTTP/1.1 (RFC 9110, 7.8)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

UPGRADE_HEADER = re.compile(rb"\r\nupgrade(?=:)", re.IGNORECASE)
LINE_END, HEAD_END = b"\r\n", b"\r\n\r\n"


class UpgradeFilter:
    """Renames the `Upgrade` headers of one connection before the parser sees them.

    Some clients offer HTTP/2 with each request, and the parser would take the body of such a
    request for another protocol.
    """

    def __init__(self) -> None:
        self._in_head = False
        self._held = b""
        """The last line of an incomplete head, with the line end before it."""

    def pieces(self, data: bytes, is_in_message: Callable[[], bool]) -> Iterator[bytes]:
        """Yield received bytes for the parser, which must parse each piece before the next.

        `is_in_message` returns whether the parser is within a message; the rest of a message behind
        its head passes as it is.
        """
        while data:
            if not self._in_head and is_in_message():
                yield data
                return
            head, end, data = (self._held + data).partition(HEAD_END)
            self._in_head, self._held = not end, b""
            if self._in_head:
                head, self._held = _split_last_line(head)
            yield UPGRADE_HEADER.sub(b"\r\nX-Upgrade", head) + end


def _split_last_line(head: bytes) -> tuple[bytes, bytes]:
    """Split an incomplete head before its last line end, or before a half one."""
    place = head.rfind(LINE_END)
    if place < 0:
        place = len(head) - head.endswith(LINE_END[:1])
    return head[:place], head[place:]
