"""The explorer tells what a recount of all matches finds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from domain.analysis.choices import DEPTH
from domain.analysis.moments import Moment, moments
from domain.analysis.positions import Place, Variant, moves_there, place_of, variant_of
from domain.engine import codec
from domain.engine.game import Game
from domain.games import GAMES
from domain.match.log import fold_match
from projections.explorer.asking import Chosen, found_at
from projections.explorer.stored import read
from service.store import Store
from tests.projections.explored import Stored, fold, some_matches, text

EVERY = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


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
