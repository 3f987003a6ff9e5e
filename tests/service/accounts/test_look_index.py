"""Names that were taken before names had all their looks get the keys for them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from string import ascii_letters, digits
from typing import Any

import pytest
from redis import Redis

from service.accounts import look_index
from service.accounts.look_index import Alike, LookReport, add_looks, has_all_looks
from service.accounts.names.looks import LOOKS_VERSION, _prototypes, looks_of
from service.accounts.names.name_index import look_keys
from service.accounts.players import Players
from service.runtime.errors import NameTaken
from tests.support.old_names import STEVE, put_old
from workers.tools.check.check_accounts import find_account_faults

NOW = 1_700_000_000_000
DIGESTS = {2: "0e29121cc7eb1bd8"}
"""By version, the looks of all letters that have one of another letter."""


def index(redis: Redis) -> LookReport:
    report = LookReport()
    for _ in add_looks(redis, report):
        pass
    return report


def dump(redis: Redis) -> Mapping[bytes, Any]:
    return {key: redis.get(key) for key in redis.keys("look:*")}


def test_an_old_name_gets_its_second_look_once(redis_client: Redis) -> None:
    old = put_old(redis_client, 1, STEVE)
    players = Players(redis_client, rename_days=0)
    assert not has_all_looks(redis_client)
    assert index(redis_client) == LookReport(1, [])
    assert has_all_looks(redis_client)
    with pytest.raises(NameTaken):
        players.register("Steve", NOW)
    keys = dump(redis_client)
    assert keys == dict.fromkeys((key.encode() for key in look_keys(STEVE)), old.id.encode())
    assert index(redis_client) == LookReport()
    assert dump(redis_client) == keys
    assert list(find_account_faults(redis_client)) == []


def test_names_that_look_alike_now_both_stay_and_are_named(redis_client: Redis) -> None:
    nu, steve = put_old(redis_client, 1, STEVE), put_old(redis_client, 2, "Steve")
    report = index(redis_client)
    assert report == LookReport(0, [Alike(nu, steve)])
    said = f"{STEVE} ({nu.id}) looks like Steve ({steve.id}). Both keep their names."
    assert [str(one) for one in report.alike] == [said]
    players = Players(redis_client, rename_days=0)
    assert (players.by_name(STEVE), players.by_name("Steve")) == (nu, steve)
    assert list(find_account_faults(redis_client)) == []
    assert index(redis_client) == report, "as long as both have these names"
    players.rename(steve, "Max")
    assert index(redis_client) == LookReport(1, [])


def test_names_without_any_look_get_all(redis_client: Redis) -> None:
    put_old(redis_client, 1, STEVE)
    redis_client.delete(*redis_client.keys("look:*"))
    assert index(redis_client).added == 2


def test_deleted_players_get_no_key(redis_client: Redis) -> None:
    players = Players(redis_client)
    ann, _ = players.register("Ann", NOW)
    players.delete(ann, NOW)
    assert index(redis_client) == LookReport()
    assert dump(redis_client) == {}


@pytest.mark.parametrize("names", [1, 2, 3])
def test_an_interrupted_call_is_completed_by_the_next(
    redis_client: Redis, monkeypatch: pytest.MonkeyPatch, names: int
) -> None:
    monkeypatch.setattr(look_index, "PAGE", 1)
    for number in range(4):
        put_old(redis_client, number, f"{STEVE}{number}")
    begun = add_looks(redis_client, LookReport())
    for _ in range(names):
        next(begun)
    begun.close()
    assert not has_all_looks(redis_client)
    assert index(redis_client).added == 4 - names
    assert has_all_looks(redis_client)


@pytest.mark.parametrize("change", ["rename", "delete"])
@pytest.mark.parametrize("step", range(12))
def test_a_name_that_changes_meanwhile_leaves_no_key(
    redis_client: Redis, change: str, step: int
) -> None:
    """Before each question to Redis, the player gives up the name."""
    old = put_old(redis_client, 1, STEVE)
    asked = 0

    class InterruptedRedis:
        """Redis, which another process asks at one step."""

        def __getattr__(self, name: str) -> Any:
            nonlocal asked
            asked += 1
            if asked == step + 1:
                players = Players(redis_client, rename_days=0)
                players.rename(old, "Max") if change == "rename" else players.delete(old, NOW)
            return getattr(redis_client, name)

    index(InterruptedRedis())  # type: ignore[arg-type]
    if asked <= step:
        assert set(dump(redis_client)) == {key.encode() for key in look_keys(STEVE)}
        return
    left = look_keys("Max") if change == "rename" else []
    assert set(dump(redis_client)) == {key.encode() for key in left}


def test_the_version_grows_with_the_looks() -> None:
    """Names that have keys for other looks would be free to all who look like them now."""
    letters = sorted({*ascii_letters, *digits, *map(chr, _prototypes())})
    looks = "\n".join(" ".join(sorted(looks_of(f"a{letter}b"))) for letter in letters)
    digest = sha256(looks.encode()).hexdigest()[:16]
    assert DIGESTS.get(LOOKS_VERSION) == digest, "Increase LOOKS_VERSION, and add its digest."


def test_the_spelling_of_a_name_may_not_take_the_look_of_another(redis_client: Redis) -> None:
    """A Greek capital nu looks like an N, the small one like a v."""
    players = Players(redis_client, rename_days=0)
    nina, _ = players.register("\u039dina", NOW)
    vina, _ = players.register("Vina", NOW)
    with pytest.raises(NameTaken):
        players.rename(nina, "\u03bdina")
    assert players.by_id(nina.id) == nina
    players.rename(vina, "Max")
    nina = players.rename(nina, "\u03bdina")
    with pytest.raises(NameTaken):
        players.register("Vina", NOW)
    nina = players.rename(nina, "\u039dina")
    assert players.register("Vina", NOW)
    assert players.by_name("\u03bdina") == nina
    assert list(find_account_faults(redis_client)) == []
