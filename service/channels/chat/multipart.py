"""Bodies of requests to Discord: JSON, or a form of it and of files."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

Json = dict[str, Any]


class File(NamedTuple):
    """What comes along with a message."""

    name: str
    content: bytes


def packed(body: object, files: Sequence[File] = ()) -> tuple[Mapping[str, str], bytes | None]:
    """The headers of a body, and the body; nothing for None."""
    if body is None:
        return {}, None
    content = msgspec.json.encode(body)
    if not files:
        return {"Content-Type": "application/json"}, content
    edge = secrets.token_hex(16)
    parts = [_part(edge, 'name="payload_json"', "application/json", content)]
    parts += [
        _part(edge, f'name="files[{n}]"; filename="{file.name}"', "image/png", file.content)
        for n, file in enumerate(files)
    ]
    form = b"".join([*parts, f"--{edge}--\r\n".encode()])
    return {"Content-Type": f"multipart/form-data; boundary={edge}"}, form


def _part(edge: str, about: str, kind: str, content: bytes) -> bytes:
    head = f"--{edge}\r\nContent-Disposition: form-data; {about}\r\nContent-Type: {kind}\r\n\r\n"
    return head.encode() + content + b"\r\n"
