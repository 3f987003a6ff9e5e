"""Play a match from webhooks: the bot gets a message when it is its turn.

    python examples/push_bot.py http://127.0.0.1:8000 qin [port]

It plays against the weakest bot of the service. Start the service with
ANNALS_WEBHOOKS_LOOPBACK=1, so that it may call this machine.
"""

import json
import logging
import random
import sys
from http.client import HTTPMessage
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from secrets import token_hex
from threading import Thread
from urllib.error import HTTPError

from client import Client
from standardwebhooks import Webhook, WebhookVerificationError

MAX_MOVES = 150  # random moves may never end a game


class Bot:
    """A player of the service, and the server that receives its messages."""

    def __init__(self, service: str, port: int) -> None:
        self.service, self.secret, self.moves = service, "", 0
        self.messages: Queue[dict] = Queue()
        bot = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["content-length"] or 0))
                self.send_response(bot.receive(self.headers, raw))
                self.end_headers()  # answer at once, and work afterwards

        server = HTTPServer(("127.0.0.1", port), Handler)
        self.address = f"http://127.0.0.1:{server.server_port}/"
        Thread(target=server.serve_forever, daemon=True).start()

    def receive(self, headers: HTTPMessage, raw: bytes) -> int:
        """Queue a message if its signature is right; return the status to answer."""
        try:
            Webhook(self.secret).verify(raw, dict(headers), json_parse=False)  # as received
            self.messages.put(json.loads(raw))
        except json.JSONDecodeError as error:
            logging.error("valid signature, but no JSON: %s", error)
            return 400
        except (WebhookVerificationError, ValueError) as error:
            logging.warning("wrong signature: %s", error)
            return 401
        return 204

    def begin(self, game: str) -> str:
        """Register a player and a webhook, and open a match; return its id."""
        self.player = Client(self.service, f"Push {token_hex(3)}")
        webhook = {"url": self.address, "types": ["turn.started", "undo.done", "match.scored"]}
        self.secret = self.player.call("POST", "/v1/webhooks", webhook)["secret"]
        weakest = self.player.call("GET", f"/v1/games/{game}")["levels"][0]["key"]
        plan = {"game": game, "seats": [{"me": True}, {"bot": weakest}], "nonce": token_hex(32)}
        return self.player.call("POST", "/v1/matches", plan)["id"]

    def move(self, match: str) -> None:
        """Move while it is our turn: several moves in a row get one message."""
        path = f"/v1/matches/{match}"
        while moves := self.player.call("GET", f"{path}/legal-moves")["moves"]:
            self.moves += 1
            try:
                if self.moves > MAX_MOVES:
                    self.player.call("POST", f"{path}/resign")
                self.player.call("POST", f"{path}/moves", {"move": random.choice(moves)})  # noqa: TID251
            except HTTPError as error:
                if error.code not in (409, 412):  # the match has moved on: read it again
                    raise


def main(service: str, game: str = "qin", port: str = "0") -> None:
    """Play one match."""
    bot = Bot(service, int(port))
    match = bot.begin(game)
    while (message := bot.messages.get())["type"] != "match.scored":
        bot.move(match)
    [rank] = [line["rank"] for line in message["data"]["result"]["lines"] if line["seat"] == 0]
    print(f"match {match} is over: place {rank}")


if __name__ == "__main__":
    main(*sys.argv[1:])
