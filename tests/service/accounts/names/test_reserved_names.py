"""No player can take a name that sounds like an operator or the service."""

from __future__ import annotations

from importlib.resources import files
from itertools import chain, islice

import pytest
from msgspec import json
from redis import Redis

from service.accounts.house import House, HouseRecord
from service.accounts.names.looks import _prototypes, look_of
from service.accounts.names.name_index import look_keys, name_key
from service.accounts.names.reserved_names import ReservedNames
from service.accounts.operators import Operators
from service.accounts.players import Player, Players, name_list_member
from service.runtime.errors import NameTaken

NOW = 1_700_000_000_000
WORDS = json.decode(files("service.accounts.names").joinpath("reserved_words.json").read_bytes())
ROLES = sorted(set(chain(*WORDS["roles"].values())))
LIKE_A_ROLE = [
    "ADMIN", "Admin 2", "1 Admin", "admin_7", "Adm1n", "\u0410dmin", "\u0430dm\u0456n", "adrnin",
    "\uff21dmin", "\u00e1dmin", "A.d.m.i.n", "Ad-min", "The Admin", "Annals Team", "annals_support",
    "Senior Moderator", "0perator", "0perator1", "operat\u03c3r", "OPERAT\u03a3R",
    "0perat\u03c3r 1",
    "Official Annals Account",
    "\u7ad9\u957f", "\u7ad9\u95771", "\u672c\u7ad9\u7cfb\u7d71\u8a0a\u606f",
    "Annals\u7ba1\u7406\u5458", "\u526f\u7ba1\u7406\u54e1", "\u5b98\u65b9\u5ba2\u670d",
]  # fmt: skip
PLAYERS = [
    "Adina", "Minad", "Badminton", "Ann Admin-Smith", "Rooty", "Modesty", "Systema", "Team A",
    "The Game", "Club", "Chief", "Supporter Ada", "Annalise", "Bottom", "\u9ad8\u7ea7", "\u7cfb",
    "\u738b\u7ba1", "Operatorin Ada",
]  # fmt: skip


@pytest.mark.parametrize("name", [*ROLES, *LIKE_A_ROLE])
def test_a_name_of_words_for_operators_is_refused_also_as_a_change(
    redis_client: Redis, name: str
) -> None:
    players = Players(redis_client, rename_days=0)
    with pytest.raises(NameTaken):
        players.register(name, NOW)
    with pytest.raises(NameTaken):
        players.rename(players.register("Zed", NOW)[0], name)


@pytest.mark.parametrize("name", PLAYERS)
def test_names_of_people_are_not_refused(redis_client: Redis, name: str) -> None:
    assert Players(redis_client).register(name, NOW)


def test_each_letter_of_a_role_may_be_one_that_looks_like_it() -> None:
    reserved, tried = ReservedNames(), 0
    for letter, target in _prototypes().items():
        for role in islice((role for role in ROLES if chr(letter) != target in role), 2):
            assert reserved.is_for_operators(role.replace(target, chr(letter))), (role, letter)
            tried += 1
    assert tried > 100


def test_the_name_of_the_house_is_refused_alone_and_with_such_words(redis_client: Redis) -> None:
    house = HouseRecord(redis_client, 0)
    house.write(House("Chess & Go Caf\u00e9"))
    players = Players(redis_client, reserved=ReservedNames(house=house))
    for name in ("Chess Go Cafe", "chess go caf\u00e9 Team", "Official Chess Go Cafe", "Admin"):
        with pytest.raises(NameTaken):
            players.register(name, NOW)
    assert players.register("Chess Ann", NOW)


def test_an_operator_may_have_such_a_name_but_not_that_of_a_bot(redis_client: Redis) -> None:
    players = Players(redis_client, 0, 0, ReservedNames({look_of("Wu Qi")}))
    admin, _ = players.register("Admin", NOW, operator=True)
    with pytest.raises(NameTaken):
        players.register("Wu Qi", NOW, operator=True)
    Operators(redis_client).add(admin.id)
    assert players.rename(admin, "Annals Team").name == "Annals Team"
    Operators(redis_client).remove(admin.id)
    with pytest.raises(NameTaken):
        players.rename(admin, "Admin")


def test_players_who_have_such_a_name_keep_it(redis_client: Redis) -> None:
    players = Players(redis_client, rename_days=0)
    ann, token = players.register("Zed", NOW)
    old = Player(ann.id, "moderator")
    redis_client.hset(f"player:{ann.id}", "name", old.name)
    redis_client.mset(dict.fromkeys([name_key(old.name), *look_keys(old.name)], ann.id))
    redis_client.zadd("players", {name_list_member(old): 0})
    found = players.by_token(token)
    assert found
    assert found.player == old
    assert players.by_name("Moderator") == old
    assert players.rename(old, "MODERATOR").name == "MODERATOR"
