"""Matches that somebody cannot tell apart, and all that they can get to see of them."""

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
from domain.engine.game import Game, Json, advance, awaited, legal_moves
from domain.engine.play import Move
from domain.games.qin.board import KINDS, Half
from domain.games.qin.moves import PlaceTile
from domain.match.dice import KeyedDice, dice_key
from service.matches.commands import new_match_id
from service.matches.container import Annals
from tests.engine.table import new_game, random_move
from tests.service.api.conftest import BOTH, Api, fold_lists
from tests.service.api.streams import read_stream

SALTED = re.compile(rb'((?:head|commitment|salt)\\?":\\?")[0-9a-f]{64}')
THING = re.compile(r'data-at="([^"]+)"')
PICTURES = ("board.svg", "board.txt")
SEED = "01" * 32
OPTIONS: dict[str, Json] = {"qin": {"options": {"joining_majors": "forbidden"}}, "toy": {}}


def everything(
    caller: Api, path: str, wrong: Sequence[Json] = (), points: bool = False
) -> Iterator[bytes]:
    """All that a caller can get to see of a match, without the match's own id."""
    now = caller.get(path)
    version = now.json["version"]
    answers = [now, *looks(caller, path, version), *pictures(caller, path, version, points)]
    answers += [caller.get(f"{path}/events"), caller.get(f"{path}/legal-moves?touch=true")]
    answers.append(caller.get(f"{path}/events?proof=true"))
    answers += [caller.get(f"{path}/events", Accept="application/x-ndjson")]
    answers.append(caller.get(f"{path}/events?words=true&language=zh-Hant"))
    answers += [caller.get(f"{path}/lines"), caller.get(f"{path}/position")]
    answers += [caller.get(f"{path}/position?version=1")]
    answers += tried(caller, path, wrong)
    for answer in answers:
        yield without_ids(path, answer.data, answer.headers["X-Request-Id"])
        yield answer.headers.get("ETag", "").encode()
    for words in ("", "&words=true"):
        for part in read_stream(caller, f"{path}/stream?after=0{words}", version):
            yield without_ids(path, part)


def looks(caller: Api, path: str, version: int) -> list[Any]:
    """The match at each version, by all viewers."""
    viewers = ("as=spectator", "as=0", "as=1", "as=2")
    past = [f"version={number}&words=true" for number in range(version + 2)]
    return [caller.get(f"{path}?{query}") for query in (*viewers, *past, f"version=3&{viewers[0]}")]


def pictures(caller: Api, path: str, version: int, points: bool) -> list[Any]:
    """The pictures of the board now and before the last entry, and at each version as text; that
    of points if it is wanted, for it takes time.
    """
    moments = ["", "?as=0", "?as=1", "?as=spectator", f"?version={version - 1}"]
    found = [caller.get(f"{path}/{kind}{moment}") for kind in PICTURES for moment in moments]
    if points:
        found.append(caller.get(f"{path}/board.png"))
    past = [f"{path}/board.txt?version={number}" for number in range(1, version)]
    return [*found, *map(caller.get, past)]


def tried(caller: Api, path: str, wrong: Sequence[Json]) -> list[Any]:
    """Previews of legal moves of the caller, and of what is touched; moves against the rules, and
    what is none.
    """
    legal = caller.get(f"{path}/legal-moves").json.get("moves", []) if caller.token else []
    bad = [*wrong, {"type": "Nonsense"}, {"type": "Seal", "card": 99}, {"type": "PlaceTile"}]
    foreseen = f"{path}/preview?words=true"
    previews = [caller.post(foreseen, {"move": move}) for move in (*legal[:20], *bad)]
    previews += [caller.post(f"{path}/preview", {"touches": way}) for way in touched(caller, path)]
    made = [caller.post(f"{path}/moves", {"move": move}) for move in bad]
    assert all(answer.status_code >= 400 for answer in made)
    return previews + made


def touched(caller: Api, path: str) -> list[list[str]]:
    """Nothing, each thing of the picture, and some of them one after the other."""
    things = sorted(set(THING.findall(caller.get(f"{path}/board.svg").text)))[:20]
    return [[], *([one] for one in things), *(things[at : at + 2] for at in range(len(things)))]


def listed(caller: Api, path: str, annals: Annals) -> Iterator[bytes]:
    """What the lists tell a caller of a match."""
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
    """What an answer says but for ids and hashes: those that cannot tell what is behind them."""
    match = path.rpartition("/")[2].encode()
    text = SALTED.sub(rb"\1", text)
    return text.replace(match, b"MATCH").replace(request.encode(), b"REQUEST")


@dataclass
class Twins:
    """Two matches that seat 0 cannot tell apart, and moves that leave it so: in both, all decide
    the same, and seat 0 draws the same.
    """

    paths: tuple[str, str]
    moves: list[Move]
    ends: tuple[Any, Any]


def twins(game: Game[Any], start: Any, players: Sequence[Api], moves: int) -> Twins:
    """Such matches: one begins with this position, one with another deal of what is hidden."""
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
    one, two = (begun(game, players, *plan) for plan in zip(positions, keys, strict=True))
    assert [one, two] == [f"/v1/matches/{match}" for match in ids]
    return Twins((one, two), played, states)


def begun(game: Game[Any], players: Sequence[Api], position: Json, key: str) -> str:
    """The address of a match that begins with a position."""
    host, *others = players
    seats = [{"me": True}, *({"open": True} for _ in others)]
    plan = {"game": game.key, "seats": seats, "seed": SEED, "position": position}
    opened = host.post("/v1/matches", plan | OPTIONS[game.key], Idempotency_Key=key)
    path = f"/v1/matches/{opened.json['id']}"
    for other in others:
        assert other.post(f"{path}/seats").status_code == 201
    return path


def alike(game: Game[Any], states: tuple[Any, Any], seats: int, moves: int) -> Iterator[Move]:
    """Moves that can be made in both matches, as long as seat 0 sees the same of them."""
    one, two = states
    key, draws = dice_key(bytes.fromhex(SEED), [None] * seats), [0, 0]
    for _ in range(moves):
        if not awaited(one):
            return
        seat = awaited(one)[-1]
        other = legal_moves(game, two, seat)
        common = [move for move in legal_moves(game, one, seat) if move in other]
        if not common:
            return
        move = common[len(common) // 2]
        for place, state in enumerate(states):
            dice = KeyedDice(key, draws[place])
            advance(game, state, move, dice)
            draws[place] += dice.fell
        if json_codec.encode(game.view(one, 0)) != json_codec.encode(game.view(two, 0)):
            return
        yield move


def in_the_middle(game: Game[Any], seats: int, seed: int, moves: int) -> Any:
    """A position after so many moves by chance."""
    luck = Luck(seed)
    state = new_game(game, seats, luck, **OPTIONS[game.key].get("options", {}))
    for _ in range(moves):
        advance(game, state, random_move(game, state, luck), luck)
    return state


def refused(game: Game[Any], state: Any) -> dict[str, Json]:
    """For each way in which seat 0 can place a tile against the rules, a move."""
    if game is not BOTH["qin"] or not awaited(state) or awaited(state)[0] != 0:
        return {}
    found: dict[str, Json] = {}
    for move in placements(state):
        try:
            game.answers.judge(state, move)
        except RuleBroken as broken:
            found.setdefault(broken.fault, json.loads(json_codec.encode(move)))
    return found


def placements(state: Any) -> Iterator[PlaceTile]:
    """Every kind of tile on every pair of spaces, and some that nobody could think of."""
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
