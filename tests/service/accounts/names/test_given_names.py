"""Names that the service gives: each reader sees them in their language, one is stored."""

from __future__ import annotations

import pytest
from redis import Redis

from domain.engine.sentences import LANGUAGES
from service.accounts.players import Players
from service.runtime.errors import NameTaken

GUEST = {"en": "Guest F04E5C", "zh-Hans": "\u6e38\u5ba2F04E5C", "zh-Hant": "\u8a2a\u5ba2F04E5C"}
DELETED = {"en": "deleted", "zh-Hans": "\u5df2\u5220\u9664", "zh-Hant": "\u5df2\u522a\u9664"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_reader_sees_the_name_in_their_language(redis_client: Redis, language: str) -> None:
    players = Players(redis_client)
    guest, _ = players.register(GUEST["en"], 0, guest=True)
    ann, _ = players.register("Guest Ann", 0)
    assert players.names({guest.id, ann.id}, language) == {
        guest.id: GUEST[language],
        ann.id: "Guest Ann",
    }
    assert guest.named_in(language).name == GUEST[language]
    players.delete(guest, 0)
    assert players.names({guest.id}, language) == {guest.id: DELETED[language]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_name_in_any_language_names_the_same_player(redis_client: Redis, language: str) -> None:
    players = Players(redis_client, rename_days=0)
    guest, _ = players.register(GUEST["en"], 0, guest=True)
    for name in (GUEST[language], GUEST[language].replace("F0", " f0").replace("  ", " ")):
        assert players.by_name(name) == guest
        assert [one.id for one in players.search(name, "", 1)] == [guest.id]
        with pytest.raises(NameTaken):
            players.register(name, 0)
    for name in (DELETED[language], DELETED[language].upper()):
        with pytest.raises(NameTaken):
            players.register(name, 0)
    assert players.rename(guest, GUEST[language]).name == GUEST["en"]
