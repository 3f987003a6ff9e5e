"""Reads a request: its query, its body, and the headers of commands."""

from __future__ import annotations

import hashlib
import re
from typing import cast

import msgspec
from flask import g, request
from marshmallow import Schema, ValidationError
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, UnsupportedMediaType

from domain.match.errors import InvalidCommand
from service.accounts.players import Player
from service.http.context import annals
from service.http.json_responses import ENCODER, Json
from service.matches.commands import Metadata
from service.runtime.errors import BadQuery

MAX_DEPTH = 32
DECODER = msgspec.json.Decoder()
COLONS = (b":", rb"\u003a", rb"\u003A")
IDEMPOTENCY_KEY = re.compile(
    r'"([\x20-\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255})'
)
ETAG = r'(?:W/)?"[^"]*"'
ETAGS = re.compile(rf"{ETAG}(?:[ \t]*,[ \t]*{ETAG})*")
ETAG_VERSION = re.compile(r'(W/)?"(?:([0-9]{1,10})(?:-[0-9s]+(?:-[0-9a-f]+)?)?(?:-gzip)?|[^"]*)"')


def parse_query(schema: Schema) -> Json:
    """Return the parameters of the query, loaded by the schema. Raises BadQuery for a wrong or
    repeated one.
    """
    return _load_parameters(schema, request.args)


def check_parameters(schema: Schema, *names: str) -> Json:
    """Return these parameters, loaded by the schema. Raises BadQuery for a wrong or repeated one;
    others do not matter.
    """
    return _load_parameters(
        schema, MultiDict(each for each in request.args.items(multi=True) if each[0] in names)
    )


def _load_parameters(schema: Schema, parameters: MultiDict[str, str]) -> Json:
    if doubled := [name for name, values in parameters.lists() if len(values) > 1]:
        raise BadQuery([(name, "Given more than once.") for name in doubled])
    try:
        return cast(Json, schema.load(parameters.to_dict()))
    except ValidationError as error:
        wrong = cast(Json, error.messages)
        raise BadQuery([(name, " ".join(wrong[name])) for name in wrong]) from error


def parse_body(schema: Schema, optional: bool = False) -> Json:
    """Return the JSON object in the body, loaded by the schema.

    Raises BadRequest, UnsupportedMediaType, RequestEntityTooLarge or ValidationError; all become
    problem documents.
    """
    raw = request.get_data()
    if len(raw) > annals().settings.body_limit:  # sent in chunks, with no length in advance
        raise RequestEntityTooLarge
    if optional and not raw:
        g.body = {}
        return cast(Json, schema.load({}))
    if request.mimetype != "application/json":
        raise UnsupportedMediaType("Send `Content-Type: application/json`.")
    g.body = decode_json(raw)
    return cast(Json, schema.load(g.body))


def command_metadata(player: Player) -> Metadata:
    """Return the metadata of a command from this request; read the body first."""
    headers, parts = request.headers, (request.method, request.path, g.body)
    return build_metadata(player, headers.get("If-Match"), headers.get("Idempotency-Key"), parts)


def build_metadata(
    player: Player,
    if_match: str | None,
    idempotency_key: str | None,
    request_parts: tuple[str, str, object],
) -> Metadata:
    """Return the metadata of a command from two headers, and the method, path and body of its
    request.
    """
    key = parse_idempotency_key(idempotency_key)
    expected = parse_if_match(if_match)
    return Metadata(player.id, expected, key, _fingerprint(*request_parts) if key else "")


def parse_idempotency_key(header: str | None) -> str | None:
    """Return the key in `Idempotency-Key`: a quoted string, or the same without quotes."""
    if header is None:
        return None
    key = IDEMPOTENCY_KEY.fullmatch(header.strip())
    if key is None:
        raise InvalidCommand(
            "malformed", "An Idempotency-Key has 1 to 255 printable ASCII characters."
        )
    return key[1] or key[2]


def parse_if_match(header: str | None) -> tuple[int, ...] | None:
    """Return the versions in `If-Match`, of any view, or None if every version matches.

    The comparison is strong (RFC 9110, 13.1.1): a weak or foreign tag matches no version.
    """
    if header is None or header.strip() == "*":
        return None
    if ETAGS.fullmatch(header.strip()) is None:
        raise InvalidCommand("malformed", 'Send the version of the match: `If-Match: "7"`.')
    return tuple(
        int(digits) for weak, digits in ETAG_VERSION.findall(header) if digits and not weak
    )


def decode_json(raw: bytes) -> object:
    """Return the JSON in these bytes. Raises BadRequest for invalid JSON or a repeated member."""
    try:
        data = DECODER.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadRequest(f"This is not JSON: {error}.") from error
    except RecursionError as error:
        raise BadRequest("The JSON is nested too deeply.") from error
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and _depth(data) > MAX_DEPTH:
        raise BadRequest(f"The JSON is nested more than {MAX_DEPTH} deep.")
    # Decoding keeps one of two members with the same name, so the encoded form has one colon less;
    # nothing else loses or adds one.
    if _count_colons(raw) > ENCODER.encode(data).count(b":"):
        raise BadRequest("An object has two members with the same name.")
    return data


def _count_colons(raw: bytes) -> int:
    """Return how many colons this JSON has, inside strings and outside, escaped or not."""
    no_backslashes = raw.replace(rb"\\", b"")  # an escaped backslash escapes nothing after it
    return sum(map(no_backslashes.count, COLONS))


def _depth(data: object) -> int:
    """Return how deeply lists and objects are nested."""
    deep, level = 0, [data]
    while level := [
        inner
        for outer in level
        if isinstance(outer, list | dict)
        for inner in (outer.values() if isinstance(outer, dict) else outer)
    ]:
        deep += 1
    return deep + 1


def _fingerprint(method: str, path: str, body: object) -> str:
    """Return a hash of what a request asks for."""
    content = msgspec.json.encode(body, order="deterministic")
    return hashlib.sha256(b"\n".join((method.encode(), path.encode(), content))).hexdigest()
