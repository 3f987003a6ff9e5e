"""A receiver of webhooks: verifies, knows what it had before, and keeps the order of each match.

    python examples/webhook_receiver.py http://127.0.0.1:8000 [port]

The service has to be allowed to call this machine: ANNALS_WEBHOOKS_LOOPBACK=1.
"""

import json
import logging
import secrets
import sys
from collections.abc import Callable
from typing import Any
from urllib.request import Request, urlopen

from flask import Flask, request
from standardwebhooks import Webhook, WebhookVerificationError

REMEMBERED = 10_000
log = logging.getLogger("receiver")
Message = dict[str, Any]


class Inbox:
    """What has arrived: each message once, those of a match in order."""

    def __init__(self, read: Callable[[Message], None]) -> None:
        self._read = read
        self._ids: dict[str, None] = {}  # in a service of your own: a table with a unique key
        self._last: dict[str, tuple[int, str]] = {}

    def take(self, name: str, message: Message) -> None:
        """Read a message, unless it was there before or something later was."""
        if name in self._ids:
            return
        self._ids[name] = None
        if len(self._ids) > REMEMBERED:
            del self._ids[next(iter(self._ids))]
        match, version = message["data"].get("match"), message["data"].get("version", 0)
        last_version, last_at = self._last.get(match, (0, ""))
        if version < last_version and message["timestamp"] <= last_at:
            log.info("version %s of %s was asked for again", version, match)
        else:  # a lower version that is newer: the service went back to a backup
            self._last[match] = version, message["timestamp"]
            self._read(message)


def create_app(secret: str, inbox: Inbox) -> Flask:
    """The receiver as an application."""
    app = Flask(__name__)
    webhook = Webhook(secret)

    @app.post("/hook")
    def hook() -> tuple[str, int]:
        raw = request.get_data()  # before anything else: these very bytes were signed
        try:
            webhook.verify(raw, dict(request.headers), json_parse=False)
        except (WebhookVerificationError, ValueError) as error:
            log.warning("not from the service, or for somebody else: %s", error)
            return "", 401
        try:
            message = json.loads(raw)
        except ValueError as error:
            log.error("signed well, but not JSON: %s", error)
            return "", 400
        inbox.take(request.headers["webhook-id"], message)
        return "", 204

    return app


def call(url: str, body: Message, token: str = "") -> Message:
    """What the service answers."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    if not token:
        del headers["Authorization"]
    with urlopen(Request(url, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


def show(message: Message) -> None:
    """Say what a message tells."""
    data = message["data"]
    print(data.get("match"), data.get("version"), message["type"], flush=True)


def main(service: str, port: str = "8008") -> None:
    """Ask to be told of all public matches, and show what comes."""
    who = call(f"{service}/v1/players", {"name": f"Listener {secrets.token_hex(3)}"})
    wanted = {"url": f"http://127.0.0.1:{port}/hook", "filter": {"whose": "all"}}
    made = call(f"{service}/v1/webhooks", wanted, who["token"])
    create_app(made["secret"], Inbox(show)).run(port=int(port))


if __name__ == "__main__":
    main(*sys.argv[1:])
