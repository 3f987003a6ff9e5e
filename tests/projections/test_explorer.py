"""The explorer equals a recount of all matches."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from domain.analysis.features import MAX_KEYED_DECISIONS, stage_of
from domain.analysis.positions import (
    CanonicalPosition,
    Variant,
    canonical_position,
    moves_like,
    variant_of,
)
from domain.analysis.timeline import TimelineEntry, timeline
from domain.engine.codecs import json_codec
from domain.engine.game import Game, Json
from domain.games import GAMES
from domain.match.decisions import ending, playing, undo
from domain.match.log import fold_match
from projections.core.history import fold_history
from projections.explorer import explorer
from projections.explorer.queries import ChosenMove, read_features, read_position
from projections.explorer.storage import Count, decode_move
from service.store.event_store import EventStore
from tests.projections.explored import StoredMatch, fold, some_matches, text
from tests.projections.recorded import read_all

EVERY = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def decisions(match: StoredMatch) -> Iterator[tuple[Variant, TimelineEntry, Any]]:
    """The decisions of a match, with the score line of the deciding seat."""
    whole = fold_match(GAMES, match.entries)
    assert whole.scoring
    variant = variant_of(match.game, whole.setup, len(whole.chairs))
    for moment in timeline(match.game, match.entries):
        if moment.move and not moment.undone:
            yield variant, moment, whole.scoring


class Recount:
    """The choices in equivalent positions, counted without keys."""

    def __init__(self, matches: list[StoredMatch]) -> None:
        self.counts: dict[Any, int] = defaultdict(int)
        self.shares: dict[Any, float] = defaultdict(float)
        self.points: dict[Any, int] = defaultdict(int)
        self.positions: dict[Any, int] = defaultdict(int)
        self.months: dict[Any, set[str]] = defaultdict(set)
        for match in matches:
            for variant, moment, scoring in decisions(match):
                if moment.number > MAX_KEYED_DECISIONS:
                    continue
                both, position = orbits(variant, moment)
                seat = moment.seat
                self.counts[both] += 1
                winners = scoring.winners
                self.shares[both] += 1 / len(winners) if seat in winners else 0
                self.points[both] += scoring.lines[seat].points
                self.positions[position] += 1


def orbits(variant: Variant, moment: TimelineEntry) -> tuple[Any, Any]:
    """All equivalent forms of a position with its move, and of the position."""
    game = variant.game
    view = json_codec.json_round_trip(game.view(moment.before, None))
    seen = {
        name: view[name]
        for name in view
        if name not in (*game.irrelevant_fields, *game.static_view_fields)
    }
    move = json_codec.json_round_trip(moment.move)
    images = [(text(one.forward(seen)), text(one.forward(move))) for one in variant.symmetries]
    return (variant.key, frozenset(images)), (variant.key, frozenset(seen for seen, _ in images))


def statistics_of(
    place: CanonicalPosition, found: list[ChosenMove], game: Game[Any], moment: TimelineEntry
) -> ChosenMove:
    """The statistics of a decision's move."""
    wanted = text(json_codec.json_round_trip(moment.move))
    [one] = [
        each
        for each in found
        if wanted
        in map(text, moves_like(place, json_codec.json_round_trip(decode_move(game, each.move))))
    ]
    return one


@EVERY
def test_it_equals_a_recount(game: Game[Any], store: EventStore) -> None:
    """Features are those of all decisions at a stage."""
    matches = some_matches(store, game, count=3)
    fold(store)
    check_features(store, matches)
    recount = Recount(matches)
    for match in matches:
        for variant, moment, _ in decisions(match):
            place = canonical_position(variant, moment.before)
            found = read_position(store.redis, store.partitions, place.key)
            both, position = orbits(variant, moment)
            if moment.number > MAX_KEYED_DECISIONS:
                assert bool(found.moves) == bool(recount.positions[position])
                continue
            one = statistics_of(place, list(found.moves), game, moment)
            assert one.count.n == recount.counts[both]
            assert one.count.shares == pytest.approx(recount.shares[both])
            assert one.points == recount.points[both]
            assert sum(each.count.n for each in found.moves) == recount.positions[position]
            assert len(found.recent) == min(8, recount.positions[position])
    keyed = (min(MAX_KEYED_DECISIONS, len(list(decisions(match)))) for match in matches)
    assert sum(recount.counts.values()) == sum(keyed)


def check_features(store: EventStore, matches: list[StoredMatch]) -> None:
    kinds: Counter[Any] = Counter()
    for match in matches:
        for variant, moment, _ in decisions(match):
            stage = stage_of(moment.number - 1, variant.seats)
            kinds[variant.key, stage, type(moment.move).__name__] += 1
    for variant, stage in {key[:2] for key in kinds}:
        found = read_features(store.redis, store.partitions, variant, stage)
        sums: Counter[Any] = Counter()
        for (kind, _group), count in found.kinds.items():
            sums[variant, stage, kind] += count.n
        assert sums == {key: n for key, n in kinds.items() if key[:2] == (variant, stage)}
        for (kind, _name), count in found.names.items():
            assert 0 < count.n <= sums[variant, stage, kind]


def test_groups_and_months_are_separate(store: EventStore) -> None:
    match = StoredMatch(store, GAMES["qin"], "ann +li_mu", match="m")
    match.play_similar(Random(1), 2)
    match.act(playing.resign(match.match, "ann", match.now), "ann")
    match.settle(ann=20.0)
    fold(store)
    both = list(decisions(match))
    assert {moment.seat for _, moment, _ in both} == {0, 1}
    for variant, moment, _ in both:
        place = canonical_position(variant, moment.before)
        [one] = read_position(store.redis, store.partitions, place.key).moves
        group = "below" if moment.seat == 0 else "bot:li_mu"
        assert one.groups == {group: Count(1, 0.0 if moment.seat == 0 else 1.0)}
        assert list(one.months) == ["2023-11"]


def test_undone_moves_do_not_count(store: EventStore) -> None:
    match = StoredMatch(store, GAMES["qin"], "ann ben", match="m", undo="free")
    match.by_chance(Random(1), 3)
    mover = str(match.match.chairs[0].player)
    match.act(undo.undo(match.match, mover, match.match.line[0].version, match.now), mover)
    match.by_chance(Random(2), 2)
    match.act(playing.resign(match.match, "ann", match.now), "ann")
    match.settle()
    fold(store)
    variant, moment, _ = next(decisions(match))
    place = canonical_position(variant, moment.before)
    found = read_position(store.redis, store.partitions, place.key)
    assert [one.count.n for one in found.moves] == [1]
    assert [one.version for one in found.recent] == [moment.version]
    assert moment.version > 4
    assert len(list(decisions(match))) == 2


@pytest.mark.parametrize(
    "plan", [{"visibility": "private"}, {"seed_index": None}], ids=["private", "seed"]
)
def test_only_usual_public_matches_count(store: EventStore, plan: Json) -> None:
    match = StoredMatch(store, GAMES["qin"], "ann ben", match="m", **plan)
    match.play_similar(Random(1), 2)
    fold(store)
    assert not all_keys(store)
    match.act(playing.resign(match.match, "ann", match.now), "ann")
    match.settle()
    fold(store)
    assert not all_keys(store)


def test_an_early_resignation_does_not_count(store: EventStore) -> None:
    match = StoredMatch(store, GAMES["qin"], "ann ben", match="m")
    match.play_similar(Random(1), 1)
    other = str(match.match.chairs[match.match.seats_to_move[0]].player)  # has not decided anything
    match.act(playing.resign(match.match, other, match.now), other)
    match.settle()
    fold(store)
    assert not all_keys(store)


def test_a_match_counts_once_its_result_is_final(store: EventStore) -> None:
    match = StoredMatch(store, GAMES["qin"], "ann ben", match="m")
    match.play_similar(Random(1), 4)
    match.act(playing.resign(match.match, "ann", match.now), "ann")
    match.score()
    fold(store)
    assert bool(all_keys(store)) == (not ending.is_rateable(match.match))


def test_each_match_counts_once_in_any_batches(store: EventStore) -> None:
    some_matches(store, GAMES["tigris_euphrates"], count=2)
    fold(store)
    at_once = read_all(store.redis)
    fold(store)
    assert read_all(store.redis) == at_once
    store.redis.delete(*at_once)
    fold(store, batch=1)
    assert read_all(store.redis) == at_once
    store.redis.delete(*at_once)
    projection = explorer(GAMES, store.read)
    for partition in range(store.partitions):
        fold_history(store.redis, store, partition, [projection], 0)
    fold(store)
    assert read_all(store.redis) == at_once


def all_keys(store: EventStore) -> list[bytes]:
    """All keys with counts."""
    return [key for key in store.redis.scan_iter("*:rm:explorer:*") if not key.endswith(b":at")]
