"""The explorer tells what a recount of all matches finds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from domain.analysis.choices import DEPTH
from domain.analysis.moments import Moment, moments
from domain.analysis.positions import Place, Variant, moves_there, place_of, variant_of
from domain.audit.texts import chained
from domain.engine import codec
from domain.engine.game import Game, Json, legal_moves
from domain.games import GAMES
from domain.match import ending, playing
from domain.match.due import Work, changes, due
from domain.match.events import RatingChange
from domain.match.log import Draft, fold_match
from projections.explorer import explorer
from projections.explorer.asking import Chosen, found_at
from projections.explorer.stored import read
from projections.projector import Projector
from service.store import Appended, Store
from tests.analysis.matches import PEOPLE, Quick

EVERY = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
MOVES = 30
"""So many moves are made before somebody gives up: enough for five stages of a match."""


class Stored(Quick):
    """A match that is recorded in a store."""

    def __init__(self, store: Store, game: Game[Any], seats: str, **more: Any) -> None:
        self.store = store
        self._due: dict[Work, int] = {}
        super().__init__(game, seats, **more)

    def act(self, draft: Draft, actor: str, secret: bytes = b"") -> None:
        match = self.match
        super().act(draft, actor, secret)
        self.entries[-1] = chained(match.id, match, self.entries[-1], draft)
        match.head = self.entries[-1].head
        before, self._due = self._due, due(match)
        outcome = self.store.append(match.id, self.entries[-1], changes(before, self._due))
        assert outcome == Appended(match.version)

    def alike(self, chance: Random, moves: int) -> None:
        """So many moves, often those that other matches have, though under other names."""
        for _ in range(moves):
            if not self.match.awaited:
                return
            self.now += 1_000
            seat = self.match.awaited[0]
            menu = legal_moves(self.game, self.match.state, seat)
            variant = variant_of(self.game, self.match.setup, len(self.match.chairs))
            ways = place_of(variant, self.match.state).ways
            menu.sort(key=lambda move: least(ways, codec.to_json(move)))
            self.move(menu[min(chance.randrange(4), len(menu) - 1) if chance.random() < 0.7 else 0])

    def settle(self, **before: float) -> None:
        """Score, and rate people who had such ratings."""
        self.score()
        if ending.rateable(self.match):
            rated = [
                RatingChange(who, (before.get(who, 25.0), 8.0), (25.0, 8.0), 1, 0)
                for who in sorted(set(ending.competitors(self.match)))
            ]
            self.act(ending.rate(self.match, rated), "system")


def least(ways: Any, move: Json) -> bytes:
    return min(text(way.there(move)) for way in ways)


def text(value: Any) -> bytes:
    return msgspec.json.encode(value, order="deterministic")


def some_matches(store: Store, game: Game[Any], count: int = 10) -> list[Stored]:
    """Matches of one number of seats, from all seats first, with all boards that are chosen."""
    found = []
    for number in range(count):
        chance = Random(number)
        seats = game.seats[0]
        options = {"board": "lion"} if game.key == "qin" and number % 3 else {}
        match = Stored(
            store,
            game,
            " ".join(PEOPLE[:seats]),
            match=f"{game.key}{number}",
            seed=bytes([number + 1] * 32),
            options=options,
        )
        match.now += number * 11 * 86_400_000
        match.alike(chance, MOVES)
        if match.match.status == "active":
            match.act(playing.resign(match.match, "ann", match.now), "ann")
        match.settle(ann=20.0 + number, ben=30.0 - number)
        found.append(match)
    return found


def fold(store: Store, batch: int = 500) -> None:
    projection = explorer(GAMES, store.read)
    projector = Projector(store.redis, store, range(store.partitions), [projection])
    while projector.fold_next(batch):
        pass


def decisions(match: Stored) -> Iterator[tuple[Variant, Moment, Any]]:
    """What was decided in a match, with the line of its seat in the final score."""
    whole = fold_match(GAMES, match.entries)
    assert whole.scoring
    variant = variant_of(match.game, whole.setup, len(whole.chairs))
    for moment in moments(match.game, match.entries):
        if moment.move and not moment.undone:
            yield variant, moment, whole.scoring


class Recount:
    """All that was chosen in positions that are alike, found without keys."""

    def __init__(self, matches: list[Stored]) -> None:
        self.counts: dict[Any, int] = defaultdict(int)
        self.shares: dict[Any, float] = defaultdict(float)
        self.points: dict[Any, int] = defaultdict(int)
        self.positions: dict[Any, int] = defaultdict(int)
        self.months: dict[Any, set[str]] = defaultdict(set)
        for match in matches:
            for variant, moment, scoring in decisions(match):
                if moment.number > DEPTH:
                    continue
                both, position = orbits(variant, moment)
                seat = moment.seat
                self.counts[both] += 1
                winners = scoring.winners
                self.shares[both] += 1 / len(winners) if seat in winners else 0
                self.points[both] += scoring.lines[seat].points
                self.positions[position] += 1


def orbits(variant: Variant, moment: Moment) -> tuple[Any, Any]:
    """All that a position and its move may be called, and all that the position may."""
    game = variant.game
    view = codec.as_read_back(game.view(moment.before, None))
    seen = {name: view[name] for name in view if name not in (*game.immaterial, *game.lasting)}
    move = codec.as_read_back(moment.move)
    images = [(text(one.there(seen)), text(one.there(move))) for one in variant.symmetries]
    return (variant.key, frozenset(images)), (variant.key, frozenset(seen for seen, _ in images))


def chosen_as(place: Place, found: list[Chosen], game: Game[Any], moment: Moment) -> Chosen:
    """What was found of the move of a moment."""
    wanted = text(codec.as_read_back(moment.move))
    [one] = [
        each
        for each in found
        if wanted in map(text, moves_there(place, codec.as_read_back(read(game, each.move))))
    ]
    return one


@EVERY
def test_it_tells_what_a_recount_finds(game: Game[Any], store: Store) -> None:
    matches = some_matches(store, game)
    fold(store)
    recount = Recount(matches)
    for match in matches:
        for variant, moment, _ in decisions(match):
            place = place_of(variant, moment.before)
            found = found_at(store.redis, store.partitions, place.key)
            if moment.number > DEPTH:
                assert not found.moves
                continue
            both, position = orbits(variant, moment)
            one = chosen_as(place, list(found.moves), game, moment)
            assert one.count.n == recount.counts[both]
            assert one.count.shares == pytest.approx(recount.shares[both])
            assert one.points == recount.points[both]
            assert sum(each.count.n for each in found.moves) == recount.positions[position]
            assert len(found.recent) == min(8, recount.positions[position])
    assert sum(recount.counts.values()) == DEPTH * len(matches)
