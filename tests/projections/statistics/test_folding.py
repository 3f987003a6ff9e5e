"""The facts of each finished public match are folded exactly once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from redis import Redis

from domain.analysis.facts import Facts, facts_of
from domain.engine.game import Game
from domain.games import GAMES
from domain.match.decisions import ending
from domain.match.log import CorruptEntry
from projections import projector as projector_module
from projections.core.history import fold_history
from projections.projector import Projector
from projections.statistics import STATISTICS, statistics
from projections.statistics.folding import player_matches_key
from projections.statistics.reader import (
    find_changed_rows,
    find_player_rows,
    read_months,
    read_rows,
)
from projections.statistics.storage import MatchRow, read_row, row_of
from service.store.event_store import EventStore
from tests.analysis.matches import PEOPLE
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import RecordedMatch, read_all, some_of_each_kind

BOTH: Mapping[str, Game[Any]] = {**GAMES, "toy": TOY}
EVERY = pytest.mark.parametrize("game", [*BOTH.values()], ids=lambda game: game.key)


@pytest.fixture
def store(redis_client: Redis) -> EventStore:
    return EventStore(redis_client)


def projector(store: EventStore, generation: int | None = None) -> Projector:
    folding = [statistics(BOTH, store.read)]
    return Projector(store.redis, store, range(store.partitions), folding, generation)


def fold(store: EventStore, batch: int = 100) -> None:
    own = projector(store)
    while own.fold_next(batch):
        pass


def rows(store: EventStore, game: str) -> dict[str, MatchRow]:
    """All rows of a game, read page by page."""
    found: dict[str, MatchRow] = {}
    for month, positions in read_months(store.redis, store.partitions, game).months.items():
        after = dict.fromkeys(positions, 0)
        while (page := find_changed_rows(store.redis, game, month, after, 2)).locations:
            found |= {
                row.match: row for row in map(read_row, read_rows(store.redis, page.locations))
            }
            after = dict(page.up_to)
        assert page.complete == set(after)
        assert after == positions
    return found


def facts(store: EventStore, match: str, game: Game[Any] = TOY) -> Facts:
    found = facts_of(game, store.read(match))
    assert found
    return found


@EVERY
def test_folded_rows_equal_the_facts(store: EventStore, game: Game[Any]) -> None:
    table = RecordedMatch(store, " ".join(PEOPLE[: game.seats[0]]), game=game).play(4)
    for player in PEOPLE[1 : game.seats[0]]:
        table.resign(player)
    table.score()
    fold(store)
    assert rows(store, game.key) == {"m": row_of(facts(store, "m", game))}


def test_only_finished_public_matches_are_folded(store: EventStore) -> None:
    some_of_each_kind(store)
    hidden = RecordedMatch(store, "ann bob", match="hidden", visibility="private").play_out()
    hidden.score()
    RecordedMatch(store, "ann bob", match="ended").play_out()
    fold(store)
    assert set(rows(store, "toy")) == {"scored", "hotseat"}
    assert b"hidden" not in b"".join(map(repr_of, read_all(store.redis).items()))


def repr_of(item: Any) -> bytes:
    return repr(item).encode()


def test_a_rating_updates_the_row(store: EventStore) -> None:
    table = RecordedMatch(store, "ann bob", match="m", seed_index=4).play_out()
    table.score()
    fold(store)
    before = rows(store, "toy")["m"]
    table.rate(ann=(27.0, 7.0, 1, 1), bob=(23.0, 7.0, 1, 0))
    fold(store)
    after = rows(store, "toy")["m"]
    assert before != after == row_of(facts(store, "m"))
    as_it_came = read_all(store.redis)
    for key in as_it_came:
        store.redis.delete(key)
    fold(store)
    assert read_all(store.redis) == as_it_came


def test_an_unrated_match_updates_the_row(store: EventStore) -> None:
    table = RecordedMatch(store, "ann bob", match="m", seed_index=4).play_out()
    table.score()
    fold(store)
    table.act(ending.leave_unrated(table.match, "repeated"), "system")
    fold(store)
    assert "repeated" in rows(store, "toy")["m"].values


def record_variously(store: EventStore) -> None:
    some_of_each_kind(store)
    for number in range(4):
        table = RecordedMatch(store, "ann bob cid", match=f"n{number}", seed_index=number)
        table.play_out()
        table.settle()


@pytest.mark.parametrize("batch", [16, 32, 100, 10_000])
def test_the_result_does_not_depend_on_batches(store: EventStore, batch: int) -> None:
    """Later entries in the store make no difference either."""
    record_variously(store)
    fold(store, batch)
    found = read_all(store.redis)
    for key in found:
        store.redis.delete(key)
    fold(store, 16)
    assert read_all(store.redis) == found


def test_a_kill_before_the_commit_leaves_no_half_row(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_variously(store)
    fold(store)
    expected = read_all(store.redis)
    for key in expected:
        store.redis.delete(key)
    real, calls = projector_module.commit, []

    def commit_and_stop(redis: Redis, commits: Any) -> Any:
        calls.append(1)
        if len(calls) % 3 == 1:
            raise KeyboardInterrupt  # before the commit
        outcome = real(redis, commits)
        if len(calls) % 3 == 2:
            raise KeyboardInterrupt  # after the commit, before the projector knows
        return outcome

    monkeypatch.setattr(projector_module, "commit", commit_and_stop)
    over = False
    while not over:
        own = projector(store)
        try:
            while own.fold_next(32):
                pass
            over = True
        except KeyboardInterrupt:
            continue
    assert len(calls) > 6
    assert read_all(store.redis) == expected


@pytest.mark.parametrize("told", [1, 5, 1_000])
def test_a_rebuild_is_identical(
    store: EventStore, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_variously(store)
    fold(store, 16)
    live = read_all(store.redis)
    monkeypatch.setattr("projections.core.history.MAX_FEED_UPDATES", told)
    for partition in range(store.partitions):
        fold_history(store.redis, store, partition, [statistics(BOTH, store.read)], 1)
    anew = projector(store, generation=1)
    while anew.fold_next(100):
        pass
    name = f":{STATISTICS.key}:".encode()
    found = read_all(store.redis)
    assert {
        key.replace(name + b"1:", name + b"0:"): value
        for key, value in found.items()
        if name + b"1:" in key and value != b"0"
    } == {key: value for key, value in live.items() if value != b"0"}


def test_rows_of_a_player_are_found(store: EventStore) -> None:
    record_variously(store)
    fold(store)
    found = find_player_rows(store.redis, store.partitions, "cid", 100)
    assert {place.match for place in found.locations} == {f"n{number}" for number in range(4)}
    assert not found.has_more
    assert found.lag == 0
    few = find_player_rows(store.redis, store.partitions, "ann", 16)
    assert few.has_more
    assert len(few.locations) <= 16
    assert len(set(few.locations)) == len(few.locations)


def test_a_player_with_two_seats_is_found_once(store: EventStore) -> None:
    table = RecordedMatch(store, "ann ann", match="hotseat").play_out()
    table.score()
    fold(store)
    found = find_player_rows(store.redis, store.partitions, "ann", 100)
    assert [place.match for place in found.locations] == ["hotseat"]
    assert player_matches_key("ann") == ":of:ann"


def test_corrupt_matches_are_left_out(store: EventStore) -> None:
    table = RecordedMatch(store, "ann bob", match="m").play_out()
    table.score()

    def raise_corrupt(match: str) -> Any:
        raise CorruptEntry("Something is wrong.")

    own = Projector(store.redis, store, range(store.partitions), [statistics(BOTH, raise_corrupt)])
    while own.fold_next(100):
        pass
    assert rows(store, "toy") == {}


def test_unknown_games_are_left_out(store: EventStore) -> None:
    table = RecordedMatch(store, "ann bob", match="m").play_out()
    table.score()
    own = Projector(store.redis, store, range(store.partitions), [statistics(GAMES, store.read)])
    while own.fold_next(100):
        pass
    assert rows(store, "toy") == {}
