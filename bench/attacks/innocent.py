"""An innocent player: looks at a match, moves, loads its page, has a webhook, plays a bot."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, NamedTuple

import msgspec

from bench.load.matches import MATCH_SEED, random_moves
from bench.load.servers import Server
from domain.engine.dice import Luck, choose
from domain.engine.game import legal_moves
from domain.games import GAMES
from domain.match.scheduled_work import bot_to_move
from domain.match.state import Match
from service.matches.container import wall_clock
from service.matches.match_cache import MatchCache
from service.store.event_store import EventStore
from service.store.redis_client import connect

INTERVAL_S = 0.03
"""How long the player waits after each response."""
BOT_INTERVAL_S = 0.1
POLL_S = 0.01
STEP_SEATS: list[dict[str, Any]] = [{"me": True}, {"me": True}]


class Sample(NamedTuple):
    """A measurement: when it began (`time.monotonic`), and how many seconds it took."""

    kind: str
    at: float
    seconds: float


class Client:
    """A connection of a player with a token."""

    def __init__(self, server: Server, address: Mapping[str, str]) -> None:
        self._connection = HTTPConnection("127.0.0.1", server.port)
        self._headers = {**address, "Content-Type": "application/json"}

    def sign_up(self, name: str) -> None:
        """Register a player."""
        token = msgspec.json.decode(self.ask("POST", "/v1/players", {"name": name}))["token"]
        self._headers["Authorization"] = f"Bearer {token}"

    def open_match(self, seats: Iterable[Mapping[str, Any]]) -> str:
        """The id of a new match of Qin."""
        plan = {"game": "qin", "seats": list(seats), "seed": MATCH_SEED.hex()}
        match: str = msgspec.json.decode(self.ask("POST", "/v1/matches", plan))["id"]
        return match

    def ask(self, method: str, path: str, body: object = None) -> bytes:
        """The body of a response; an error if the service refuses."""
        content = b"" if body is None else msgspec.json.encode(body)
        self._connection.request(method, path, content, self._headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:200]!r}")
        return text


class Innocent:
    """The player's threads, and all that they have measured."""

    def __init__(self, server: Server, address: Mapping[str, str]) -> None:
        self.samples: list[Sample] = []
        self._server, self._address = server, address
        self._stopped = Event()
        self._reader = self._client()
        self.match = self._reader.open_match(STEP_SEATS)

    def _client(self) -> Client:
        client = Client(self._server, self._address)
        client.sign_up(f"innocent {time.monotonic_ns()}")
        return client

    @contextmanager
    def run(self) -> Iterator[None]:
        """Play during the block."""
        receiver = self._receiver()
        url = f"http://localhost:{receiver.server_port}/"
        self._reader.ask("POST", "/v1/webhooks", {"url": url, "types": ["move.made"]})
        threads = [
            Thread(target=receiver.serve_forever, daemon=True),
            Thread(target=self._play, daemon=True),
            Thread(target=self._play_bot, args=(self._client(),), daemon=True),
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stopped.set()
            for thread in threads[1:]:
                thread.join()
            receiver.shutdown()
            receiver.server_close()

    def _time(self, kind: str, client: Client, method: str, path: str, body: object = None) -> None:
        began = time.monotonic()
        client.ask(method, path, body)
        self.samples.append(Sample(kind, began, time.monotonic() - began))
        self._stopped.wait(INTERVAL_S)

    def _play(self) -> None:
        """Play a match after another, alone on both seats."""
        match = self.match
        while True:
            for move in random_moves(match):
                if self._stopped.is_set():
                    return
                path = f"/v1/matches/{match}"
                self._time("state", self._reader, "GET", path)
                self._time("move", self._reader, "POST", f"{path}/moves", {"move": move})
                self._time("page", self._reader, "GET", f"/matches/{match}")
            match = self._reader.open_match(STEP_SEATS)

    def _play_bot(self, client: Client) -> None:
        """Play against the weakest bot, and measure when its answer is recorded."""
        matches = MatchCache(EventStore(connect(self._server.events_url)), GAMES)
        bot, luck = {"bot": GAMES["qin"].levels[0].key}, Luck("innocent")
        name = client.open_match([{"me": True}, bot])
        while not self._stopped.is_set():
            match = self._wait_for_bot(matches, name)
            if match.over:
                name = client.open_match([{"me": True}, bot])
                continue
            move = choose(luck, legal_moves(match.game, match.state, match.seats_to_move[0]))
            client.ask("POST", f"/v1/matches/{name}/moves", {"move": move})
            began = time.monotonic()
            match = self._wait_for_bot(matches, name)
            self.samples.append(Sample("bot", began, time.monotonic() - began))
            self._stopped.wait(BOT_INTERVAL_S)

    def _wait_for_bot(self, matches: MatchCache, name: str) -> Match:
        while bot_to_move(match := matches.latest(name)) is not None:
            time.sleep(POLL_S)
        return match

    def _receiver(self) -> ThreadingHTTPServer:
        samples = self.samples

        class Handler(BaseHTTPRequestHandler):
            """Records how late messages are."""

            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                """Receive a message."""
                body = msgspec.json.decode(self.rfile.read(int(self.headers["content-length"])))
                sent = datetime.fromisoformat(body["timestamp"]).timestamp()
                late = wall_clock() / 1000 - sent
                samples.append(Sample("webhook", time.monotonic() - late, late))
                self.send_response(204)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        return ThreadingHTTPServer(("127.0.0.1", 0), Handler)
