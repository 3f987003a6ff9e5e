"""A bot that is told when it is its turn, and asks for nothing in between.

    python examples/push_bot.py http://127.0.0.1:8000 qin [port]

It plays a match against the weakest bot of the service. That has to be allowed to call this
machine: ANNALS_WEBHOOKS_LOOPBACK=1.
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
from urllib.request import Request, urlopen

from standardwebhooks import Webhook, WebhookVerificationError

MOST = 150  # moves: chance alone may never end a game


class Bot:
    """A player of the service, and where it is told what happens."""

    def __init__(self, service: str, port: int) -> None:
        self.service, self.proof, self.secret, self.moves = service, {}, "", 0
        self.told: Queue[dict] = Queue()
        bot = self

        class Door(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["content-length"] or 0))
                self.send_response(bot.hear(self.headers, raw))
                self.end_headers()  # at once: what there is to do is done afterwards

        server = HTTPServer(("127.0.0.1", port), Door)
        self.address = f"http://127.0.0.1:{server.server_port}/"
        Thread(target=server.serve_forever, daemon=True).start()

    def hear(self, headers: HTTPMessage, raw: bytes) -> int:
        """Take a message: the status to answer."""
        try:
            Webhook(self.secret).verify(raw, dict(headers), json_parse=False)  # these very bytes
            self.told.put(json.loads(raw))
        except json.JSONDecodeError as error:
            logging.error("signed well, but not JSON: %s", error)
            return 400
        except (WebhookVerificationError, ValueError) as error:
            logging.warning("not from the service, or for somebody else: %s", error)
            return 401
        return 204

    def call(self, method: str, path: str, body: object = None) -> dict:
        """What the service answers."""
        headers = {"Content-Type": "application/json", **self.proof}
        data = json.dumps(body).encode() if body else None
        with urlopen(Request(self.service + path, data, headers, method=method)) as answer:
            return json.load(answer)

    def begin(self, game: str) -> str:
        """Come to the service, ask to be told, open a match."""
        token = self.call("POST", "/v1/players", {"name": f"Push {token_hex(3)}"})["token"]
        self.proof = {"Authorization": f"Bearer {token}"}
        wanted = {"url": self.address, "types": ["turn.started", "undo.done", "match.scored"]}
        self.secret = self.call("POST", "/v1/webhooks", wanted)["secret"]
        weakest = self.call("GET", f"/v1/games/{game}")["levels"][0]["key"]
        plan = {"game": game, "seats": [{"me": True}, {"bot": weakest}], "nonce": token_hex(32)}
        return self.call("POST", "/v1/matches", plan)["id"]

    def move(self, match: str) -> None:
        """Move as long as it is our turn: the answer to a move tells nobody but us."""
        path = f"/v1/matches/{match}"
        while menu := self.call("GET", f"{path}/legal-moves")["moves"]:
            self.moves += 1
            try:
                if self.moves > MOST:
                    self.call("POST", f"{path}/resign")
                self.call("POST", f"{path}/moves", {"move": random.choice(menu)})  # noqa: TID251
            except HTTPError as error:
                if error.code not in (409, 412):  # the match moved on: look again
                    raise


def main(service: str, game: str = "qin", port: str = "0") -> None:
    """Play one match."""
    bot = Bot(service, int(port))
    match = bot.begin(game)
    while (message := bot.told.get())["type"] != "match.scored":
        bot.move(match)
    [rank] = [line["rank"] for line in message["data"]["result"]["lines"] if line["seat"] == 0]
    print(f"match {match} is over: place {rank}")


if __name__ == "__main__":
    main(*sys.argv[1:])
