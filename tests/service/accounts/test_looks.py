"""Names that look alike are not two names."""

from __future__ import annotations

import re
from unicodedata import normalize

import pytest
from redis import Redis

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from service.accounts.looks import _prototypes, look_of
from service.accounts.players import Players, look_key, name_key, name_list_member
from service.accounts.reserved_names import ReservedNames
from service.http.schemas.accounts import NAME
from service.runtime.errors import NameTaken

NOW = 1_700_000_000_000
ALIKE = [
    ("Wu Qi", "Wu  Qi"),
    ("Ann Lee", "Ann\u2002Lee"),
    ("Ann Lee", "ANN LEE"),
    ("Paul", "PauI"),  # a capital i
    ("Paul", "Pau1"),
    ("Bob", "\u0412ob"),  # a Cyrillic capital
    ("Paul", "\u0440\u0430ul"),  # Cyrillic small letters
    ("Carmen", "Carrnen"),
    ("Leo", "Le0"),
    ("ILYA", "ilya"),
    ("Zoe\u0308", "Zo\u00eb"),
    ("Stra\u00dfe", "STRASSE"),
]
UNLIKE = [("Ann", "Anne"), ("Zo\u00eb", "Zoe"), ("Wu Qi", "WuQi"), ("Ada", "Ida"), ("b", "d")]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_are_refused_also_as_a_change(
    redis_client: Redis, one: str, other: str
) -> None:
    players = Players(redis_client, rename_days=0)
    players.register(one, NOW)
    with pytest.raises(NameTaken):
        players.register(other, NOW)
    third, _ = players.register("Zed", NOW)
    with pytest.raises(NameTaken):
        players.rename(third, other)
    assert players.by_name("Zed") == third


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_names_that_differ_to_the_eye_are_two(one: str, other: str) -> None:
    assert look_of(one) != look_of(other)


def test_names_that_look_like_those_of_bots_are_refused(redis_client: Redis) -> None:
    bots = {
        name
        for game in GAMES.values()
        for one in LANGUAGES
        for name in game.bot_names(one).values()
    }
    players = Players(redis_client, reserved=ReservedNames(set(map(look_of, bots))))
    for name in ("Wu  Qi", "Wu Q1", "de1eted"):
        with pytest.raises(NameTaken):
            players.register(name, NOW)


def test_a_player_may_change_their_name_to_one_that_looks_the_same(redis_client: Redis) -> None:
    players = Players(redis_client, rename_days=0)
    player, _ = players.register("PauI", NOW)
    player = players.rename(player, "Paul")
    with pytest.raises(NameTaken):
        players.register("PauI", NOW)
    players.rename(player, "Max")
    assert players.register("PauI", NOW)


def test_players_from_before_looks_were_stored_keep_their_names(redis_client: Redis) -> None:
    players = Players(redis_client, rename_days=0)
    old, _ = players.register("Wu Qi", NOW)
    redis_client.delete(look_key("Wu Qi"), name_key("Wu Qi"))
    redis_client.zrem("players", name_list_member(old))
    older = type(old)(old.id, "Wu  Qi")
    redis_client.hset(f"player:{old.id}", "name", older.name)
    redis_client.set(name_key(older.name), old.id)
    redis_client.zadd("players", {name_list_member(older): 0})
    assert players.by_name("Wu  Qi") == older
    newer, _ = players.register("Wu Qi", NOW)
    players.delete(older, NOW)
    assert redis_client.get(look_key("Wu Qi")) == newer.id.encode()


def test_every_confusable_character_may_stand_in_a_name_and_is_replaced_once() -> None:
    found = _prototypes()
    for code, target in found.items():
        assert re.fullmatch(NAME, chr(code)), chr(code)
        assert normalize("NFKC", chr(code)) == chr(code)
        assert not any(ord(one) in found for one in target), chr(code)
    assert len(found) > 1_500
