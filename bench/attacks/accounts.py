"""Accounts of an attacker, and requests that are sent once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from bench.attacks.attackers import ELSEWHERE, Wire, send_all


class Account(NamedTuple):
    """The token and the id of a player."""

    token: str
    id: str


def sign_up(port: int, address: Mapping[str, str], number: int) -> list[Account]:
    """Register players at an address."""
    prefix = address["X-Forwarded-For"]
    bodies = (msgspec.json.encode({"name": f"a {prefix} {one}"}) for one in range(number))
    wires: list[Wire] = [("POST", "/v1/players", "", body) for body in bodies]
    made = [msgspec.json.decode(text) for _, text in send_all(wires, port, address)]
    return [Account(one["token"], one["player"]["id"]) for one in made]


def open_table(
    port: int, address: Mapping[str, str], token: str, plan: Mapping[str, object]
) -> str:
    """The id of a new match."""
    wire: Wire = ("POST", "/v1/matches", token, msgspec.json.encode(plan))
    [(_, text)] = send_all([wire], port, address)
    match: str = msgspec.json.decode(text)["id"]
    return match


def find_answered(port: int, wires: Sequence[Wire]) -> list[Wire]:
    """Those of these requests that the service does not refuse."""
    answers = (send_all([wire], port, ELSEWHERE) for wire in wires)
    return [wire for wire, [(status, _)] in zip(wires, answers, strict=True) if status < 400]
