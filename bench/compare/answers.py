"""`python -m bench.compare.answers OTHER` shows that this checkout answers as another one does.

It plays the same random games with the rules of both and compares every event and position. Then it
starts both services, plays a match of each game over REST, sends every GET request of the contract,
and compares statuses and the members of all responses. It prints every difference, such as members
that were renamed on purpose, and exits with 1 if a game or a status differs.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from email.message import Message
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import yaml  # type: ignore[import-untyped]

from bench.load.servers import TREE, run_service
from domain.games import GAMES

GAMES_EACH, MAX_MOVES, MOVES_OVER_REST = 20, 600, 24
TIMEOUT_S = 30
ID = re.compile(r"[0-9a-f]{8,}|\d+|[A-Za-z]{1,2}\d{1,2}|[0-9A-Za-z_-]{20,}|bot:\w+")
"""A key that is an id, a number or a place on a board rather than the name of a member."""
LIVE = ("/stream", "/readyz", "/healthz", "/v1/me/token", ".json")
"""Routes whose responses do not end, or depend on time; one that would change the token; and the
contract.
"""
PAUSE_S = 0.2
RANDOM_GAMES = """
import hashlib, json, sys
from domain.engine.dice import Luck, choose
from domain.engine import game as engine
from domain.games import GAMES
import msgspec
to_move = getattr(engine, "seats_to_move", None) or engine.awaited
for game in GAMES.values():
    for number in range(int(sys.argv[1])):
        seats = game.seats[number % len(game.seats)]
        dice, digest, count = Luck(f"{game.key} {number}"), hashlib.sha256(), 0
        setup = game.setup(game.options(), seats)
        state = engine.new_state(game, setup, seats, dice)
        while (waiting := to_move(state)) and count < int(sys.argv[2]):
            moves = engine.legal_moves(game, state, waiting[0])
            events = engine.decide(game, state, choose(dice, moves), dice)
            engine.fold(state, events)
            digest.update(msgspec.json.encode([moves, events]))
            digest.update(json.dumps(game.write_position(state), sort_keys=True).encode())
            count += 1
        print(game.key, number, count, digest.hexdigest())
"""
Json = Any
"""Any JSON value."""
Answers = Mapping[str, tuple[int, frozenset[str]]]
"""By route and game, the status and the paths of all members of the response."""


def random_games(tree: Path) -> list[str]:
    """A line for each random game of a checkout: key, number, moves, and a hash of all events."""
    python = sys.executable if tree == TREE else str(tree / ".venv/bin/python")
    command = [python, "-c", RANDOM_GAMES, str(GAMES_EACH), str(MAX_MOVES)]
    return subprocess.check_output(command, cwd=tree, text=True).splitlines()


class Client:
    """A player of a service."""

    def __init__(self, port: int) -> None:
        self._url, self._token = f"http://127.0.0.1:{port}", ""
        self._token = self.ask("/v1/players", {"name": "Ann"})[1]["token"]

    def ask(self, path: str, body: object = None) -> tuple[int, Json]:
        """The status and the JSON of a response; its media type if it is not JSON."""
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        try:
            request = Request(f"{self._url}{path}", data, headers)
            with urlopen(request, timeout=TIMEOUT_S) as response:
                return response.status, _content(response.read(), response.headers)
        except HTTPError as error:
            with error:
                return error.code, _content(error.read(), error.headers)


def _content(body: bytes, headers: Message) -> Json:
    kind = headers.get("Content-Type", "")
    return json.loads(body) if "json" in kind and "ndjson" not in kind else kind


def members(value: object, path: str = "") -> Iterator[str]:
    """The paths of all members of a JSON value, without ids, numbers and places."""
    if isinstance(value, dict):
        for key, inner in value.items():
            name = "*" if ID.fullmatch(key) else key
            yield f"{path}.{name}"
            yield from members(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from members(inner, f"{path}[]")


def answers(data: Path, tree: Path) -> Answers:
    """The answers of a checkout to every GET request of its contract, for a match of each game."""
    contract = yaml.load((tree / "openapi.yaml").read_text(), yaml.CSafeLoader)
    paths = [path for path, item in contract["paths"].items() if "get" in item]
    found = dict[str, tuple[int, frozenset[str]]]()
    with run_service(data, tree) as server:
        client = Client(server.port)
        me = client.ask("/v1/me")[1]["id"]
        for game in GAMES.values():
            match = play(client, game.key, game.levels[0].key)
            names = {
                "match_id": match,
                "game": game.key,
                "player": me,
                "other": me,
                "name": game.key,
            }
            for path in paths:
                if "{tile}" in path or path.endswith(LIVE):
                    continue
                status, content = client.ask(_filled(path, names))
                found[f"{path} ({game.key})"] = status, frozenset(members(content))
    return found


def _filled(path: str, names: Mapping[str, str]) -> str:
    """A path of the contract with values for its parameters."""
    return re.sub(r"{(\w+)}", lambda parameter: names.get(parameter[1], "x"), path)


def play(client: Client, game: str, level: str) -> str:
    """The id of a match of this game with some moves, an undo and a resignation."""
    plan = {"game": game, "seats": [{"me": True}, {"bot": level}]}
    match: str = client.ask("/v1/matches", plan)[1]["id"]
    for number in range(MOVES_OVER_REST):
        moves = client.ask(f"/v1/matches/{match}/legal-moves?wait=5")[1].get("moves", [])
        if moves:
            client.ask(f"/v1/matches/{match}/moves", {"move": moves[number % len(moves)]})
    client.ask(f"/v1/matches/{match}/undo", {})
    client.ask(f"/v1/matches/{match}/resign", {})
    deadline = monotonic() + TIMEOUT_S
    while not is_complete(client, match) and monotonic() < deadline:
        sleep(PAUSE_S)
    return match


def is_complete(client: Client, match: str) -> bool:
    """Whether a match is scored and in the log."""
    path = f"/v1/matches/{match}"
    scored: bool = client.ask(path)[1]["status"] == "scored"
    return scored and client.ask(f"{path}/proof")[0] == HTTPStatus.OK


def differences(others: Answers, ours: Answers) -> Iterator[str]:
    """A line for each route whose status or members differ; routes of one checkout only as well."""
    for route in sorted({*others, *ours}):
        if route not in others or route not in ours:
            yield f"{route}: only in {'ours' if route in ours else 'the other'}"
            continue
        (status, before), (now, after) = others[route], ours[route]
        if status != now:
            yield f"{route}: status {status} -> {now}"
        if gone := before - after:
            yield f"{route}: no more {', '.join(sorted(gone))}"
        if new := after - before:
            yield f"{route}: new {', '.join(sorted(new))}"


def main(other: Path) -> bool:
    """Whether all games and statuses are the same; prints what is and what is not."""
    before, now = random_games(other), random_games(TREE)
    decisions = sum(int(line.split()[2]) for line in now)
    other_games = sum(a != b for a, b in zip(before, now, strict=True))
    print(f"{len(now)} random games, {decisions} decisions: {other_games} differ")
    with TemporaryDirectory() as folder:
        others, ours = answers(Path(folder) / "other", other), answers(Path(folder) / "ours", TREE)
    found = list(differences(others, ours))
    print(f"{len(ours)} answers, {sum(': status' in line for line in found)} statuses differ")
    print(*found, sep="\n")
    return before == now and not any(": status" in line for line in found)


if __name__ == "__main__":
    sys.exit(not main(Path(sys.argv[1]).resolve()))
