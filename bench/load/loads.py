"""Loads for the service: matches played at full speed, or at a given rate."""

from __future__ import annotations

import msgspec

from bench.load.http import LoadResult, Script, request, run
from bench.load.matches import open_matches, play_in_memory, playing_script, random_moves, sign_up
from bench.load.servers import Server
from bench.load.usage import measure_usage
from service.store.event_store import EventStore
from service.store.redis_client import connect

PACED_MOVES_PER_MATCH = (
    25  # moves of each match: every match has that many, so the rate holds to the end
)
PLACEMENT = {
    "move": {
        "type": "PlaceTile",
        "seat": 0,
        "kind": "RY",
        "halves": [{"row": 5, "col": 6, "color": "R"}, {"row": 5, "col": 7, "color": "Y"}],
    }
}


def moves_load(
    server: Server, count: int, in_turn: bool = False, interval: float = 0.0, max_moves: int = 0
) -> LoadResult:
    """Play `count` matches: concurrently, with one move per `interval` (seconds), or one after
    another; at most `most` moves of each unless that is 0.
    """
    token = sign_up(server.port)
    ids = open_matches(server.port, token, count)
    return _play_scripts(server, ids, token, in_turn, interval, max_moves)


def baseline_load(
    server: Server, count: int, in_turn: bool = False, max_moves: int = 0
) -> LoadResult:
    """Play matches on the baseline server, which cannot open matches."""
    ids = [f"baseline-{in_turn:d}-{number}" for number in range(count)]
    record_openings(server, ids)
    return _play_scripts(server, ids, "", in_turn, 0.0, max_moves)


def record_openings(server: Server, ids: list[str]) -> None:
    """Append the first entries of these matches."""
    store = EventStore(connect(server.events_url))
    for match_id in ids:
        _, opening, _ = next(play_in_memory(match_id))
        store.append(match_id, opening, {})


def bare_load(server: Server, clients: int, requests: int) -> LoadResult:
    """Send requests to the bare route, from several clients."""
    wire = request("POST", "/bare", body=msgspec.json.encode(PLACEMENT))
    return run(server.port, [_repeat(wire, requests) for _ in range(clients)])


def _play_scripts(
    server: Server, ids: list[str], token: str, in_turn: bool, interval: float, max_moves: int
) -> LoadResult:
    limit = max_moves or (PACED_MOVES_PER_MATCH if interval else None)
    scripts = [playing_script(match_id, token, random_moves(match_id, limit)) for match_id in ids]
    if in_turn:
        scripts = [_chain(scripts)]
    with measure_usage(server.pid) as spent:
        timed = run(server.port, scripts, interval)
    timed.usage = spent
    return timed


def _repeat(wire: bytes, times: int) -> Script:
    for _ in range(times):
        yield wire


def _chain(scripts: list[Script]) -> Script:
    for script in scripts:
        yield from script
