"""`annals verify` checks accounts, ratings and projections against the entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from redis import Redis

from domain.games import GAMES
from domain.match.events import Rated
from domain.match.log import read_events
from service import ratings
from service.accounts.notes import Note, Notes
from service.accounts.notices.settings import MatchChoices
from service.channels.mail.addresses import MailAddresses, link_code, new_address
from service.matches.container import Annals, open_annals
from service.runtime.settings import read_settings
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import fold_all, many_matches, some_of_each_kind
from workers.tools.check import check_accounts
from workers.tools.check.verify import find_store_faults


@pytest.fixture
def annals(redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Annals:
    """Matches of every kind, with lists, ratings and players that agree with them."""
    monkeypatch.setattr(check_accounts, "RECHECK_S", 0)
    settings = read_settings({"REDIS_URL": redis_url, "ANNALS_PARTITIONS": "2"})
    annals = open_annals(settings, {**GAMES, "toy": TOY})
    some_of_each_kind(annals.store)
    fold_all(annals.store)
    for match in annals.store.match_ids():
        for entry in annals.store.read(match):
            for event in read_events(TOY, entry.events) if entry.kind == "Rated" else ():
                assert isinstance(event, Rated)
                ratings.store_outcome(redis_client, "toy", match, event.changes)
    ratings.rebuild(redis_client, "toy")
    for name in ("Ann", "Bob", "Zoë"):
        annals.players.register(name, 1_700_000_000_000)
    gone, _ = annals.players.register("Gone", 1_700_000_000_000)
    annals.players.delete(gone, 1_700_000_000_001)
    annals.players.recovery.issue(_ann(annals))
    boxes = MailAddresses(annals.store)
    boxes.request(_ann(annals), wanted := new_address("ann@x.org", ("turn",), "en", "UTC"), 0)
    assert boxes.confirm(link_code(_ann(annals), wanted))
    MatchChoices(redis_client, _ann(annals)).choose("m", "none")
    Notes(redis_client).write(_ann(annals), "m", Note(1, "A note", 0))
    return annals


def find_faults(annals: Annals) -> list[str]:
    return list(find_store_faults(annals))


def test_an_intact_store_has_no_faults_and_stays_unchanged(annals: Annals) -> None:
    before = {key: annals.store.redis.dump(key) for key in annals.store.redis.scan_iter()}
    assert find_faults(annals) == []
    assert {key: annals.store.redis.dump(key) for key in annals.store.redis.scan_iter()} == before


def projected(redis: Redis) -> list[bytes]:
    """A key of each kind of each projection, such as the lists of one player."""
    return [*{(*name.split(b":")[2:6:3],): name for name in redis.scan_iter("{p*}:rm:*")}.values()]


@pytest.mark.parametrize("kind", ["projected", "{ratings:*}:*", "player:u????????????????"])
def test_every_missing_key_is_found(annals: Annals, kind: str) -> None:
    redis = annals.store.redis
    found = projected(redis) if kind == "projected" else redis.scan_iter(kind)
    names = [name for name in found if not name.endswith(b":at")]
    assert names
    for name in names:
        before = redis.dump(name)
        redis.delete(name)
        assert find_faults(annals), name
        redis.restore(name, 0, before)
    assert find_faults(annals) == []


def test_a_wrong_projection_is_named(annals: Annals) -> None:
    redis = annals.store.redis
    for name in projected(redis):
        before = redis.dump(name)
        match redis.type(name):
            case b"hash":
                redis.hset(name, next(iter(redis.hgetall(name))), "7")
            case b"zset":
                redis.zadd(name, {"somebody": 0})
            case _:
                redis.set(name, 10_000)
        assert any(
            one.startswith(f"{name.decode().split(':')[2]} of") for one in find_faults(annals)
        )
        redis.restore(name, 0, before, replace=True)


def test_lagging_projections_are_compared_up_to_their_position(annals: Annals) -> None:
    many_matches(annals.store, 3)
    assert find_faults(annals) == []


def of_another_player(annals: Annals) -> None:
    annals.store.redis.set("name:ann", "u0123456789abcdef")


def with_other_name(annals: Annals) -> None:
    annals.store.redis.hset(f"player:{_ann(annals)}", "name", "Eve")


def not_listed(annals: Annals) -> None:
    annals.store.redis.zrem("players", f"ann\0{_ann(annals)}")


def token_of_another_player(annals: Annals) -> None:
    _change_token(annals, lambda text: text.replace(_ann(annals).encode(), b"u0123456789abcdef"))


def corrupt_token(annals: Annals) -> None:
    _change_token(annals, lambda text: text[:-1])


def corrupt_address(annals: Annals) -> None:
    annals.store.redis.set(f"player:{_ann(annals)}:mail", b'{"address":1}')


def corrupt_browser(annals: Annals) -> None:
    annals.store.redis.hset(f"player:{_ann(annals)}:push", "b", b"{}")


def corrupt_notice_settings(annals: Annals) -> None:
    annals.store.redis.set(f"player:{_ann(annals)}:notices", b'{"quiet":1}')


def unknown_choice(annals: Annals) -> None:
    annals.store.redis.hset(f"player:{_ann(annals)}:notices:matches", "m", b"some")


def corrupt_note(annals: Annals) -> None:
    annals.store.redis.hset(f"player:{_ann(annals)}:notes:m", "1", b"{")


def unlisted_notes(annals: Annals) -> None:
    annals.store.redis.delete(f"player:{_ann(annals)}:notes")


def _ann(annals: Annals) -> str:
    player = annals.players.by_name("Ann")
    assert player
    return player.id


def _change_token(annals: Annals, change: Callable[[bytes], bytes]) -> None:
    redis = annals.store.redis
    keys: Any = redis.hvals(f"player:{_ann(annals)}:tokens")
    before: Any = redis.get(keys[0])
    redis.set(keys[0], change(before))


@pytest.mark.parametrize(
    "spoil",
    [
        of_another_player,
        with_other_name,
        not_listed,
        token_of_another_player,
        corrupt_token,
        corrupt_address,
        corrupt_browser,
        corrupt_notice_settings,
        unknown_choice,
        corrupt_note,
        unlisted_notes,
    ],
)
def test_inconsistent_accounts_are_named(annals: Annals, spoil: Callable[[Annals], None]) -> None:
    spoil(annals)
    assert find_faults(annals)


def test_a_wrong_rating_is_named(annals: Annals) -> None:
    redis = annals.store.redis
    competitor = next(iter(redis.hgetall("{ratings:toy}:now")))
    redis.hset("{ratings:toy}:now", competitor, b'{"mu":99.0,"sigma":1.0,"played":1,"won":1}')
    assert find_faults(annals) == [
        f"the rating of {competitor.decode()} in toy does not match their last match."
    ]
