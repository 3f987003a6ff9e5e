"""Similar matches of every game in a store, and the explorer folded from them."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from domain.analysis.positions import canonical_position, variant_of
from domain.audit.texts import with_head
from domain.engine.codecs import json_codec
from domain.engine.game import Game, Json, legal_moves
from domain.games import GAMES
from domain.match.decisions import ending, playing
from domain.match.log import Draft
from domain.match.outcome import RatingChange
from domain.match.scheduled_work import Work, due_changes, due_work
from projections.explorer import explorer
from projections.projector import Projector
from service.store.event_store import AppendSuccess, EventStore
from tests.analysis.matches import PEOPLE, Quick

MOVES = 30
"""Moves before a player resigns: enough for five stages of a match."""


class StoredMatch(Quick):
    """A match in a store."""

    def __init__(self, store: EventStore, game: Game[Any], seats: str, **more: Any) -> None:
        self.store = store
        self._due: dict[Work, int] = {}
        super().__init__(game, seats, **more)

    def act(self, draft: Draft, actor: str, secret: bytes = b"") -> None:
        match = self.match
        super().act(draft, actor, secret)
        self.entries[-1] = with_head(match.id, match, self.entries[-1], draft)
        match.head = self.entries[-1].head
        before, self._due = self._due, due_work(match)
        outcome = self.store.append(match.id, self.entries[-1], due_changes(before, self._due))
        assert outcome == AppendSuccess(match.version)

    def play_similar(self, chance: Random, moves: int) -> None:
        """Play this number of moves, often those of other matches with other labels."""
        for _ in range(moves):
            if not self.match.seats_to_move:
                return
            self.now += 1_000
            seat = self.match.seats_to_move[0]
            menu = legal_moves(self.game, self.match.state, seat)
            variant = variant_of(self.game, self.match.setup, len(self.match.chairs))
            ways = canonical_position(variant, self.match.state).symmetries
            menu.sort(key=lambda move: least(ways, json_codec.to_json(move)))
            self.move(menu[min(chance.randrange(4), len(menu) - 1) if chance.random() < 0.7 else 0])

    def settle(self, **before: float) -> None:
        """Score the match, and rate it with the given ratings."""
        self.score()
        if ending.is_rateable(self.match):
            rated = [
                RatingChange(who, (before.get(who, 25.0), 8.0), (25.0, 8.0), 1, 0)
                for who in sorted(set(ending.competitors(self.match)))
            ]
            self.act(ending.rate(self.match, rated), "system")


def least(ways: Any, move: Json) -> bytes:
    return min(text(way.forward(move)) for way in ways)


def text(value: Any) -> bytes:
    return msgspec.json.encode(value, order="deterministic")


def some_matches(store: EventStore, game: Game[Any], count: int = 6) -> list[StoredMatch]:
    """Matches of each game with one number of seats, with each seat first and with all boards."""
    found = []
    for number in range(count):
        chance = Random(number)
        seats = game.seats[0]
        options = {"board": "lion"} if game.key == "qin" and number % 3 else {}
        match = StoredMatch(
            store,
            game,
            " ".join(PEOPLE[:seats]),
            match=f"{game.key.replace('_', '-')}-{number}",
            seed=bytes([number + 1] * 32),
            options=options,
        )
        match.now += number * 11 * 86_400_000
        match.play_similar(chance, MOVES)
        if match.match.status == "active":
            match.act(playing.resign(match.match, "ann", match.now), "ann")
        match.settle(ann=20.0 + number, ben=30.0 - number)
        found.append(match)
    return found


def fold(store: EventStore, batch: int = 500) -> None:
    projection = explorer(GAMES, store.read)
    projector = Projector(store.redis, store, range(store.partitions), [projection])
    while projector.fold_next(batch):
        pass
