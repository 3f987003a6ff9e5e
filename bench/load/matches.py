"""Matches with known moves, so that a load consists only of moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from itertools import islice
from secrets import token_hex
from typing import Any
from zlib import crc32

import msgspec

from bench.load.http import Response, Script, request, run
from domain.audit.texts import with_head
from domain.engine.dice import Luck, choose
from domain.engine.game import Game, legal_moves
from domain.engine.play import Move
from domain.games import GAMES
from domain.match.decisions import ending, lobby, playing, undo
from domain.match.log import Draft, Entry, apply_events, make_entry
from domain.match.state import Chair, Match
from service.store.idempotency import command_id

MATCH_SEED = bytes(32)
QIN = GAMES["qin"]
PLAYER = "u0123456789abcdef"
START_MS = 1_700_000_000_000
MOVES_BEFORE_UNDO = 25
MAX_ENTRIES = 400  # entries: random play may never end a game
AnyGame = Game[Any]


def play_in_memory(match_id: str, game: AnyGame = QIN) -> Iterator[tuple[Match, Entry, Draft]]:
    """A match that one player plays against themselves at random: yields the match after each
    entry, the entry and its draft.
    """
    match, luck = Match(game, MATCH_SEED), Luck(match_id)
    draft = _opening_draft(match_id, game)
    while True:
        yield match, _append_draft(match_id, match, draft), draft
        if match.over or match.version == MAX_ENTRIES:
            return
        draft = _random_move(match, luck)


def build_long_match(
    match_id: str, length: int, game: AnyGame = QIN, max_line: int = MOVES_BEFORE_UNDO
) -> list[Entry]:
    """The entries of a match of this length; its moves are undone whenever there are `most` of
    them.
    """
    match, luck = Match(game, MATCH_SEED), Luck(match_id)
    entries = [_append_draft(match_id, match, _opening_draft(match_id, game))]
    while len(entries) < length:
        back = len(match.line) > max_line
        draft = undo.undo(match, PLAYER, 1, 0) if back else _random_move(match, luck)
        entries.append(_append_draft(match_id, match, draft))
    return entries


def build_scored_match(match_id: str, game: AnyGame = QIN) -> list[Entry]:
    """The entries of a match of random moves to its end, or to a resignation, with its score."""
    played = list(play_in_memory(match_id, game))
    match, entries = played[-1][0], [entry for _, entry, _ in played]
    if not match.over:
        entries.append(_append_draft(match_id, match, playing.resign(match, PLAYER, 0)))
    entries.append(_append_draft(match_id, match, ending.score(match)))
    return entries


def _opening_draft(match_id: str, game: AnyGame) -> Draft:
    chairs = (Chair(player=PLAYER),) * 2
    plan = lobby.Plan(match=match_id, host=PLAYER, chairs=chairs, seed_given=True, expires=0)
    return lobby.create(game, plan, MATCH_SEED, 0)


def _random_move(match: Match, luck: Luck) -> Draft:
    moves = legal_moves(match.game, match.state, match.seats_to_move[0])
    return playing.move(match, choose(luck, moves), 0)


def _append_draft(match_id: str, match: Match, draft: Draft) -> Entry:
    version = match.version + 1
    command = command_id(PLAYER, str(version), "")
    secret = b"" if match.version else MATCH_SEED
    record = make_entry(
        draft, version, PLAYER, START_MS + version, match.game.rules, command, secret
    )
    record = with_head(match_id, match, record, draft)
    apply_events(match, record, draft.events)
    return record


def random_moves(match_id: str, limit: int | None = None) -> list[Move]:
    """The moves of that match, or the first `most` of them."""
    moves = (draft.move for _, _, draft in play_in_memory(match_id) if draft.move)
    return list(islice(moves, limit))


def sign_up(port: int) -> str:
    """The token of a new player."""
    answers: list[Response] = []
    body = msgspec.json.encode({"name": f"bench {token_hex(4)}"})
    run(port, [_once(request("POST", "/v1/players", body=body), answers)])
    token: str = msgspec.json.decode(answers[0][1])["token"]
    return token


def open_matches(port: int, token: str, count: int) -> list[str]:
    """The ids of new matches in which this player has both seats."""
    body = msgspec.json.encode(
        {"game": "qin", "seats": [{"me": True}, {"me": True}], "seed": MATCH_SEED.hex()}
    )
    answers: list[Response] = []
    wires = (request("POST", "/v1/matches", token, body) for _ in range(count))
    run(port, [_once(wire, answers) for wire in wires])
    return [msgspec.json.decode(text)["id"] for _, text in answers]


def playing_script(match_id: str, token: str, moves: Iterable[Move]) -> Script:
    """All moves of a match, one after the other, from an address of its own."""
    path = f"/v1/matches/{match_id}/moves"
    address = {"X-Forwarded-For": str(ip_address(crc32(match_id.encode())))}
    for move in moves:
        yield request("POST", path, token, msgspec.json.encode({"move": move}), address)


def _once(wire: bytes, answers: list[Response]) -> Script:
    answers.append((yield wire))
