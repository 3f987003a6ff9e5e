"""Attacks with what players say, write, plan, vote on and ask for: all of it is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import msgspec

from bench.attacks import attackers
from bench.attacks.accounts import Account, find_answered, open_table, sign_up
from bench.attacks.attackers import Attack, Wire
from bench.load.matches import MATCH_SEED, random_moves
from domain.games import GAMES

ACCOUNTS = 20
TABLES_PER_ACCOUNT = 5
PLANNED = 10
"""Moves in a plan, at most."""
NOTED_VERSIONS = range(1, 51)
CLOCK = {"bank_s": 86_400}


def list_attacks_by_players(
    port: int, addresses: Iterator[Mapping[str, str]], watched: str, stored: str
) -> list[Attack]:
    """Attacks on a match that the attacker may watch, and with notes about a stored one."""
    room = f"/v1/matches/{watched}/talk/spectators"
    made: list[tuple[str, Callable[[int, Mapping[str, str], Sequence[Account]], list[Wire]]]] = [
        ("messages at the innocent's match", partial(_messages, room)),
        ("confirmations of mail", _confirmations),
        ("plans", _plans),
        ("votes", _votes),
        ("lists of players", _lists),
        ("notes", partial(_notes, stored)),
    ]
    found = [_loop(name, port, next(addresses), wires_of) for name, wires_of in made]
    address = next(addresses)
    tokens = [one.token for one in sign_up(port, address, ACCOUNTS)]
    load = partial(attackers.open_streams, f"{room}/stream", tokens)
    return [*found, Attack("streams of talk", load, address)]


def _loop(
    name: str,
    port: int,
    address: Mapping[str, str],
    wires_of: Callable[[int, Mapping[str, str], Sequence[Account]], list[Wire]],
) -> Attack:
    """Requests of new accounts in a loop, of which the service does not refuse the first."""
    wires = wires_of(port, address, sign_up(port, address, ACCOUNTS))
    assert find_answered(port, wires[:1]), f"{name}: {wires[0][:2]} is refused"
    return Attack(name, partial(attackers.loop, wires), address)


def _messages(room: str, _: int, __: Mapping[str, str], accounts: Sequence[Account]) -> list[Wire]:
    return [("POST", room, one.token, b'{"phrase":"hello"}') for one in accounts]


def _confirmations(_: int, __: Mapping[str, str], accounts: Sequence[Account]) -> list[Wire]:
    """Each asks for mail to other addresses, which get mail to confirm them."""
    wanted = ((one, f"{one.id}-{number}@example.com") for number in range(5) for one in accounts)
    return [
        ("PUT", "/v1/me/mail", one.token, msgspec.json.encode({"address": mail}))
        for one, mail in wanted
    ]


def _plans(port: int, address: Mapping[str, str], accounts: Sequence[Account]) -> list[Wire]:
    """Plans at many tables. A worker looks at each: it makes its moves, or drops them."""
    plan = {"game": "qin", "seats": [{"me": True}] * 2, "seed": MATCH_SEED.hex()}
    wires: list[Wire] = []
    for one in [*accounts] * TABLES_PER_ACCOUNT:
        match = open_table(port, address, one.token, plan)
        moves = [{"move": move} for move in random_moves(match, PLANNED)]
        body = msgspec.json.encode({"moves": moves})
        wires.append(("PUT", f"/v1/matches/{match}/plan", one.token, body))
    return wires


def _votes(port: int, address: Mapping[str, str], accounts: Sequence[Account]) -> list[Wire]:
    """Pauses, which bots agree to at once, and their ends."""
    seats = [{"me": True}, {"bot": GAMES["qin"].levels[0].key}]
    wires: list[Wire] = []
    for one in accounts:
        match = open_table(
            port, address, one.token, {"game": "qin", "seats": seats, "clock": CLOCK}
        )
        path = f"/v1/matches/{match}/proposal"
        kinds = (b'{"kind":"pause"}', b'{"kind":"resume"}')
        wires += [("POST", path, one.token, body) for body in kinds]
    return wires


def _lists(_: int, __: Mapping[str, str], accounts: Sequence[Account]) -> list[Wire]:
    """Each follows the others, blocks them, and ends that."""
    pairs = [(one, other) for one in accounts for other in accounts if one != other]
    return [
        (method, f"/v1/me/{people}/{other.id}", one.token, b"")
        for people in ("follows", "blocks")
        for method in ("PUT", "DELETE")
        for one, other in pairs
    ]


def _notes(match: str, _: int, __: Mapping[str, str], accounts: Sequence[Account]) -> list[Wire]:
    body = msgspec.json.encode({"text": "A note. " * 50})
    return [
        ("PUT", f"/v1/matches/{match}/notes/{version}", one.token, body)
        for version in NOTED_VERSIONS
        for one in accounts
    ]
