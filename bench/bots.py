"""How long somebody's bots take while another player keeps many tables of strong bots busy."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from statistics import median

import msgspec

from bench.http import Answer, Script, request, run
from bench.matches import sign_up
from bench.rest import running
from tests.ports import free_port
from workers.host.redis_server import embedded_redis

TABLES = 150
SETTLE_S = 10.0  # until all workers are busy
MATCHES = 10
LEVELS = {"weakest": "li_mu", "strongest": "qin_shi_huang"}
PATIENCE_S = 300


def figures(folder: Path) -> dict[str, float]:
    """Seconds until the first move of a bot of Qin, beside tables of five Hansa bots each."""
    port = free_port()
    unlimited = {
        "ANNALS_RATE": "0", "ANNALS_RATE_ADDRESS": "0", "ANNALS_MAX_BOT_TABLES": "0",
        "ANNALS_THINKING_SECONDS": "0",
    }  # fmt: skip
    with embedded_redis(folder / "bots") as url:
        environ = {
            **os.environ, **unlimited, "REDIS_URL": url, "ANNALS_LOG_LEVEL": "error",
            "ANNALS_PORT": str(port), "ANNALS_DATA": str(folder / "busy"),
        }  # fmt: skip
        with running([sys.executable, "-m", "workers.cli", "run"], environ, port, "/readyz"):
            quiet = _first_moves(port, "weakest")
            _flood(port)
            return {
                "the weakest bot, nobody else there, p50 s": median(quiet),
                **_spread("the weakest bot", _first_moves(port, "weakest")),
                **_spread("the strongest bot", _first_moves(port, "strongest")),
            }


def _spread(name: str, seconds: list[float]) -> dict[str, float]:
    beside = f"{name}, beside {TABLES} tables of strong bots"
    return {f"{beside}, p50 s": median(seconds), f"{beside}, longest s": max(seconds)}


def _flood(port: int) -> None:
    seats = [{"bot": "alderman"}] * 5
    body = msgspec.json.encode({"game": "hansa_teutonica", "seats": seats})
    wire = request("POST", "/v1/matches", sign_up(port), body)
    run(port, [_in_turn([wire] * TABLES, [])])
    time.sleep(SETTLE_S)


def _first_moves(port: int, level: str) -> list[float]:
    """Seconds from the request that opens a table to the first move of its bot, each alone."""
    token = sign_up(port)
    return [_first_move(port, token, LEVELS[level]) for _ in range(MATCHES)]


def _first_move(port: int, token: str, level: str) -> float:
    plan = {
        "game": "qin",
        "seats": [{"me": True}, {"bot": level}],
        "options": {"first_player": "seat:1"},
    }
    answers: list[Answer] = []
    began = time.perf_counter()
    body = msgspec.json.encode(plan)
    run(port, [_in_turn([request("POST", "/v1/matches", token, body)], answers)])
    match = msgspec.json.decode(answers[0][1])["id"]
    wire = request("GET", f"/v1/matches/{match}/events?after=1&wait=20", token)
    while b'"Moved"' not in answers[-1][1]:
        assert time.perf_counter() - began < PATIENCE_S, "the bot never moved"
        run(port, [_in_turn([wire], answers)])
    return time.perf_counter() - began


def _in_turn(wires: list[bytes], answers: list[Answer]) -> Script:
    for wire in wires:
        answer = yield wire
        answers.append(answer)
