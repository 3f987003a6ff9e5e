"""Compresses responses with gzip for callers that accept it (RFC 9110, 8.4 and 12.5.3).

Only text from some length on is compressed. A `no-store` response holds a token and stays as it is,
so that its length reveals nothing. Event streams stay as they are: each event leaves at once. So
does what has a `Content-Encoding`.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256

from flask import Request, Response

from service.runtime.event_loop import pause
from service.runtime.shares.byte_cache import ByteCache

NDJSON = "application/x-ndjson"
TEXT_TYPES = {
    "application/json", "application/problem+json", "application/yaml", "image/svg+xml",
    "text/html", "text/plain",
}  # fmt: skip
MIN_BYTES = 1_000
"""Bytes; a shorter body fits into one packet anyway."""
STEP_BYTES = 65_536
"""Bytes compressed, in a millisecond or two, before other requests get a turn."""
MAX_CACHED_BYTES = 8_000_000
"""Bytes of longer bodies that a process keeps compressed: many are the same for all callers."""
LEVEL = 5
ETAG_SUFFIX = "-gzip"
"""Ends the ETag of a compressed response: it is another representation (RFC 9110, 8.8.3)."""
_compressed = ByteCache(MAX_CACHED_BYTES)
GZIP_WBITS = 31
"""The `wbits` of zlib for a window of 32 KiB with the header of gzip."""


def compress_response(request: Request, response: Response) -> None:
    """Compress the response if the caller accepts gzip, and set `Vary`."""
    if not _is_compressible(response):
        return
    response.vary.add("Accept-Encoding")
    if not request.accept_encodings["gzip"]:
        return
    if response.mimetype == NDJSON:
        response.response = compress_stream(response.iter_encoded())
        response.headers.pop("Content-Length", None)
    else:
        response.set_data(_compress(response.get_data()))
    response.headers["Content-Encoding"] = "gzip"
    tag, weak = response.get_etag()
    if tag and request.method in ("GET", "HEAD"):  # a command's ETag is that of the match
        response.set_etag(tag + ETAG_SUFFIX, bool(weak))


def _compress(text: bytes) -> bytes:
    if len(text) <= STEP_BYTES:
        return gzip.compress(text, LEVEL, mtime=0)
    key = sha256(text).digest()
    if (known := _compressed.get(key)) is None:
        known = b"".join(compress_stream(_steps(text)))
        _compressed.put(key, known)
    return known


def _steps(text: bytes) -> Iterator[bytes]:
    """Yield the parts of a text; lets other requests run between them."""
    for start in range(0, len(text), STEP_BYTES):
        yield text[start : start + STEP_BYTES]
        pause(0)


def compress_stream(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the parts of a long response, compressed one by one."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP_WBITS)
    for part in parts:
        yield packer.compress(part)
    yield packer.flush()


def _is_compressible(response: Response) -> bool:
    if response.status_code != 200 or response.cache_control.no_store:
        return False
    if "Content-Encoding" in response.headers:
        return False
    if response.mimetype == NDJSON:
        return True
    if not response.is_sequence:  # a HEAD response has no body, nor the length 0
        return False
    return (
        response.mimetype in TEXT_TYPES and (response.calculate_content_length() or 0) >= MIN_BYTES
    )
