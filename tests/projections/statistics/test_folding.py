"""The facts of each public match that is over are folded once, whatever happens meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from redis import Redis

from domain.analysis.facts import Facts, facts_of
from domain.engine.game import Game
from domain.games import GAMES
from domain.match.decisions import ending
from domain.match.log import Damaged
from projections import projector as projector_module
from projections.core.history import fold_history
from projections.projector import Projector
from projections.statistics import STATISTICS, statistics
from projections.statistics.folding import matches_of
from projections.statistics.reader import changed, history, overview, rows_at
from projections.statistics.storage import Row, read, row_of
from service.store.event_store import Store
from tests.analysis.matches import PEOPLE
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import Recorded, folded, varied

BOTH: Mapping[str, Game[Any]] = {**GAMES, "toy": TOY}
EVERY = pytest.mark.parametrize("game", [*BOTH.values()], ids=lambda game: game.key)


@pytest.fixture
def store(redis_client: Redis) -> Store:
    return Store(redis_client)


def projector(store: Store, generation: int | None = None) -> Projector:
    folding = [statistics(BOTH, store.read)]
    return Projector(store.redis, store, range(store.partitions), folding, generation)


def fold(store: Store, batch: int = 100) -> None:
    own = projector(store)
    while own.fold_next(batch):
        pass


def rows(store: Store, game: str) -> dict[str, Row]:
    """All rows of a game, as a reader finds them page by page."""
    found: dict[str, Row] = {}
    for month, positions in overview(store.redis, store.partitions, game).months.items():
        after = dict.fromkeys(positions, 0)
        while (page := changed(store.redis, game, month, after, 2)).places:
            found |= {row.match: row for row in map(read, rows_at(store.redis, page.places))}
            after = dict(page.up_to)
        assert page.whole == set(after)
        assert after == positions
    return found


def facts(store: Store, match: str, game: Game[Any] = TOY) -> Facts:
    found = facts_of(game, store.read(match))
    assert found
    return found


@EVERY
def test_what_is_folded_is_what_the_facts_say(store: Store, game: Game[Any]) -> None:
    table = Recorded(store, " ".join(PEOPLE[: game.seats[0]]), game=game).play(4)
    for player in PEOPLE[1 : game.seats[0]]:
        table.resign(player)
    table.score()
    fold(store)
    assert rows(store, game.key) == {"m": row_of(facts(store, "m", game))}


def test_only_public_matches_that_are_over_are_there(store: Store) -> None:
    varied(store)
    hidden = Recorded(store, "ann bob", match="hidden", visibility="private").play_out()
    hidden.score()
    Recorded(store, "ann bob", match="ended").play_out()
    fold(store)
    assert set(rows(store, "toy")) == {"scored", "hotseat"}
    assert b"hidden" not in b"".join(map(repr_of, folded(store.redis).items()))


def repr_of(item: Any) -> bytes:
    return repr(item).encode()


def test_a_match_is_told_again_once_it_is_rated(store: Store) -> None:
    table = Recorded(store, "ann bob", match="m", seed_index=4).play_out()
    table.score()
    fold(store)
    before = rows(store, "toy")["m"]
    table.rate(ann=(27.0, 7.0, 1, 1), bob=(23.0, 7.0, 1, 0))
    fold(store)
    after = rows(store, "toy")["m"]
    assert before != after == row_of(facts(store, "m"))
    as_it_came = folded(store.redis)
    for key in as_it_came:
        store.redis.delete(key)
    fold(store)
    assert folded(store.redis) == as_it_came


def test_a_match_is_told_again_once_it_turns_out_that_it_does_not_count(store: Store) -> None:
    table = Recorded(store, "ann bob", match="m", seed_index=4).play_out()
    table.score()
    fold(store)
    table.act(ending.leave_unrated(table.match, "repeated"), "system")
    fold(store)
    assert "repeated" in rows(store, "toy")["m"].has


def recorded_variously(store: Store) -> None:
    varied(store)
    for number in range(4):
        table = Recorded(store, "ann bob cid", match=f"n{number}", seed_index=number)
        table.play_out()
        table.settle()


@pytest.mark.parametrize("batch", [16, 32, 100, 10_000])
def test_it_does_not_matter_in_what_portions_the_feed_is_read(store: Store, batch: int) -> None:
    """Nor that all that came later was recorded already."""
    recorded_variously(store)
    fold(store, batch)
    found = folded(store.redis)
    for key in found:
        store.redis.delete(key)
    fold(store, 16)
    assert folded(store.redis) == found


def test_whoever_is_killed_between_folding_and_writing_leaves_nothing_half(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded_variously(store)
    fold(store)
    expected = folded(store.redis)
    for key in expected:
        store.redis.delete(key)
    real, calls = projector_module.commit, []

    def killed(redis: Redis, commits: Any) -> Any:
        calls.append(1)
        if len(calls) % 3 == 1:
            raise KeyboardInterrupt  # before it is written
        outcome = real(redis, commits)
        if len(calls) % 3 == 2:
            raise KeyboardInterrupt  # after that, before anybody knows
        return outcome

    monkeypatch.setattr(projector_module, "commit", killed)
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
    assert folded(store.redis) == expected


@pytest.mark.parametrize("told", [1, 5, 1_000])
def test_a_rebuild_gives_the_same_byte_by_byte(
    store: Store, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded_variously(store)
    fold(store, 16)
    live = folded(store.redis)
    monkeypatch.setattr("projections.core.history.TOLD", told)
    for partition in range(store.partitions):
        fold_history(store.redis, store, partition, [statistics(BOTH, store.read)], 1)
    anew = projector(store, generation=1)
    while anew.fold_next(100):
        pass
    name = f":{STATISTICS.key}:".encode()
    found = folded(store.redis)
    assert {
        key.replace(name + b"1:", name + b"0:"): value
        for key, value in found.items()
        if name + b"1:" in key and value != b"0"
    } == {key: value for key, value in live.items() if value != b"0"}


def test_the_matches_of_a_player_are_found(store: Store) -> None:
    recorded_variously(store)
    fold(store)
    found = history(store.redis, store.partitions, "cid", 100)
    assert {place.match for place in found.places} == {f"n{number}" for number in range(4)}
    assert not found.more
    assert found.behind == 0
    few = history(store.redis, store.partitions, "ann", 16)
    assert few.more
    assert len(few.places) <= 16
    assert len(set(few.places)) == len(few.places)


def test_whoever_sits_twice_is_found_once(store: Store) -> None:
    table = Recorded(store, "ann ann", match="hotseat").play_out()
    table.score()
    fold(store)
    found = history(store.redis, store.partitions, "ann", 100)
    assert [place.match for place in found.places] == ["hotseat"]
    assert matches_of("ann") == ":of:ann"


def test_matches_that_cannot_be_read_are_left_out(store: Store) -> None:
    table = Recorded(store, "ann bob", match="m").play_out()
    table.score()

    def damaged(match: str) -> Any:
        raise Damaged("Something is wrong.")

    own = Projector(store.redis, store, range(store.partitions), [statistics(BOTH, damaged)])
    while own.fold_next(100):
        pass
    assert rows(store, "toy") == {}


def test_games_that_nobody_knows_any_more_are_left_out(store: Store) -> None:
    table = Recorded(store, "ann bob", match="m").play_out()
    table.score()
    own = Projector(store.redis, store, range(store.partitions), [statistics(GAMES, store.read)])
    while own.fold_next(100):
        pass
    assert rows(store, "toy") == {}
