"""The service never serves a state that the event log does not have, however a store is damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from redis import Redis

from domain.engine.codecs.json_codec import encode
from domain.games import GAMES
from domain.match.log import CorruptEntry
from projections import PROJECTIONS
from projections.projector import Projector
from service.matches.container import Annals, open_annals
from service.matches.queries import table_view
from service.runtime.settings import BadSetting, read_settings
from service.store.event_store import EventStore
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import RecordedMatch
from tests.support.damage import Fields, rewrite
from workers.host.errors import CannotRun
from workers.host.redis.high_water_mark import MarkFile
from workers.host.redis.server import run_redis
from workers.tools.check.verify import find_match_faults, find_store_faults

MATCHES = ("m", "n", "o")
PARTITIONS = 2
LAST_VERSION = 5
"""The last version of each match."""
FLIPS = 15


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "toy", TOY)


@contextmanager
def up(data: Path) -> Iterator[Annals]:
    """The service on the Redis of a data folder."""
    with run_redis(data / "redis") as url:
        annals = open_store(url)
        yield annals
        annals.store.redis.close()


def fill(store: EventStore) -> None:
    for match in MATCHES:
        RecordedMatch(store, "ann ben", match=match).play(4)
    fold(store)


def fold(store: EventStore) -> None:
    for partition in range(PARTITIONS):
        projector = Projector(store.redis, store, [partition], PROJECTIONS)
        while projector.fold_next(100):
            pass


def serve_all(annals: Annals) -> dict[str, bytes | None]:
    """Each match as a spectator gets it; None if the service refuses."""
    found: dict[str, bytes | None] = {}
    for match in MATCHES:
        try:
            found[match] = encode(table_view(annals.matches.latest(match), None, {}))
        except CorruptEntry:
            found[match] = None
    return found


def test_a_flipped_bit_in_its_file_is_refused_reported_or_harmless(tmp_path: Path) -> None:
    """Redis checks only the format of its file: so it may load other values than it stored."""
    with up(tmp_path) as annals:
        fill(annals.store)
        MarkFile(tmp_path, annals.store.redis, PARTITIONS).update()
        sound = serve_all(annals)
    file = max((tmp_path / "redis").glob("**/*.incr.aof"))
    whole, random, outcomes = file.read_bytes(), Random(1), set[str]()
    for _ in range(FLIPS):
        place = random.randrange(len(whole))
        flipped = whole[place] ^ 1 << random.randrange(8)
        file.write_bytes(whole[:place] + bytes([flipped]) + whole[place + 1 :])
        outcomes.add(outcome(tmp_path, sound))
    assert len(outcomes) > 2


def outcome(data: Path, sound: dict[str, bytes | None]) -> str:
    """The outcome of a start on these data: the service never serves another state than before."""
    try:
        with up(data) as annals:
            if MarkFile(data, annals.store.redis, PARTITIONS).find_missing():
                return "refused by us"
            now = serve_all(annals)
    except CannotRun:
        return "refused by Redis"
    except BadSetting:  # its own marks are not what they were
        return "refused by us"
    assert {*now.items()} <= {*sound.items(), *((match, None) for match in sound)}
    return "as it was" if now == sound else "reported on request"


def without(version: int) -> Callable[[Annals], None]:
    return lambda annals: rewrite(annals.store, "m", version, lambda _: None)


def swap_rows(annals: Annals) -> None:
    rows = read_rows(annals)
    rows[2], rows[3] = rows[3], rows[2]
    put(annals, rows)


def repeat_row(annals: Annals) -> None:
    rows = read_rows(annals)
    put(annals, [*rows, rows[-1]])


def of_another_match(annals: Annals) -> None:
    rows = read_rows(annals)
    put(annals, [*rows[:2], read_rows(annals, "n")[2], *rows[3:]])


def delete_match(annals: Annals) -> None:
    annals.store.redis.delete(key(annals, "m"))


def read_rows(annals: Annals, match: str = "m") -> list[Fields]:
    """The rows of a match, in order."""
    rows: Any = annals.store.redis.xrange(key(annals, match))
    return [fields for _, fields in rows]


def put(annals: Annals, rows: list[Fields]) -> None:
    """Replace the rows of the match."""
    annals.store.redis.delete(key(annals, "m"))
    for version, fields in enumerate(rows, 1):
        annals.store.redis.xadd(key(annals, "m"), dict(fields), id=f"{version}-0")


def key(annals: Annals, match: str, beside: str = "") -> str:
    return f"{{p{annals.store.partition_of(beside or match)}}}:match:{match}"


DAMAGES: dict[str, Callable[[Annals], None]] = {
    "first entry dropped": without(1),
    "entry dropped": without(3),
    "last entry dropped": without(LAST_VERSION),
    "two entries swapped": swap_rows,
    "entry repeated": repeat_row,
    "entry of another match": of_another_match,
    "match deleted": delete_match,
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_match_with_forged_entries_is_never_served(
    kind: str, redis_client: Redis, redis_url: str
) -> None:
    annals = open_store(redis_url)
    fill(annals.store)
    sound = serve_all(annals)
    DAMAGES[kind](annals)
    annals = open_store(redis_url)  # as a process that starts now
    assert serve_all(annals) == {**sound, "m": None}
    assert [*find_match_faults(annals, "m"), *find_store_faults(annals)]


def open_store(url: str) -> Annals:
    return open_annals(read_settings({"REDIS_URL": url, "ANNALS_PARTITIONS": str(PARTITIONS)}))
