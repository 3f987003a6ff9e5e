"""Matches whose moves are known beforehand, so that a load consists of moves alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from secrets import token_hex
from typing import Any

import msgspec

from bench.load.http import Answer, Script, request, run
from domain.audit.texts import chained
from domain.engine.dice import Luck, choose
from domain.engine.game import Game, legal_moves
from domain.engine.play import Move
from domain.games import GAMES
from domain.match.decisions import lobby, playing, undo
from domain.match.log import Draft, Entry, entry, write_down
from domain.match.state import Chair, Match
from service.store.idempotency import command_of

SEED = bytes(32)
QIN = GAMES["qin"]
PLAYER = "u0123456789abcdef"
START_MS = 1_700_000_000_000
MOVES_BEFORE_UNDO = 25
MOST = 400  # entries: chance alone may never end a game
AnyGame = Game[Any]


def in_memory(match_id: str, game: AnyGame = QIN) -> Iterator[tuple[Match, Entry, Draft]]:
    """A match that one player plays at random with both hands: each entry, and the match after."""
    match, luck = Match(game, SEED), Luck(match_id)
    draft = _opened(match_id, game)
    while True:
        yield match, _written(match_id, match, draft), draft
        if match.over or match.version == MOST:
            return
        draft = _any_move(match, luck)


def long_match(
    match_id: str, length: int, game: AnyGame = QIN, most: int = MOVES_BEFORE_UNDO
) -> list[Entry]:
    """A match of so many entries: its moves are undone again and again, so many at once."""
    match, luck = Match(game, SEED), Luck(match_id)
    entries = [_written(match_id, match, _opened(match_id, game))]
    while len(entries) < length:
        back = len(match.line) > most
        draft = undo.undo(match, PLAYER, 1, 0) if back else _any_move(match, luck)
        entries.append(_written(match_id, match, draft))
    return entries


def _opened(match_id: str, game: AnyGame) -> Draft:
    chairs = (Chair(player=PLAYER),) * 2
    plan = lobby.Plan(match=match_id, host=PLAYER, chairs=chairs, seed_given=True, expires=0)
    return lobby.create(game, plan, SEED, 0)


def _any_move(match: Match, luck: Luck) -> Draft:
    moves = legal_moves(match.game, match.state, match.awaited[0])
    return playing.move(match, choose(luck, moves), 0)


def _written(match_id: str, match: Match, draft: Draft) -> Entry:
    version = match.version + 1
    command = command_of(PLAYER, str(version), "")
    secret = b"" if match.version else SEED
    record = entry(draft, version, PLAYER, START_MS + version, match.game.rules, command, secret)
    record = chained(match_id, match, record, draft)
    write_down(match, record, draft.events)
    return record


def moves_of(match_id: str, most: int | None = None) -> list[Move]:
    """The moves of that match, or so many of them."""
    moves = (draft.move for _, _, draft in in_memory(match_id) if draft.move)
    return list(islice(moves, most))


def sign_up(port: int) -> str:
    """The token of a new player."""
    answers: list[Answer] = []
    body = msgspec.json.encode({"name": f"bench {token_hex(4)}"})
    run(port, [_once(request("POST", "/v1/players", body=body), answers)])
    token: str = msgspec.json.decode(answers[0][1])["token"]
    return token


def open_matches(port: int, token: str, count: int) -> list[str]:
    """The ids of new matches that this player plays with both hands."""
    body = msgspec.json.encode(
        {"game": "qin", "seats": [{"me": True}, {"me": True}], "seed": SEED.hex()}
    )
    answers: list[Answer] = []
    wires = (request("POST", "/v1/matches", token, body) for _ in range(count))
    run(port, [_once(wire, answers) for wire in wires])
    return [msgspec.json.decode(text)["id"] for _, text in answers]


def playing_script(match_id: str, token: str, moves: Iterable[Move]) -> Script:
    """All moves of a match, one after the other."""
    path = f"/v1/matches/{match_id}/moves"
    for move in moves:
        yield request("POST", path, token, msgspec.json.encode({"move": move}))


def _once(wire: bytes, answers: list[Answer]) -> Script:
    answers.append((yield wire))
