"""A bot that is told when it is its turn, and asks for nothing in between.

    python examples/push_bot.py http://127.0.0.1:8000 qin [port]

It opens a match against a strong bot of the service, and plays it to the end by what webhooks tell
it. The service has to be allowed to call this machine: ANNALS_WEBHOOKS_LOOPBACK=1.
"""

import base64
import hmac
import json
import random
import secrets
import sys
import time
from http.client import HTTPMessage
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class Bot:
    """A player of the service, and where it is told what happens."""

    def __init__(self, service: str, port: int) -> None:
        self.service, self.token, self.secret = service, "", ""
        self.told: Queue[dict] = Queue()
        bot = self

        class Door(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["content-length"]))
                good = bot.signed(self.headers, raw)
                self.send_response(204 if good else 401)
                self.end_headers()
                if good:  # answered at once: what there is to do is done afterwards
                    bot.told.put(json.loads(raw))

            def log_message(self, *_: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", port), Door)
        self.address = f"http://127.0.0.1:{server.server_port}/"
        Thread(target=server.serve_forever, daemon=True).start()

    def signed(self, headers: HTTPMessage, raw: bytes) -> bool:
        """Whether a message is signed with our secret."""
        if abs(time.time() - int(headers["webhook-timestamp"])) > 300:  # noqa: TID251 - as sent
            return False
        content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + raw
        key = base64.b64decode(self.secret.removeprefix("whsec_"))
        wanted = "v1," + base64.b64encode(hmac.digest(key, content, "sha256")).decode()
        given = headers["webhook-signature"].split()
        return any(hmac.compare_digest(wanted, one) for one in given)

    def call(self, method: str, path: str, body: object = None) -> dict:
        """What the service answers."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.service + path, data, headers, method=method)) as answer:
            return json.load(answer)

    def begin(self, game: str) -> str:
        """Come to the service, ask to be told, and open a match."""
        name = {"name": f"Push {secrets.token_hex(3)}"}
        self.token = self.call("POST", "/v1/players", name)["token"]
        wanted = {"url": self.address, "types": ["turn.started", "undo.done", "match.scored"]}
        self.secret = self.call("POST", "/v1/webhooks", wanted)["secret"]
        *_, strong, _ = self.call("GET", f"/v1/games/{game}")["levels"]
        plan = {"game": game, "seats": [{"me": True}, {"bot": strong["key"]}]}
        return self.call("POST", "/v1/matches", plan)["id"]

    def move(self, match: str) -> None:
        """Move as long as it is our turn: the answer to a move tells nobody but us."""
        path = f"/v1/matches/{match}"
        while menu := self.call("GET", f"{path}/legal-moves")["moves"]:
            try:
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
    places = {line["seat"]: line["rank"] for line in message["data"]["result"]["lines"]}
    print(f"match {match} is over: place {places[0]} of {len(places)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
