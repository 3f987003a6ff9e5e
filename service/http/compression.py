"""Answers made smaller with gzip for those who ask for it (RFC 9110, 8.4 and 12.5.3).

Packed is text of some length. An answer that nobody may store holds a token and goes out as it is,
so that its length tells nothing. Streams of events are not packed: each has to leave at once.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from functools import partial

from flask import Request, Response

from service.runtime.event_loop import aside

LINES = "application/x-ndjson"
TEXTS = {
    "application/json", "application/problem+json", "application/yaml", "image/svg+xml",
    "text/html", "text/plain",
}  # fmt: skip
LEAST = 1_000
"""Bytes; what is shorter fits into one packet anyway."""
LONG = 65_536
"""Bytes; what is longer is packed in a thread, for it takes milliseconds."""
LEVEL = 5
SUFFIX = "-gzip"
"""Ends the ETag of what is packed: it is another representation (RFC 9110, 8.8.3)."""
GZIP = 31
"""What zlib calls a window of 32 KiB with the header of gzip around it."""


def pack(asked: Request, response: Response) -> None:
    """Pack an answer if the caller takes that, and say that it depends on what they take."""
    if not _worth_it(response):
        return
    response.vary.add("Accept-Encoding")
    if not asked.accept_encodings["gzip"]:
        return
    if response.mimetype == LINES:
        response.response = packed(response.iter_encoded())
        response.headers.pop("Content-Length", None)
    else:
        response.set_data(_packed_whole(response.get_data()))
    response.headers["Content-Encoding"] = "gzip"
    tag, weak = response.get_etag()
    if tag and asked.method in ("GET", "HEAD"):  # that of a command is the tag of the match
        response.set_etag(tag + SUFFIX, bool(weak))


def _packed_whole(text: bytes) -> bytes:
    pack_it = partial(gzip.compress, text, LEVEL, mtime=0)
    return aside(pack_it) if len(text) > LONG else pack_it()


def packed(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The parts of a long answer packed as they come."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    for part in parts:
        yield packer.compress(part)
    yield packer.flush()


def _worth_it(response: Response) -> bool:
    if response.status_code != 200 or response.cache_control.no_store:
        return False
    if response.mimetype == LINES:
        return True
    if not response.is_sequence:  # the answer to HEAD has no body, and not the length of none
        return False
    return response.mimetype in TEXTS and (response.calculate_content_length() or 0) >= LEAST
