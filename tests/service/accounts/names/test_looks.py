"""Names that look alike are not two names."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Callable
from string import ascii_letters, digits
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis import Redis

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from service.accounts.names.looks import _prototypes, look_of, looks_of
from service.accounts.names.name_index import look_keys, name_key
from service.accounts.names.reserved_names import ReservedNames
from service.accounts.players import Players, name_list_member
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
    ("Stra\u00dfe", "Stra\u03b2e"),  # a Greek beta
    ("Steve", "Ste\u03bde"),  # a Greek nu, whose capital is an N
    ("STENE", "Ste\u03bde"),
    ("Paul Steve", "PauI Ste\u03bde"),
    ("Nova", "\u039do\u03bda"),  # both of them
    ("Pia", "P\u026aa"),  # a small capital i
    ("Roy", "\u0433oy"),  # a Cyrillic small letter
    ("\u011adna", "\u0114dna"),  # a caron and a breve
    ("\u0150rs", "\u00d6rs"),
]
LOOK_ALIKES = defaultdict[str, list[str]](list)
"""By letter, the letters that look like it."""
for one, target in _prototypes().items():
    LOOK_ALIKES[target].append(chr(one))
UNLIKE = [
    ("Nina", "Vina"),
    ("Roy", "Yoy"),
    ("Ann", "Anne"),
    ("Zo\u00eb", "Zoe"),
    ("Wu Qi", "WuQi"),
    ("Ada", "Ida"),
    ("b", "d"),
]


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
    assert looks_of(one).isdisjoint(looks_of(other))


@pytest.mark.parametrize("spell", [str.upper, str.lower, str.casefold])
def test_each_letter_shares_a_look_with_its_other_spellings(spell: Callable[[str], str]) -> None:
    """The others are spelled the same way: two equal names share their looks."""
    every = map(chr, range(sys.maxunicode + 1))
    letters = [one for one in every if spell(one) != one and re.fullmatch(NAME, one)]
    assert len(letters) > 1_000
    apart = [one for one in letters if looks_of(f"a{one}b").isdisjoint(looks_of(f"a{spell(one)}b"))]
    assert not apart


@given(st.text(ascii_letters + digits, min_size=1, max_size=12), st.data())
def test_a_name_shares_a_look_with_one_of_letters_that_look_like_its_own(
    name: str, data: st.DataObject
) -> None:
    """Whichever of them are replaced, in whichever case the rest is."""
    alike = [data.draw(st.sampled_from([one, *LOOK_ALIKES.get(one, ())])) for one in name]
    assert not looks_of(name).isdisjoint(looks_of("".join(alike)))


def test_each_confusable_letter_shares_a_look_with_what_it_looks_like() -> None:
    for letter, target in _prototypes().items():
        assert not looks_of(chr(letter)).isdisjoint(looks_of(target)), chr(letter)


def test_a_name_with_two_looks_is_freed_as_a_whole(redis_client: Redis) -> None:
    players = Players(redis_client, rename_days=0)
    player, _ = players.register("Ste\u03bde", NOW)
    assert len(look_keys(player.name)) == 2
    renamed = players.rename(player, "Steve")
    assert redis_client.keys("look:*") == [b"look:steve"]
    with pytest.raises(NameTaken):
        players.register("Ste\u03bde", NOW)
    assert sorted(redis_client.keys("look:*")) == [b"look:steve"]
    assert redis_client.keys("name:*") == [b"name:steve"]
    players.delete(renamed, NOW)
    assert redis_client.keys("look:*") == []
    assert players.register("Ste\u03bde", NOW)


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
    redis_client.delete(*look_keys("Wu Qi"), name_key("Wu Qi"))
    redis_client.zrem("players", name_list_member(old))
    older = type(old)(old.id, "Wu  Qi")
    redis_client.hset(f"player:{old.id}", "name", older.name)
    redis_client.set(name_key(older.name), old.id)
    redis_client.zadd("players", {name_list_member(older): 0})
    assert players.by_name("Wu  Qi") == older
    newer, _ = players.register("Wu Qi", NOW)
    players.delete(older, NOW)
    assert redis_client.mget(look_keys("Wu Qi")) == [newer.id.encode()]


def test_every_confusable_character_may_stand_in_a_name_and_is_replaced_once() -> None:
    found = _prototypes()
    for code, target in found.items():
        assert re.fullmatch(NAME, chr(code)), chr(code)
        assert normalize("NFKC", chr(code)) == chr(code)
        assert not any(ord(one) in found for one in target), chr(code)
    assert len(found) > 1_500
