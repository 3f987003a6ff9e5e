"""Reading a request: its query, its body, and the headers of commands."""

from __future__ import annotations

import hashlib
import re
from typing import cast

import msgspec
from flask import g, request
from marshmallow import Schema, ValidationError
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, UnsupportedMediaType

from domain.match.errors import Malformed
from service.accounts.players import Player
from service.http.context import annals
from service.http.json_responses import ENCODER, Json
from service.matches.commands import Metadata
from service.runtime.errors import BadQuery

DEEPEST = 32
DECODER = msgspec.json.Decoder()
COLONS = (b":", rb"\u003a", rb"\u003A")
KEY = re.compile(r'"([\x20-\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255})')
TAG = r'(?:W/)?"[^"]*"'
TAGS = re.compile(rf"{TAG}(?:[ \t]*,[ \t]*{TAG})*")
VERSIONS = re.compile(r'(W/)?"(?:([0-9]{1,10})(?:-[0-9s]+(?:-[0-9a-f]+)?)?(?:-gzip)?|[^"]*)"')


def query(schema: Schema) -> Json:
    """The parameters of the query as the schema has them; BadQuery if one is wrong, or comes
    twice.
    """
    return _read(schema, request.args)


def check(schema: Schema, *names: str) -> None:
    """BadQuery if one of these parameters, which the schema has, is wrong, or comes twice."""
    _read(schema, MultiDict(each for each in request.args.items(multi=True) if each[0] in names))


def _read(schema: Schema, parameters: MultiDict[str, str]) -> Json:
    if doubled := [name for name, values in parameters.lists() if len(values) > 1]:
        raise BadQuery([(name, "Given more than once.") for name in doubled])
    try:
        return cast(Json, schema.load(parameters.to_dict()))
    except ValidationError as error:
        wrong = cast(Json, error.messages)
        raise BadQuery([(name, " ".join(wrong[name])) for name in wrong]) from error


def body(schema: Schema, optional: bool = False) -> Json:
    """The JSON object that was sent, as the schema loads it.

    Raises BadRequest, UnsupportedMediaType, RequestEntityTooLarge or ValidationError; all become
    problem documents.
    """
    raw = request.get_data()
    if len(raw) > annals().settings.body_limit:  # sent in chunks, so that nobody knew before
        raise RequestEntityTooLarge
    if optional and not raw:
        g.body = {}
        return cast(Json, schema.load({}))
    if request.mimetype != "application/json":
        raise UnsupportedMediaType("Send `Content-Type: application/json`.")
    g.body = decode(raw)
    return cast(Json, schema.load(g.body))


def command(player: Player) -> Metadata:
    """What a command needs to know of this request; the body must have been read."""
    asked = request.headers
    what = (request.method, request.path, g.body)
    return metadata(player, asked.get("If-Match"), asked.get("Idempotency-Key"), what)


def metadata(
    player: Player, if_match: str | None, idempotency_key: str | None, what: tuple[str, str, object]
) -> Metadata:
    """What a command needs to know of a request: two headers, and its method, path and body."""
    key = key_in(idempotency_key)
    expected = versions_in(if_match)
    return Metadata(player.id, expected, key, _fingerprint(*what) if key else "")


def key_in(header: str | None) -> str | None:
    """The key in `Idempotency-Key`: a quoted string, or the same without quotes."""
    if header is None:
        return None
    found = KEY.fullmatch(header.strip())
    if found is None:
        raise Malformed("malformed", "An Idempotency-Key has 1 to 255 printable ASCII characters.")
    return found[1] or found[2]


def versions_in(header: str | None) -> tuple[int, ...] | None:
    """The versions in `If-Match`, whosever view they were of; None if any will do.

    The comparison is strong (RFC 9110, 13.1.1): a weak tag, or one that is not one of ours,
    matches no version.
    """
    if header is None or header.strip() == "*":
        return None
    if TAGS.fullmatch(header.strip()) is None:
        raise Malformed("malformed", 'Send the version of the match: `If-Match: "7"`.')
    return tuple(int(digits) for weak, digits in VERSIONS.findall(header) if digits and not weak)


def decode(raw: bytes) -> object:
    """The JSON in these bytes; BadRequest if they are none, or say something twice."""
    try:
        data = DECODER.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadRequest(f"This is not JSON: {error}.") from error
    except RecursionError as error:
        raise BadRequest("The JSON is nested too deeply.") from error
    if raw.count(b"[") + raw.count(b"{") > DEEPEST and _depth(data) > DEEPEST:
        raise BadRequest(f"The JSON is nested more than {DEEPEST} deep.")
    # Of two members with the same name one is lost, and with it the colon between its name and its
    # value; nothing else loses or adds one.
    if _colons(raw) > ENCODER.encode(data).count(b":"):
        raise BadRequest("A member of an object is named twice.")
    return data


def _colons(raw: bytes) -> int:
    """How many colons this JSON has, within strings or not, however they are written."""
    no_backslashes = raw.replace(rb"\\", b"")  # a backslash that stands for itself escapes nothing
    return sum(map(no_backslashes.count, COLONS))


def _depth(data: object) -> int:
    """How deeply lists and objects are nested in each other."""
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
    """A hash of what a request asks for."""
    content = msgspec.json.encode(body, order="deterministic")
    return hashlib.sha256(b"\n".join((method.encode(), path.encode(), content))).hexdigest()
