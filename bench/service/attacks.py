"""How much an innocent player slows down while one address takes all it can get."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from secrets import token_hex
from statistics import quantiles

import msgspec

from bench.load.http import LoadResult, Script, repeat_until, request, run
from bench.load.limits import spread
from bench.load.matches import build_long_match, open_matches, random_moves, sign_up
from bench.load.servers import TREE, Server, run_apart, run_service
from service.store.event_store import EventStore
from service.store.redis_client import connect

SECONDS = 6.0
INTERVAL_S = 0.05  # between two requests of the innocent, so that they never queue
CONNECTIONS = 32  # of the attacker
LONG_MATCH, LENGTH = "long-match-of-the-bench", 1_500
VERSIONS = 50
SETTINGS = {
    "ANNALS_PROXIES": "1", "ANNALS_RATE": "6000", "ANNALS_RATE_PER_ADDRESS": "12000",
    "ANNALS_PROCESSOR_SECONDS": "30", "ANNALS_REGISTRATIONS": "60", "ANNALS_PICTURE_RATE": "300",
    "ANNALS_MAX_TABLES": "1000", "ANNALS_WEBHOOK_AUDIENCE": "50",
}  # fmt: skip
"""Limits as they are by default, and the address of a caller as a proxy reports it."""
ATTACKER, INNOCENT = ({"X-Forwarded-For": one} for one in ("192.0.2.1", "198.51.100.1"))
MATCH = f"/v1/matches/{LONG_MATCH}"
ATTACKS: Mapping[str, Sequence[str]] = {
    "exports": [f"{MATCH}/export"],
    "full checks": [f"{MATCH}/audit"],
    "histories of undos": [f"{MATCH}/lines"],
    "a match": [MATCH],
    "old versions": [f"{MATCH}?version={n}" for n in range(1, VERSIONS)],
    "entries with proofs and sentences": [f"{MATCH}/events?proof=true&sentences=true&limit=200"],
    "a game": ["/v1/games/great_wall"],
    "the contract": ["/openapi.json"],
    "pages of a match": [f"/matches/{LONG_MATCH}"],
    "pages of rules": ["/rules/great_wall"],
    "pictures": [f"{MATCH}/board.png?width={width}" for width in range(1_000, 1_400)],
    "statistics": [f"/v1/analytics/games/qin?limit={n}" for n in range(1, VERSIONS)],
}
"""The addresses that an attacker requests in turn, by name."""


def figures(folder: Path) -> dict[str, float]:
    """Latencies of an innocent player's state, move and page, with and without each attack."""
    with run_service(folder / "attacked", TREE, **SETTINGS) as server:
        _store_long_match(server)
        quiet = run_apart(innocent_load, server.port, SECONDS)
        found = spread("an innocent player, no other load", quiet.latencies)
        for name, wires in _attacks():
            innocent, attack = _beside(server.port, wires)
            found |= spread(f"beside {name}", innocent.latencies)
            found[f"beside {name}, p99 relative to no load"] = _p99(innocent) / _p99(quiet)
            found[f"beside {name}, requests of the attacker that failed"] = len(attack.failures)
            found[f"beside {name}, requests that failed"] = len(innocent.failures)
    return found


def _attacks() -> Iterator[tuple[str, list[bytes]]]:
    for name, paths in ATTACKS.items():
        yield name, [request("GET", path, headers=ATTACKER) for path in paths]
    bodies = (msgspec.json.encode({"name": token_hex(8)}) for _ in range(1_000))
    yield (
        "registrations",
        [request("POST", "/v1/players", body=one, headers=ATTACKER) for one in bodies],
    )


def _store_long_match(server: Server) -> None:
    store = EventStore(connect(server.events_url))
    for entry in build_long_match(LONG_MATCH, LENGTH):
        store.append(LONG_MATCH, entry, {})


def _beside(port: int, wires: list[bytes]) -> tuple[LoadResult, LoadResult]:
    """The requests of the innocent beside an attack, and those of the attacker."""
    with ThreadPoolExecutor(1) as pool:
        loud = pool.submit(run_apart, attack_load, port, SECONDS + 2, wires)
        return run_apart(innocent_load, port, SECONDS), loud.result()


def attack_load(port: int, seconds: float, wires: list[bytes]) -> LoadResult:
    """Connections that send the next request as soon as they have a response."""
    until = time.monotonic() + seconds
    return run(port, [repeat_until(until, wires) for _ in range(CONNECTIONS)])


def innocent_load(port: int, seconds: float) -> LoadResult:
    """A player who looks at a match, moves and loads its page."""
    token = sign_up(port)
    matches = open_matches(port, token, 4)
    return run(port, [_play(matches, token, time.monotonic() + seconds)], INTERVAL_S)


def _play(matches: list[str], token: str, until: float) -> Script:
    for match in matches:
        for move in random_moves(match):
            if time.monotonic() > until:
                return
            path, body = f"/v1/matches/{match}", msgspec.json.encode({"move": move})
            yield request("GET", path, token, headers=INNOCENT)
            yield request("POST", f"{path}/moves", token, body, INNOCENT)
            yield request("GET", f"/matches/{match}", headers=INNOCENT)


def _p99(timed: LoadResult) -> float:
    return quantiles(timed.latencies, n=100)[98]
