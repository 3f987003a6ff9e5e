"""Matches that one viewer cannot distinguish, and all that this viewer can request of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import RuleBroken
from domain.engine.game import Game, Json, advance, legal_moves, seats_to_move
from domain.engine.play import Move
from domain.games.qin.board import KINDS, Half
from domain.games.qin.moves import PlaceTile
from domain.match.dice import KeyedDice, dice_key
from service.matches.commands import new_match_id
from service.matches.container import Annals
from tests.engine.table import new_game, random_move
from tests.service.api.conftest import BOTH, Api, fold_lists
from tests.service.api.streams import read_stream

SALTED_FIELDS = re.compile(rb'((?:head|commitment|salt)\\?":\\?")[0-9a-f]{64}')
THING = re.compile(r'data-at="([^"]+)"')
PICTURES = ("board.svg", "board.txt")
SEED = "01" * 32
OPTIONS: dict[str, Json] = {"qin": {"options": {"joining_majors": "forbidden"}}, "toy": {}}


def everything(
    caller: Api,
    path: str,
    wrong: Sequence[Json] = (),
    points: bool = False,
    is_tried: bool = True,
) -> Iterator[bytes]:
    """All that a caller can request of a match, without the match's id; previews and refusals only
    if moves are tried, which takes half of the time.
    """
    now = caller.get(path)
    version = now.json["version"]
    answers = [now, *looks(caller, path, version), *pictures(caller, path, version, points)]
    answers += [caller.get(f"{path}/events"), caller.get(f"{path}/events.ndjson")]
    answers.append(caller.get(f"{path}/legal-moves?touch=true"))
    answers.append(caller.get(f"{path}/events?proof=true"))
    answers.append(caller.get(f"{path}/events?sentences=true&language=zh-Hant"))
    answers += [caller.get(f"{path}/lines"), caller.get(f"{path}/position")]
    answers += [caller.get(f"{path}/position?version=1")]
    answers += preview_moves(caller, path, wrong) if is_tried else []
    for answer in answers:
        yield without_ids(path, answer.data, answer.headers["X-Request-Id"])
        yield answer.headers.get("ETag", "").encode()
    for words in ("", "&sentences=true"):
        for part in read_stream(caller, f"{path}/stream?after=0{words}", version):
            yield without_ids(path, part)


def looks(caller: Api, path: str, version: int) -> list[Any]:
    """The match at each version, as all viewers."""
    viewers = ("as=spectator", "as=0", "as=1", "as=2")
    past = [f"version={number}&sentences=true" for number in range(version + 2)]
    return [caller.get(f"{path}?{query}") for query in (*viewers, *past, f"version=3&{viewers[0]}")]


def pictures(caller: Api, path: str, version: int, points: bool) -> list[Any]:
    """The pictures of the board now and before the last entry, and each version as text; with
    `points` also the picture of points, which takes time.
    """
    moments = ["", "?as=0", "?as=1", "?as=spectator", f"?version={version - 1}"]
    found = [caller.get(f"{path}/{kind}{moment}") for kind in PICTURES for moment in moments]
    if points:
        found.append(caller.get(f"{path}/board.png"))
    past = [f"{path}/board.txt?version={number}" for number in range(1, version)]
    return [*found, *map(caller.get, past)]


def preview_moves(caller: Api, path: str, wrong: Sequence[Json]) -> list[Any]:
    """Previews of legal moves of the caller, and of touches; illegal moves, and bodies that are no
    move.
    """
    legal = caller.get(f"{path}/legal-moves").json.get("moves", []) if caller.token else []
    bad = [*wrong, {"type": "Nonsense"}, {"type": "Seal", "card": 99}, {"type": "PlaceTile"}]
    foreseen = f"{path}/preview?sentences=true"
    previews = [caller.post(foreseen, {"move": move}) for move in (*legal[:10], *bad)]
    previews += [
        caller.post(f"{path}/preview", {"touches": way}) for way in touch_things(caller, path)
    ]
    previews += [caller.post(f"{path}/preview.svg", {"move": move}) for move in legal[:2]]
    made = [caller.post(f"{path}/moves", {"move": move}) for move in bad]
    assert all(answer.status_code >= 400 for answer in made)
    return previews + made


def touch_things(caller: Api, path: str) -> list[list[str]]:
    """No touch, each element of the picture, and some sequences of touches."""
    things = sorted(set(THING.findall(caller.get(f"{path}/board.svg").text)))[:10]
    return [[], *([one] for one in things), *(things[at : at + 2] for at in range(len(things)))]


def read_lists(caller: Api, path: str, annals: Annals) -> Iterator[bytes]:
    """What the lists show to a caller about a match."""
    fold_lists(annals)
    match = path.rpartition("/")[2]
    for query, items in (
        ("/v1/matches?limit=200", "matches"),
        ("/v1/matches?status=active&game=qin", "matches"),
        ("/v1/me/turns?limit=200", "turns"),
    ):
        found = caller.get(query).json.get(items, [])
        mine = [one for one in found if match in (one.get("id"), one.get("match"))]
        yield without_ids(path, json.dumps(mine).encode())


def without_ids(path: str, text: bytes, request: str = "-") -> bytes:
    """The text of an answer without its ids and hashes, which reveal nothing hidden."""
    match = path.rpartition("/")[2].encode()
    text = SALTED_FIELDS.sub(rb"\1", text)
    return text.replace(match, b"MATCH").replace(request.encode(), b"REQUEST")


@dataclass
class Twins:
    """Two matches that seat 0 cannot distinguish, and moves that keep it so: in both, all seats
    decide the same, and seat 0 draws the same.
    """

    paths: tuple[str, str]
    moves: list[Move]
    ends: tuple[Any, Any]


def twins(game: Game[Any], start: Any, players: Sequence[Api], moves: int) -> Twins:
    """Two such matches: one starts with this position, the other with another deal of the hidden
    parts.
    """
    host = players[0]
    for number in count():
        keys = "one", f"two-{number}"
        ids = [new_match_id(host.id, key) for key in keys]
        states = start.copy(), game.imagine(start.copy(), 0, Luck(number))
        positions = [game.write_position(state) for state in states]
        played = list(alike(game, states, len(players), moves))
        ends = [game.write_position(state) for state in states]
        if len(played) == moves and positions[0] != positions[1] and ends[0] != ends[1]:
            break
    one, two = (begin_match(game, players, *plan) for plan in zip(positions, keys, strict=True))
    assert [one, two] == [f"/v1/matches/{match}" for match in ids]
    return Twins((one, two), played, states)


def begin_match(game: Game[Any], players: Sequence[Api], position: Json, key: str) -> str:
    """The address of a match that starts with a position."""
    host, *others = players
    seats = [{"me": True}, *({"open": True} for _ in others)]
    plan = {"game": game.key, "seats": seats, "seed": SEED, "position": position}
    opened = host.post("/v1/matches", plan | OPTIONS[game.key], Idempotency_Key=key)
    path = f"/v1/matches/{opened.json['id']}"
    for other in others:
        assert other.post(f"{path}/seats").status_code == 201
    return path


def alike(game: Game[Any], states: tuple[Any, Any], seats: int, moves: int) -> Iterator[Move]:
    """Moves that are legal in both matches, as long as seat 0 sees the same of them."""
    one, two = states
    key, draws = dice_key(bytes.fromhex(SEED), [None] * seats), [0, 0]
    for _ in range(moves):
        if not seats_to_move(one):
            return
        seat = seats_to_move(one)[-1]
        other = legal_moves(game, two, seat)
        common = [move for move in legal_moves(game, one, seat) if move in other]
        if not common:
            return
        move = common[len(common) // 2]
        for place, state in enumerate(states):
            dice = KeyedDice(key, draws[place])
            advance(game, state, move, dice)
            draws[place] += dice.used
        if json_codec.encode(game.view(one, 0)) != json_codec.encode(game.view(two, 0)):
            return
        yield move


def in_the_middle(game: Game[Any], seats: int, seed: int, moves: int) -> Any:
    """A position after `moves` random moves."""
    luck = Luck(seed)
    state = new_game(game, seats, luck, **OPTIONS.get(game.key, {}).get("options", {}))
    for _ in range(moves):
        advance(game, state, random_move(game, state, luck), luck)
    return state


def illegal_moves(game: Game[Any], state: Any) -> dict[str, Json]:
    """By rule, an illegal tile placement of seat 0."""
    if game is not BOTH["qin"] or not seats_to_move(state) or seats_to_move(state)[0] != 0:
        return {}
    found: dict[str, Json] = {}
    for move in placements(state):
        try:
            game.answers.judge(state, move)
        except RuleBroken as broken:
            found.setdefault(broken.fault, json.loads(json_codec.encode(move)))
    return found


def placements(state: Any) -> Iterator[PlaceTile]:
    """Every kind of tile on every pair of spaces, and some impossible placements."""
    board = state.board
    cells = [divmod(cell, board.width) for cell in range(len(state.cells))]
    for kind in KINDS:
        for row, col in cells:
            for where in ((row, col + 1), (row + 1, col), (row + 2, col)):
                yield PlaceTile(0, kind, (Half(row, col, kind[0]), Half(*where, kind[1])))
        yield PlaceTile(0, kind, (Half(6, 6, "R"), Half(6, 7, "R")))


def plain(move: Move) -> Json:
    """A move as its player sends it."""
    members: Json = json.loads(json_codec.encode(move))
    return {name: value for name, value in members.items() if name != "seat"}
