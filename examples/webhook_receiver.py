"""Receive webhooks: verify messages, read each once, and keep the order of each match.

    python examples/webhook_receiver.py http://127.0.0.1:8000 [port]

Start the service with ANNALS_WEBHOOKS_LOOPBACK=1, so that it may call this machine.
"""

import json
import logging
import secrets
import sys
from collections.abc import Callable
from typing import Any

from client import Client
from flask import Flask, request
from standardwebhooks import Webhook, WebhookVerificationError

MAX_IDS = 10_000
log = logging.getLogger("receiver")
Message = dict[str, Any]


class Inbox:
    """Hands on each message once, and those of a match in order."""

    def __init__(self, read: Callable[[Message], None]) -> None:
        self._read = read
        self._ids: dict[str, None] = {}  # in your service: a table with a unique key
        self._last: dict[str, tuple[int, str]] = {}

    def accept(self, message_id: str, message: Message) -> None:
        """Read a message, unless it is a duplicate or older than one that was read."""
        if message_id in self._ids:
            return
        self._ids[message_id] = None
        if len(self._ids) > MAX_IDS:
            del self._ids[next(iter(self._ids))]
        match, version = message["data"].get("match"), message["data"].get("version", 0)
        last_version, last_at = self._last.get(match, (0, ""))
        if version < last_version and message["timestamp"] <= last_at:
            log.info("version %s of %s is a replay", version, match)
        else:  # lower but newer: the service restored a backup
            self._last[match] = version, message["timestamp"]
            self._read(message)


def create_app(secret: str, inbox: Inbox) -> Flask:
    """Return the receiver as a Flask application."""
    app = Flask(__name__)
    webhook = Webhook(secret)

    @app.post("/hook")
    def hook() -> tuple[str, int]:
        raw = request.get_data()  # first: the signature covers these bytes
        try:
            webhook.verify(raw, dict(request.headers), json_parse=False)
        except (WebhookVerificationError, ValueError) as error:
            log.warning("wrong signature: %s", error)
            return "", 401
        try:
            message = json.loads(raw)
        except ValueError as error:
            log.error("valid signature, but no JSON: %s", error)
            return "", 400
        inbox.accept(request.headers["webhook-id"], message)
        return "", 204

    return app


def show(message: Message) -> None:
    """Print match, version and type of a message."""
    data = message["data"]
    print(data.get("match"), data.get("version"), message["type"], flush=True)


def main(service: str, port: str = "8008") -> None:
    """Subscribe to all public matches, and print each message."""
    listener = Client(service, f"Listener {secrets.token_hex(3)}")
    webhook = {"url": f"http://127.0.0.1:{port}/hook", "filter": {"whose": "all"}}
    made = listener.call("POST", "/v1/webhooks", webhook)
    create_app(made["secret"], Inbox(show)).run(port=int(port))


if __name__ == "__main__":
    main(*sys.argv[1:])
