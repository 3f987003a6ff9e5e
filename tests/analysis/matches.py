"""Random matches, as entries."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from domain.analysis import search_budget
from domain.analysis.analysis import analyse
from domain.engine.errors import Refusal
from domain.engine.game import Game, candidates, judge
from domain.engine.play import Move, Seat
from domain.match.decisions import ending, lobby, playing
from domain.match.log import Draft, Entry, apply_events, make_entry
from domain.match.state import Match
from tests.match.table import NOON, SEED, plan

PEOPLE = ("ann", "ben", "cid", "dot", "eve")


class Quick:
    """A recorded match without the checks of a `Table`."""

    def __init__(self, game: Game[Any], seats: str, seed: bytes = SEED, **more: Any) -> None:
        self.game, self.now, self.entries = game, NOON, list[Entry]()
        self.match = Match(game, seed)
        more.setdefault("seed_index", 0)
        wanted = plan(seats, **more)
        self.act(lobby.create(game, wanted, seed, self.now), wanted.host, secret=2 * seed)

    def act(self, draft: Draft, actor: str, secret: bytes = b"") -> None:
        """Record a draft."""
        version, rules = self.match.version + 1, self.game.rules
        record = make_entry(draft, version, actor, self.now, rules, b"c", secret)
        apply_events(self.match, record, draft.events)
        self.entries.append(record)

    def move(self, move: Move) -> None:
        """Make a move."""
        chair = self.match.chairs[move.seat]
        actor = f"bot:{chair.bot}" if chair.bot else str(chair.player)
        self.act(playing.move(self.match, move, self.now), actor)

    def by_chance(self, chance: Random, moves: int = 100_000) -> None:
        """Make up to `moves` random moves, one second each; fewer if the game ends."""
        for _ in range(moves):
            if not self.match.seats_to_move:
                return
            self.now += 1_000
            self.move(any_move(self.match, self.match.seats_to_move[0], chance))

    def score(self) -> None:
        """Count the points."""
        self.act(ending.score(self.match), "system")


def any_move(match: Match, seat: Seat, chance: Random) -> Move:
    """A random legal move."""
    moves = candidates(match.game, match.state, seat)
    chance.shuffle(moves)
    return next(move for move in moves if _legal(match, move))


def play_match(game: Game[Any], seats: int, seed: int = 1) -> list[Entry]:
    """The entries of a random public match of people, with its score."""
    match = Quick(game, " ".join(PEOPLE[:seats]), seed=seed.to_bytes(32, "big"))
    match.by_chance(Random(seed))
    match.score()
    return match.entries


def _legal(match: Match, move: Move) -> bool:
    try:
        judge(match.game, match.state, move)
    except Refusal:
        return False
    return True


def cut_short(
    game: Game[Any], seats: int, moves: int, seed: int = 1, last: Seat = 0, **more: Any
) -> list[Entry]:
    """The entries of a random match in which all but one seat resign after this many moves."""
    match = Quick(game, " ".join(PEOPLE[:seats]), seed=seed.to_bytes(32, "big"), **more)
    match.by_chance(Random(seed), moves)
    return give_up(match, last)


def give_up(match: Quick, last: Seat = 0) -> list[Entry]:
    """Resign for all seats but one unless the game is over, score the match, and return its
    entries.
    """
    for seat, player in enumerate(PEOPLE[: len(match.match.chairs)]):
        if seat != last and match.match.seats_to_move:
            match.act(playing.resign(match.match, player, match.now), player)
    match.score()
    return match.entries


def search_little(patch: pytest.MonkeyPatch) -> None:
    """Let analyses search less, until the patch ends."""
    for name, limit in {"MAX_CHEAP_MOVES": 8, "MAX_CANDIDATES": 2, "SAMPLES_PER_MOVE": 2}.items():
        patch.setattr(search_budget, name, limit)


def analyse_first_moves(game: Game[Any]) -> bytes:
    """The analysis of the first moves of a match, which searches little, as JSON."""
    entries = cut_short(game, game.seats[0], moves=3)
    with pytest.MonkeyPatch.context() as patch:
        search_little(patch)
        return msgspec.json.encode(analyse(game, entries, lambda done, of: None))
