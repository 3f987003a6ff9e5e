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
        self._chunks_end = b""
        """The last bytes of the chunks of a body."""

    def pieces(self, data: bytes, body_left: Callable[[], int | None]) -> Iterator[bytes]:
        """Yield received bytes for the parser, which must parse each piece before the next.

        `body_left` returns how many of the next bytes are the rest of a body, which passes as it
        is: None if the body comes in chunks.
        """
        while data:
            left = 0 if self._in_head else body_left()
            if left != 0:
                size = self._chunks_size(data) if left is None else left
                yield data[:size]
                data = data[size:]
            else:
                head, data = self._split_head(data)
                yield UPGRADE_HEADER.sub(b"\r\nX-Upgrade", head)

    def _split_head(self, data: bytes) -> tuple[bytes, bytes]:
        """Split bytes behind a head; of an incomplete one hold back the last line."""
        head, end, rest = (self._held + data).partition(HEAD_END)
        self._in_head, self._held, self._chunks_end = not end, b"", b""
        if self._in_head:
            head, self._held = _split_last_line(head)
        return head + end, rest

    def _chunks_size(self, data: bytes) -> int:
        """Return the size of chunks until the next empty line: the last one ends with one."""
        seen = self._chunks_end + data
        before, end, _ = seen.partition(HEAD_END)
        chunks = before + end
        size = len(chunks) - len(self._chunks_end)
        self._chunks_end = chunks[1 - len(HEAD_END) :]
        return size


def _split_last_line(head: bytes) -> tuple[bytes, bytes]:
    """Split an incomplete head before its last line end, or before a half one."""
    place = head.rfind(LINE_END)
    if place < 0:
        place = len(head) - head.endswith(LINE_END[:1])
    return head[:place], head[place:]
