"""Matches of any game with a player on each seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import Flask

from domain.engine.dice import Luck, choose
from domain.engine.game import Json, legal_moves
from domain.match.decisions import ending, playing
from domain.match.log import Draft
from domain.match.state import Match
from service import ratings
from service.matches.container import Annals
from tests.service.api.conftest import Api, open_table, register, system


@dataclass
class Table:
    """A match with a player on each seat, who make random moves."""

    game: str
    players: Sequence[Api]
    path: str
    luck: Luck = field(default_factory=lambda: Luck(1))

    @property
    def version(self) -> int:
        now: int = self.players[0].get(self.path).json["version"]
        return now

    @property
    def status(self) -> str:
        now: str = self.players[0].get(f"{self.path}?board=false").json["status"]
        return now

    def menus(self) -> list[tuple[Api, list[Json]]]:
        """The seats that have to decide, with the first and last legal move of each kind."""
        found = []
        for player in self.players:
            kinds: dict[str, list[Json]] = {}
            for move in player.get(f"{self.path}/legal-moves").json["moves"]:
                kinds.setdefault(move["type"], []).append(move)
            if kinds:
                some = [move for same in kinds.values() for move in (same[0], same[-1])]
                found.append((player, some))
        return found

    def play(self, moves: int) -> None:
        """Make up to `moves` moves, fewer if the game ends before."""
        for _ in range(moves):
            if menus := self.menus():
                player, some = choose(self.luck, menus)
                answer = player.post(f"{self.path}/moves", {"move": choose(self.luck, some)})
                assert answer.status_code == 201, answer.text

    def end(self, annals: Annals) -> None:
        """Let the players resign one by one until the game is over, and score the match."""
        for player in reversed(self.players):
            if player.get(f"{self.path}?board=false").json["status"] == "active":
                assert player.post(f"{self.path}/resign").status_code == 200
        system(annals, self.path, lambda match, now: ending.score(match))


def table(app: Flask, game: str, seats: int, called: str = "Player", **plan: Any) -> Table:
    """A started match between players named Player 0, Player 1 and so on."""
    players = [register(app, f"{called} {seat}") for seat in range(seats)]
    plan["seats"] = [{"me": True}, *({"open": True} for _ in players[1:])]
    return Table(game, players, open_table(*players, game=game, **plan))


def bot_move(match: Match, now: int) -> Draft:
    """The move of a very weak bot."""
    return playing.move(match, legal_moves(match.game, match.state, match.seats_to_move[0])[0], now)


def rate(annals: Annals, path: str) -> None:
    """Rate a match, as a worker does."""
    match = annals.matches.latest(path.rpartition("/")[2])
    seats, redis = ratings.competitors_of(match), annals.store.redis
    replaced = ratings.replacements_in(match)
    outcome = ratings.rate(
        redis, match.game.key, match.id, seats, match.updated_at, replaced=replaced
    )
    system(annals, path, lambda match, now: ending.rate(match, outcome.changes))
