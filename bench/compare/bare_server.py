"""The upper limit: a bare Flask route with marshmallow and one append, on the same server and
Redis.
"""

from __future__ import annotations

from os import environ
from uuid import uuid4

import msgspec
from flask import Flask, Response, request
from marshmallow import Schema, fields

from service.front.asgi_adapter import AsgiAdapter
from service.runtime.async_redis import LoopPool
from service.runtime.settings import Settings, read_settings
from service.store.redis_client import connect
from workers.host.web import listen, serve_in_processes


class Half(Schema):
    """Half of a tile."""

    row = fields.Integer(required=True, strict=True)
    col = fields.Integer(required=True, strict=True)
    color = fields.String(required=True)


class Placement(Schema):
    """A move of Qin."""

    type = fields.String(required=True)
    seat = fields.Integer(required=True, strict=True)
    kind = fields.String(required=True)
    halves = fields.List(fields.Nested(Half), required=True)


class Body(Schema):
    """The body of a request for a move."""

    move = fields.Nested(Placement, required=True)


app = Flask(__name__)
BODY = Body()
redis = connect(environ["REDIS_URL"], LoopPool)


@app.post("/bare")
def bare() -> Response:
    """Validate, append, respond."""
    body = BODY.load(msgspec.json.decode(request.get_data()))
    event = msgspec.json.encode(body)
    stream = f"bare:{uuid4().hex[:2]}"
    redis.xadd(stream, {"k": "Moved", "e": event})
    return Response(msgspec.json.encode(body), mimetype="application/json")


def load() -> AsgiAdapter:
    """The same ASGI application as in the service, with only this route."""
    return AsgiAdapter(app, read_settings(environ))


def main(settings: Settings) -> None:
    """Serve in as many processes as the service would."""
    with listen(settings.host, settings.port) as listener:
        serve_in_processes(settings, listener, load)


if __name__ == "__main__":
    main(read_settings(environ))
