"""What is asked of the service: matches played as fast as they can be, or at a pace."""

from __future__ import annotations

import msgspec

from bench.load.http import Script, Timed, request, run
from bench.load.matches import in_memory, moves_of, open_matches, playing_script, sign_up
from bench.load.servers import Server
from bench.load.usage import using
from service.store.event_store import Store
from service.store.redis_client import connect

PACED_MOVES = 25  # of each match: as many as any has, so that the pace holds to the end
PLACEMENT = {
    "move": {
        "type": "PlaceTile",
        "seat": 0,
        "kind": "RY",
        "halves": [{"row": 5, "col": 6, "color": "R"}, {"row": 5, "col": 7, "color": "Y"}],
    }
}


def moves_load(
    server: Server, count: int, in_turn: bool = False, interval: float = 0.0, most: int = 0
) -> Timed:
    """Play so many matches: side by side, a move per interval (seconds), or one after another; of
    each at most so many moves, unless that is 0.
    """
    token = sign_up(server.port)
    ids = open_matches(server.port, token, count)
    return _played(server, ids, token, in_turn, interval, most)


def floor_load(server: Server, count: int, in_turn: bool = False, most: int = 0) -> Timed:
    """Play matches on the floor, which opens none itself."""
    ids = [f"floor-{in_turn:d}-{number}" for number in range(count)]
    record_openings(server, ids)
    return _played(server, ids, "", in_turn, 0.0, most)


def record_openings(server: Server, ids: list[str]) -> None:
    """Record matches as opened."""
    store = Store(connect(server.events_url))
    for match_id in ids:
        _, opening, _ = next(in_memory(match_id))
        store.append(match_id, opening, {})


def bare_load(server: Server, clients: int, requests: int) -> Timed:
    """Ask so often for the bare route, by so many clients."""
    wire = request("POST", "/bare", body=msgspec.json.encode(PLACEMENT))
    return run(server.port, [_again(wire, requests) for _ in range(clients)])


def _played(
    server: Server, ids: list[str], token: str, in_turn: bool, interval: float, most: int
) -> Timed:
    limit = most or (PACED_MOVES if interval else None)
    scripts = [playing_script(match_id, token, moves_of(match_id, limit)) for match_id in ids]
    if in_turn:
        scripts = [_chained(scripts)]
    with using(server.pid) as spent:
        timed = run(server.port, scripts, interval)
    timed.spent = spent
    return timed


def _again(wire: bytes, times: int) -> Script:
    for _ in range(times):
        yield wire


def _chained(scripts: list[Script]) -> Script:
    for script in scripts:
        yield from script
