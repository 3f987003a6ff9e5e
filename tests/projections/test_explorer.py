"""The explorer tells what a recount of all matches finds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from domain.analysis.features import DEPTH, stage_of
from domain.analysis.positions import Place, Variant, moves_there, place_of, variant_of
from domain.analysis.timeline import Moment, moments
from domain.engine.codecs import json_codec
from domain.engine.game import Game, Json
from domain.games import GAMES
from domain.match.decisions import ending, playing, undo
from domain.match.log import fold_match
from projections.core.history import fold_history
from projections.explorer import explorer
from projections.explorer.queries import Chosen, features_at, found_at
from projections.explorer.storage import Count, read
from service.store.event_store import Store
from tests.projections.explored import Stored, fold, some_matches, text
from tests.projections.recorded import folded

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
    view = json_codec.as_read_back(game.view(moment.before, None))
    seen = {name: view[name] for name in view if name not in (*game.immaterial, *game.lasting)}
    move = json_codec.as_read_back(moment.move)
    images = [(text(one.there(seen)), text(one.there(move))) for one in variant.symmetries]
    return (variant.key, frozenset(images)), (variant.key, frozenset(seen for seen, _ in images))


def chosen_as(place: Place, found: list[Chosen], game: Game[Any], moment: Moment) -> Chosen:
    """What was found of the move of a moment."""
    wanted = text(json_codec.as_read_back(moment.move))
    [one] = [
        each
        for each in found
        if wanted in map(text, moves_there(place, json_codec.as_read_back(read(game, each.move))))
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


@EVERY
def test_features_are_those_of_all_decisions_at_a_stage(game: Game[Any], store: Store) -> None:
    matches = some_matches(store, game, count=4)
    fold(store)
    kinds: Counter[Any] = Counter()
    for match in matches:
        for variant, moment, _ in decisions(match):
            stage = stage_of(moment.number - 1, variant.seats)
            kinds[variant.key, stage, type(moment.move).__name__] += 1
    for variant, stage in {key[:2] for key in kinds}:
        found = features_at(store.redis, store.partitions, variant, stage)
        sums: Counter[Any] = Counter()
        for (kind, _group), count in found.kinds.items():
            sums[variant, stage, kind] += count.n
        assert sums == {key: n for key, n in kinds.items() if key[:2] == (variant, stage)}
        for (kind, _name), count in found.names.items():
            assert 0 < count.n <= sums[variant, stage, kind]


def test_who_decided_and_when_is_told_apart(store: Store) -> None:
    match = Stored(store, GAMES["qin"], "ann +li_mu", match="m")
    match.alike(Random(1), 2)
    match.act(playing.resign(match.match, "ann", match.now), "ann")
    match.settle(ann=20.0)
    fold(store)
    both = list(decisions(match))
    assert {moment.seat for _, moment, _ in both} == {0, 1}
    for variant, moment, _ in both:
        place = place_of(variant, moment.before)
        [one] = found_at(store.redis, store.partitions, place.key).moves
        group = "below" if moment.seat == 0 else "bot:li_mu"
        assert one.groups == {group: Count(1, 0.0 if moment.seat == 0 else 1.0)}
        assert list(one.months) == ["2023-11"]


def test_what_was_undone_does_not_count(store: Store) -> None:
    match = Stored(store, GAMES["qin"], "ann ben", match="m", undo="free")
    match.by_chance(Random(1), 3)
    mover = str(match.match.chairs[0].player)
    match.act(undo.undo(match.match, mover, match.match.line[0].version, match.now), mover)
    match.by_chance(Random(2), 2)
    match.act(playing.resign(match.match, "ann", match.now), "ann")
    match.settle()
    fold(store)
    variant, moment, _ = next(decisions(match))
    place = place_of(variant, moment.before)
    found = found_at(store.redis, store.partitions, place.key)
    assert [one.count.n for one in found.moves] == [1]
    assert [one.version for one in found.recent] == [moment.version]
    assert moment.version > 4
    assert len(list(decisions(match))) == 2


@pytest.mark.parametrize(
    "plan", [{"visibility": "private"}, {"seed_index": None}], ids=["private", "seed"]
)
def test_only_public_matches_that_began_like_others_count(store: Store, plan: Json) -> None:
    match = Stored(store, GAMES["qin"], "ann ben", match="m", **plan)
    match.alike(Random(1), 2)
    fold(store)
    assert not told(store)
    match.act(playing.resign(match.match, "ann", match.now), "ann")
    match.settle()
    fold(store)
    assert not told(store)


def test_a_match_does_not_count_if_somebody_gave_up_at_once(store: Store) -> None:
    match = Stored(store, GAMES["qin"], "ann ben", match="m")
    match.alike(Random(1), 1)
    other = str(match.match.chairs[match.match.awaited[0]].player)  # has not decided anything
    match.act(playing.resign(match.match, other, match.now), other)
    match.settle()
    fold(store)
    assert not told(store)


def test_a_match_counts_once_all_is_known_of_it(store: Store) -> None:
    match = Stored(store, GAMES["qin"], "ann ben", match="m")
    match.alike(Random(1), 4)
    match.act(playing.resign(match.match, "ann", match.now), "ann")
    match.score()
    fold(store)
    assert bool(told(store)) == (not ending.rateable(match.match))


def test_each_match_is_counted_once_however_it_is_folded(store: Store) -> None:
    some_matches(store, GAMES["tigris_euphrates"], count=4)
    fold(store)
    at_once = folded(store.redis)
    fold(store)
    assert folded(store.redis) == at_once
    store.redis.delete(*at_once)
    fold(store, batch=1)
    assert folded(store.redis) == at_once
    store.redis.delete(*at_once)
    projection = explorer(GAMES, store.read)
    for partition in range(store.partitions):
        fold_history(store.redis, store, partition, [projection], 0)
    fold(store)
    assert folded(store.redis) == at_once


def told(store: Store) -> list[bytes]:
    """The keys of all that was counted."""
    return [key for key in store.redis.scan_iter("*:rm:explorer:*") if not key.endswith(b":at")]
