"""Bodies of requests to Discord: JSON, or multipart with files."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from service.channels.chat.markup import truncate

Json = dict[str, Any]
MAX_ALT_CHARS = 1_024


class File(NamedTuple):
    """A file of a message, with its alternative text."""

    name: str
    content: bytes
    alt: str


def attachments(files: Sequence[File]) -> list[Json]:
    """Return the description of new files in a message; ids are strings, as all ids of Discord."""
    return [
        {"id": str(n), "filename": file.name, "description": truncate(file.alt, MAX_ALT_CHARS)}
        for n, file in enumerate(files)
    ]


def encode_body(body: object, files: Sequence[File] = ()) -> tuple[Mapping[str, str], bytes | None]:
    """Return the headers and the bytes of a body; no headers and None for None."""
    if body is None:
        return {}, None
    content = msgspec.json.encode(body)
    if not files:
        return {"Content-Type": "application/json"}, content
    boundary = secrets.token_hex(16)
    parts = [_part(boundary, 'name="payload_json"', "application/json", content)]
    parts += [
        _part(boundary, f'name="files[{n}]"; filename="{file.name}"', "image/png", file.content)
        for n, file in enumerate(files)
    ]
    form = b"".join([*parts, f"--{boundary}--\r\n".encode()])
    return {"Content-Type": f"multipart/form-data; boundary={boundary}"}, form


def _part(boundary: str, disposition: str, kind: str, content: bytes) -> bytes:
    head = f"Content-Disposition: form-data; {disposition}\r\nContent-Type: {kind}\r\n\r\n"
    return f"--{boundary}\r\n{head}".encode() + content + b"\r\n"
