"""Whatever happens to a store, nobody is served a state that the annals do not have."""

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
from domain.match.log import Damaged
from projections import PROJECTIONS
from projections.projector import Projector
from service.matches.container import Annals, open_annals
from service.matches.queries import table_view
from service.runtime.settings import BadSetting, read_settings
from service.store.event_store import Store
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import Recorded
from tests.support.damage import Fields, rewrite
from workers.host.errors import CannotRun
from workers.host.high_water_mark import Notes
from workers.host.redis_server import embedded_redis
from workers.tools.check.verify import around_matches, faults

MATCHES = ("m", "n", "o")
PARTITIONS = 2
LAST = 5
"""The version at which all are."""
FLIPS = 15


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "toy", TOY)


@contextmanager
def up(data: Path) -> Iterator[Annals]:
    """The annals on the Redis of a data folder."""
    with embedded_redis(data / "redis") as url:
        annals = opened(url)
        yield annals
        annals.store.redis.close()


def fill(store: Store) -> None:
    for match in MATCHES:
        Recorded(store, "ann ben", match=match).play(4)
    fold(store)


def fold(store: Store) -> None:
    for partition in range(PARTITIONS):
        projector = Projector(store.redis, store, [partition], PROJECTIONS)
        while projector.fold_next(100):
            pass


def served(annals: Annals) -> dict[str, bytes | None]:
    """Each match as a spectator is served it; None of those that nobody is served."""
    found: dict[str, bytes | None] = {}
    for match in MATCHES:
        try:
            found[match] = encode(table_view(annals.matches.latest(match), None, {}))
        except Damaged:
            found[match] = None
    return found


def test_a_flipped_bit_in_its_file_is_refused_told_or_does_no_harm(tmp_path: Path) -> None:
    """Redis checks the form of its file alone: so what it loads is not always what it was told."""
    with up(tmp_path) as annals:
        fill(annals.store)
        Notes(tmp_path, annals.store.redis, PARTITIONS).note()
        sound = served(annals)
    file = max((tmp_path / "redis").glob("**/*.incr.aof"))
    whole, random, outcomes = file.read_bytes(), Random(1), set[str]()
    for _ in range(FLIPS):
        place = random.randrange(len(whole))
        flipped = whole[place] ^ 1 << random.randrange(8)
        file.write_bytes(whole[:place] + bytes([flipped]) + whole[place + 1 :])
        outcomes.add(outcome(tmp_path, sound))
    assert len(outcomes) > 2


def outcome(data: Path, sound: dict[str, bytes | None]) -> str:
    """What becomes of a start on these data: nobody is served another state than before."""
    try:
        with up(data) as annals:
            if Notes(data, annals.store.redis, PARTITIONS).missing():
                return "refused by us"
            now = served(annals)
    except CannotRun:
        return "refused by Redis"
    except BadSetting:  # its own marks are not what they were
        return "refused by us"
    assert {*now.items()} <= {*sound.items(), *((match, None) for match in sound)}
    return "as it was" if now == sound else "told when it is asked for"


def without(version: int) -> Callable[[Annals], None]:
    return lambda annals: rewrite(annals.store, "m", version, lambda _: None)


def swapped(annals: Annals) -> None:
    rows = stored(annals)
    rows[2], rows[3] = rows[3], rows[2]
    put(annals, rows)


def repeated(annals: Annals) -> None:
    rows = stored(annals)
    put(annals, [*rows, rows[-1]])


def of_another_match(annals: Annals) -> None:
    rows = stored(annals)
    put(annals, [*rows[:2], stored(annals, "n")[2], *rows[3:]])


def deleted(annals: Annals) -> None:
    annals.store.redis.delete(key(annals, "m"))


def stored(annals: Annals, match: str = "m") -> list[Fields]:
    """What the rows of a match hold, in order."""
    rows: Any = annals.store.redis.xrange(key(annals, match))
    return [fields for _, fields in rows]


def put(annals: Annals, rows: list[Fields]) -> None:
    """Let these be the rows of the match."""
    annals.store.redis.delete(key(annals, "m"))
    for version, fields in enumerate(rows, 1):
        annals.store.redis.xadd(key(annals, "m"), dict(fields), id=f"{version}-0")


def key(annals: Annals, match: str, beside: str = "") -> str:
    return f"{{p{annals.store.partition_of(beside or match)}}}:match:{match}"


DAMAGES: dict[str, Callable[[Annals], None]] = {
    "first entry dropped": without(1),
    "entry dropped": without(3),
    "last entry dropped": without(LAST),
    "two entries swapped": swapped,
    "entry repeated": repeated,
    "entry of another match": of_another_match,
    "match deleted": deleted,
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_match_whose_entries_are_not_those_recorded_is_served_to_nobody(
    kind: str, redis_client: Redis, redis_url: str
) -> None:
    annals = opened(redis_url)
    fill(annals.store)
    sound = served(annals)
    DAMAGES[kind](annals)
    annals = opened(redis_url)  # as a process that begins now
    assert served(annals) == {**sound, "m": None}
    assert [*faults(annals, "m"), *around_matches(annals)]


def opened(url: str) -> Annals:
    return open_annals(read_settings({"REDIS_URL": url, "ANNALS_PARTITIONS": str(PARTITIONS)}))
