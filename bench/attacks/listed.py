"""The attacks, with the accounts, webhooks and matches that they need."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import count

import msgspec

from bench.attacks import attackers
from bench.attacks.accounts import find_answered, open_table, sign_up
from bench.attacks.attackers import Attack, Wire
from bench.attacks.by_players import list_attacks_by_players
from bench.load.matches import MATCH_SEED, random_moves
from service.http.contract import read_core

VERSIONS = 50
SLOW_RECEIVERS = 40
WEBHOOKS_PER_ACCOUNT = 10
ACCOUNTS = 20
WEBHOOK_ACCOUNTS = 60
FEWEST_ROUTES = 30
ALL_ROUTES = "all routes"
METRICS = (
    "win_share,win_rate,score,lead,margin,length,minutes,decisions,thinking_time,undo_rate,"
    "timeout_rate,resignation_rate,luck,error,accuracy"
)
CONTROL = "three busy processes (control)"


def list_attacks(port: int, receiver: int, long_match: str, innocent_match: str) -> list[Attack]:
    """All attacks, each from an address of its own; prepares what they need."""
    addresses = ({"X-Forwarded-For": f"192.0.2.{number}"} for number in count(1))
    attacks = [Attack(CONTROL, attackers.spin, next(addresses))]
    for name, paths in _loops(f"/v1/matches/{long_match}", long_match).items():
        address, token = next(addresses), ""
        if name == ALL_ROUTES:
            [(token, _)] = sign_up(port, address, 1)
        wires: list[Wire] = [("GET", path, token, b"") for path in paths]
        if name == ALL_ROUTES:
            wires = find_answered(port, wires)
            assert len(wires) >= FEWEST_ROUTES, wires
        assert find_answered(port, wires[:1]), f"{name}: {paths[0]} is refused"
        attacks.append(Attack(name, partial(attackers.loop, wires), address))
    export = f"/v1/matches/{long_match}/export"
    leave = partial(attackers.ask_and_leave, export)
    attacks.append(Attack("600 exports whose callers leave", leave, next(addresses)))
    read = partial(attackers.read_slowly, export)
    attacks.append(Attack(f"{attackers.SLOW_READERS:,} slow readers", read, next(addresses)))
    attacks.append(Attack("registrations", attackers.register, next(addresses)))
    prepared = (_streams, _webhooks, _slow_receivers, _bot_tables)
    attacks += [one(port, next(addresses), receiver, innocent_match) for one in prepared]
    return [*attacks, *list_attacks_by_players(port, addresses, innocent_match, long_match)]


def _loops(match: str, name: str) -> Mapping[str, Sequence[str]]:
    """The paths that an attacker requests in turn."""
    return {
        "exports": [f"{match}/export"],
        "full checks": [f"{match}/audit"],
        "histories of undos": [f"{match}/lines"],
        "a match": [match],
        "old versions": [f"{match}?version={n}" for n in range(1, VERSIONS)],
        "entries with proofs and sentences": [
            f"{match}/events?proof=true&sentences=true&limit=200"
        ],
        "lines of entries": [f"{match}/events.ndjson?sentences=true"],
        "a game": ["/v1/games/great_wall"],
        "the contract": ["/openapi.json"],
        "pages of a match": [f"/matches/{name}"],
        "pages of rules": ["/rules/great_wall"],
        "pictures": [f"{match}/board.png?width={width}" for width in range(1_000, 1_400)],
        "wide statistics": [
            f"/v1/analytics/games/qin?metric={METRICS}&by=player,first&include=position,seed,fork&limit={n}"
            for n in range(1, VERSIONS)
        ],
        ALL_ROUTES: list(_routes(name)),
    }


def _routes(match: str) -> Iterator[str]:
    """The addresses of the contract with a response that ends."""
    places = {"match_id": match, "game": "qin", "series": match, "part": "qin"}
    for template, item in read_core()["paths"].items():
        content = item.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        names = re.findall(r"{(\w+)}", template)
        if "get" in item and "text/event-stream" not in content and places.keys() >= set(names):
            yield template.format(**places)


def _streams(port: int, address: Mapping[str, str], _: int, match: str) -> Attack:
    tokens = [one.token for one in sign_up(port, address, ACCOUNTS)]
    load = partial(attackers.open_streams, f"/v1/matches/{match}/stream", tokens)
    return Attack("streams of the innocent's match", load, address)


def _webhooks(port: int, address: Mapping[str, str], receiver: int, _: str) -> Attack:
    """Webhooks that ask for all matches, as far as the service accepts them."""
    accounts = sign_up(port, address, WEBHOOK_ACCOUNTS)
    wires = [
        wire for one in accounts for wire in _new_webhooks(one.token, receiver, "quick", "all")
    ]
    load = partial(attackers.open_and_delete, wires)
    return Attack("webhooks to everything", load, address)


def _slow_receivers(port: int, address: Mapping[str, str], receiver: int, _: str) -> Attack:
    """Moves of which slow receivers receive a message each."""
    accounts = sign_up(port, address, SLOW_RECEIVERS // WEBHOOKS_PER_ACCOUNT)
    tokens = [one.token for one in accounts]
    for token in tokens:
        attackers.send_all(_new_webhooks(token, receiver, "slow", "mine"), port, address)
    scripts = [_moves(port, address, token) for token in tokens]
    return Attack(f"{SLOW_RECEIVERS} slow receivers", partial(attackers.play, scripts), address)


def _bot_tables(port: int, address: Mapping[str, str], _: int, __: str) -> Attack:
    accounts = sign_up(port, address, ACCOUNTS)
    plan = {"game": "hansa_teutonica", "seats": [{"bot": "alderman"}] * 5}
    body = msgspec.json.encode(plan)
    wires: list[Wire] = [("POST", "/v1/matches", one.token, body) for one in accounts]
    return Attack("bot tables", partial(attackers.open_and_delete, wires), address)


def _new_webhooks(token: str, receiver: int, kind: str, whose: str) -> Iterator[Wire]:
    wanted = {"types": ["move.made"], "filter": {"whose": whose}}
    for number in range(WEBHOOKS_PER_ACCOUNT):
        url = f"http://127.0.0.1:{receiver}/{kind}?{number}"
        yield "POST", "/v1/webhooks", token, msgspec.json.encode({"url": url, **wanted})


def _moves(port: int, address: Mapping[str, str], token: str) -> list[Wire]:
    plan = {"game": "qin", "seats": [{"me": True}] * 2, "seed": MATCH_SEED.hex()}
    match = open_table(port, address, token, plan)
    return [
        ("POST", f"/v1/matches/{match}/moves", token, msgspec.json.encode({"move": move}))
        for move in random_moves(match)
    ]
