"""How soon bots answer and how many moves they make, with and without another player's tables."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from bench.load.limits import spread
from bench.load.usage import measure_usage, usage_per_move
from domain.engine.dice import Luck, choose
from domain.engine.game import legal_moves
from domain.games import GAMES
from domain.match.scheduled_work import bot_to_move
from domain.match.state import Match
from service.matches.match_cache import MatchCache
from service.runtime.settings import read_settings
from service.store.event_store import EventStore
from service.store.redis_client import connect
from tests.support.whole_service import Service, whole_service

ANSWER_MATCHES = 8  # matches of a person against the weakest bot
PLAYERS, TABLES = 8, 5
GAMES_MEASURED = ("qin", "chang_cheng")  # their weakest bots think for some 4 ms, and for a tenth
FLOOD_TABLES = 150
SETTLE_S = 10.0  # until all workers are busy
OPENINGS = 10
STRONGEST = "qin_shi_huang"
TIMEOUT_S = 300
SETTINGS = {
    "ANNALS_RATE": "0", "ANNALS_RATE_PER_ADDRESS": "0", "ANNALS_PROCESSOR_SECONDS": "0",
    "ANNALS_REGISTRATIONS": "0",
    "ANNALS_MAX_BOT_TABLES": "0", "ANNALS_BOT_QUOTA_SECONDS": "0", "ANNALS_LOG_LEVEL": "error",
    "ANNALS_WARM_UP": "1",
}  # fmt: skip


def figures(folder: Path) -> dict[str, float]:
    """Latencies of the weakest bots, their moves per second, and the time of each; then the same
    beside 150 tables of five strong Hansa bots.
    """
    measured: dict[str, float] = {}
    with whole_service(folder / "bots", **SETTINGS) as service:
        bench = Bench(service)
        for game in GAMES_MEASURED:
            measured |= _answers(game, bench.answers(game))
            measured |= bench.tables(game)
        bench.flood()
        for game in GAMES_MEASURED:
            measured |= _answers(f"{game} beside {FLOOD_TABLES} tables", bench.answers(game))
        measured[f"first move of the strongest qin bot beside {FLOOD_TABLES} tables, p50 s"] = (
            median(bench.openings())
        )
    return measured


def _answers(name: str, seconds: list[tuple[float, float]]) -> dict[str, float]:
    requests, entries = zip(*seconds, strict=True)
    return {
        **spread(f"{name}: bot move after the request", list(requests)),
        **spread(f"{name}: bot move after the entry", list(entries)),
    }


class Bench:
    """A service, and its store, which shows when entries are appended."""

    def __init__(self, service: Service) -> None:
        settings = read_settings(service.environ)
        self._service = service
        self._urls = (settings.events_url, settings.queue_url)
        self._store = EventStore(connect(settings.events_url))
        self._matches = MatchCache(self._store, GAMES)

    def answers(self, game: str) -> list[tuple[float, float]]:
        """Seconds from a person's request, and from its entry, to the entry of the bot's move."""
        self._service.sign_up(f"person {time.monotonic_ns()}")
        return [pair for _ in range(ANSWER_MATCHES) for pair in self._one_match(game)]

    def tables(self, game: str) -> dict[str, float]:
        """The number of moves that bots make at several tables of several players, and the use per
        move.
        """
        seats = [_weakest(game)] * 2
        begin, matches = time.perf_counter(), list[str]()
        with measure_usage(self._service.process.pid, *self._urls) as spent:
            for _ in range(PLAYERS):
                self._service.sign_up(f"host {time.monotonic_ns()}")
                matches += [self._open(game, seats=seats) for _ in range(TABLES)]
            while not all(self._is_over(match) for match in matches):
                time.sleep(0.1)
        seconds = time.perf_counter() - begin
        moves = sum(map(self._store.version, matches))
        return {
            f"{game}: {PLAYERS} players with {TABLES} tables, bot moves per second": moves
            / seconds,
            **{f"{game}: {what}": count for what, count in usage_per_move(spent, moves).items()},
        }

    def flood(self) -> None:
        """Let one player keep many tables of strong bots busy."""
        self._service.sign_up("flooder")
        for _ in range(FLOOD_TABLES):
            self._open(game="hansa_teutonica", seats=[{"bot": "alderman"}] * 5)
        time.sleep(SETTLE_S)

    def openings(self) -> Iterator[float]:
        """Seconds from the request that opens a table to the first move of its strong bot."""
        self._service.sign_up("opener")
        for _ in range(OPENINGS):
            began = time.perf_counter()
            match = self._open(
                seats=[{"me": True}, {"bot": STRONGEST}], options={"first_player": "seat:1"}
            )
            self._await(match, 2, 0)
            yield time.perf_counter() - began

    def _one_match(self, game: str) -> Iterator[tuple[float, float]]:
        """The latencies of the bot in one match against a random player."""
        match_id, luck = self._open(game, seats=[{"me": True}, _weakest(game)]), Luck("person")
        while not (match := self._wait_for_bots(match_id)).over:
            move = choose(luck, legal_moves(match.game, match.state, match.seats_to_move[0]))
            position = self._store.feed_length(self._store.partition_of(match_id))
            with self._send(f"/v1/matches/{match_id}/moves", {"move": move}):
                began = time.perf_counter()
                position = self._await(match_id, match.version + 1, position)
                recorded = time.perf_counter()
                if bot_to_move(self._matches.at(match_id, match.version + 1)) is not None:
                    self._await(match_id, match.version + 2, position)
                    answered = time.perf_counter()
                    yield answered - began, answered - recorded

    def _wait_for_bots(self, match_id: str) -> Match:
        """The match once none of its bots has to move."""
        while bot_to_move(match := self._matches.latest(match_id)) is not None:
            time.sleep(0.01)
        return match

    def _is_over(self, match_id: str) -> bool:
        return self._matches.latest(match_id).over

    def _open(self, game: str = "qin", **plan: object) -> str:
        match: str = self._service.insist("POST", "/v1/matches", {"game": game, **plan})["id"]
        return match

    @contextmanager
    def _send(self, path: str, body: dict[str, Any]) -> Iterator[None]:
        """Send a request in the background during the block."""
        host = self._service.url.removeprefix("http://")
        connection = HTTPConnection(host, timeout=TIMEOUT_S)
        head = {
            "Content-Type": "application/json",
            "Authorization": f"Bearer {self._service.token}",
        }
        connection.connect()
        connection.request("POST", path, msgspec.json.encode(body), head)
        yield
        assert connection.getresponse().status < 400
        connection.close()

    def _await(self, match_id: str, version: int, position: int) -> int:
        """Wait until a match is at this version; returns its position in the feed, after the given
        one.
        """
        partition = self._store.partition_of(match_id)
        until = time.monotonic() + TIMEOUT_S
        while time.monotonic() < until:
            for pointer in self._store.read_feed(partition, position, 100, 1_000):
                position = pointer.position
                if (pointer.match, pointer.version) == (match_id, version):
                    return position
        raise TimeoutError("the bot never moved")


def _weakest(game: str) -> dict[str, str]:
    """The seat of the weakest bot of a game."""
    return {"bot": GAMES[game].levels[0].key}
