"""Before a service starts, it reads a sample of the matches; if it cannot, it leaves no trace."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from redis import Redis

from domain.games import GAMES
from service.runtime.redis_urls import own_redis_url
from service.runtime.settings import Settings, read_settings
from service.store import store_format
from service.store.event_store import EventStore
from service.store.store_format import LEVELS_KEY
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import RecordedMatch, some_of_each_kind
from tests.support.damage import damage, put_nonsense
from tests.support.warm_start import run_command
from tests.support.whole_service import LEAN, ONE_WEB_PROCESS, fresh_addresses
from workers.host.errors import CannotRun
from workers.host.keeper import note_program
from workers.host.redis.sample import (
    POSITIONS_PER_PARTITION,
    Candidate,
    choose_sample,
    describe_unreadable,
    find_unreadable,
)
from workers.host.redis.server import run_redis
from workers.host.reload import check_reload

Capsys = pytest.CaptureFixture[str]
TOYS = {**GAMES, "toy": TOY}


@pytest.fixture
def store(redis_client: Redis) -> EventStore:
    store = EventStore(redis_client)
    some_of_each_kind(store)
    return store


def test_a_match_that_cannot_be_decoded_is_named_without_its_values(store: EventStore) -> None:
    assert find_unreadable(store, TOYS) == ""
    put_nonsense(store, "running", 1)
    sentence = find_unreadable(store, TOYS)
    assert sentence.endswith(" cannot read match running: version 1 cannot be decoded.")


@pytest.mark.parametrize("other", [{"VERSION": "0.1.0"}, {"READERS": []}])
def test_a_program_that_ran_the_service_before_starts_with_a_note(
    store: EventStore,
    redis_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capsys,
    other: Mapping[str, object],
) -> None:
    """Whether a match is in the sample depends on the length of its feed. Other code of the same
    version is another program, too.
    """
    settings = read_settings({"REDIS_URL": redis_url})
    put_nonsense(store, "running", 1)
    with monkeypatch.context() as changed:
        for name, value in other.items():
            changed.setattr(store_format, name, value)
        note_program(settings)
    refused = describe_unreadable(settings, TOYS)
    assert "cannot read match running: version 1 cannot be decoded" in refused
    assert "`annals run --skip-sample` starts without them." in refused
    note_program(settings)
    assert describe_unreadable(settings, TOYS) == ""
    assert "cannot read match running: version 1 cannot be decoded" in capsys.readouterr().out


def test_a_game_that_this_program_does_not_know_is_named(store: EventStore) -> None:
    assert "this program does not know the game toy." in find_unreadable(store, GAMES)


def test_corrupt_entries_are_left_to_verify(store: EventStore) -> None:
    damage(store, "running", 1)
    store.redis.delete(f"{{p{store.partition_of('scored')}}}:match:scored")
    assert find_unreadable(store, TOYS) == ""


def test_a_reload_reads_settings_and_sample_with_the_installed_code_before_it_replaces_anything(
    store: EventStore, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = {"REDIS_URL": redis_url, "ANNALS_DATA": str(tmp_path), "ANNALS_WARM_UP": "0"}
    for name, value in place.items():
        monkeypatch.setenv(name, value)
    settings = read_settings(place)
    with pytest.raises(CannotRun, match=r"cannot read match \w+: .* does not know the game toy\."):
        check_reload(settings)
    (tmp_path / "annals.conf").write_text("ANNALS_RATE=many\n")
    with pytest.raises(CannotRun, match="does not start: ANNALS_RATE must be a whole number, not"):
        check_reload(settings)


def test_a_store_that_cannot_be_used_is_left_to_other_checks(tmp_path: Path) -> None:
    with run_redis(tmp_path, fsync="no") as url:
        assert describe_unreadable(Settings(events_url=url), GAMES) == ""
        with Redis.from_url(url) as redis:
            assert redis.dbsize() == 0


def test_the_sample_has_each_kind_at_both_ends_and_each_partition() -> None:
    candidates = [
        Candidate(at, f"m{at}", at % 4, ("qin", 1 + (at > 50)), ) for at in range(100)
    ]  # fmt: skip
    chosen = list(choose_sample(candidates))
    assert {one.at for one in chosen} >= {0, 50, 51, 99}
    assert {one.partition for one in chosen} == {0, 1, 2, 3}
    assert len(chosen) <= 2 * 2 + 4


def test_a_long_feed_costs_no_more_than_a_short_one(redis_client: Redis) -> None:
    store = EventStore(redis_client, partitions=1)
    for number in range(POSITIONS_PER_PARTITION + 9):
        RecordedMatch(store, "ann .", match=f"open{number}")
    asked = list[int]()
    games = dict(TOYS)
    read = store.read

    def count(match: str) -> object:
        asked.append(1)
        return read(match)

    store.read = count  # type: ignore[method-assign, assignment]
    assert find_unreadable(store, games) == ""
    assert len(asked) == 2


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """A data folder with a match that no program can decode, and settings for it."""
    own = {"ANNALS_DATA": str(tmp_path), **ONE_WEB_PROCESS, **LEAN, **fresh_addresses()}
    environ = {**os.environ, **own}
    environ.pop("REDIS_URL", None)
    with run_redis(tmp_path / "redis") as url, Redis.from_url(url) as redis:
        store = EventStore(redis)
        RecordedMatch(store, "ann .", match="strange")
        put_nonsense(store, "strange", 1)
        redis.delete(LEVELS_KEY)
    return environ


def test_a_service_that_cannot_read_its_matches_does_not_start(
    environ: dict[str, str], tmp_path: Path
) -> None:
    said = run_command(["run"], environ)
    assert said.returncode == 1
    assert "cannot read match strange: " in said.stderr
    assert "Nothing was changed, so start the version that you had." in said.stderr
    with run_redis(tmp_path / "redis"), Redis.from_url(own_redis_url(tmp_path)) as redis:
        assert not redis.exists(LEVELS_KEY), "or the earlier version would refuse it"
