"""Players: names, tokens, and interrupted registrations."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Unconnected

from service.accounts.players import Identity, Player, Players
from service.accounts.recovery_codes import CODES_PER_PLAYER
from service.accounts.sessions import Sessions
from service.accounts.tokens import (
    MAX_TOKENS_PER_PLAYER,
    Token,
    Tokens,
    looks_like_token,
    token_key,
)
from service.runtime.errors import (
    BadRecoveryCode,
    BannedPlayer,
    InvalidToken,
    NameTaken,
    NotFound,
    TooManyRenames,
    TooManyTokens,
)
from tests.support.observed_redis import ObservedRedis
from tests.support.patience import PATIENCE_S


class Failing(Redis):
    """A connection to a real Redis that breaks after a given number of commands."""

    commands_left = 0

    def execute_command(self, *words: Any, **options: Any) -> Any:
        if not self.commands_left:
            raise Unconnected
        self.commands_left -= 1
        return super().execute_command(*words, **options)


class Meeting(Redis):
    """A connection whose first command waits until `others` connections have sent theirs."""

    barrier: Barrier | None = None

    def execute_command(self, *words: Any, **options: Any) -> Any:
        answer = super().execute_command(*words, **options)
        if self.barrier is not None:
            barrier, self.barrier = self.barrier, None
            barrier.wait(PATIENCE_S)
        return answer


class Stuttering(Redis):
    """A connection that sends every command twice, as after a lost reply."""

    def execute_command(self, *words: Any, **options: Any) -> Any:
        super().execute_command(*words, **options)
        return super().execute_command(*words, **options)


@pytest.mark.parametrize("commands", [0, 1, 2])
def test_a_registration_that_is_cut_short_leaves_the_name_free(
    redis_client: Redis, redis_url: str, commands: int
) -> None:
    with Failing.from_url(redis_url) as failing:
        failing.commands_left = commands
        with pytest.raises(Unconnected):
            Players(failing).register("Ada", 0)
    players = Players(redis_client)
    player, token = players.register("Ada", 0)
    assert player_of_token(players, token) == players.by_name("ADA") == player


def test_a_request_for_a_taken_name_leaves_nothing_behind(redis_client: Redis) -> None:
    players = Players(redis_client)
    players.register("Ada", 0)
    before = sorted(redis_client.keys())
    with pytest.raises(NameTaken):
        players.register("ada", 0)
    assert sorted(redis_client.keys()) == before


def test_a_process_that_still_knows_an_old_token_replaces_nothing_with_it(
    redis_client: Redis,
) -> None:
    here, there = Players(redis_client), Players(redis_client)
    player, old = here.register("Ada", 0)
    session = there.by_token(old)
    assert session
    new = here.replace_token(session, old, 1)
    assert here.by_token(old) is None
    assert there.by_token(old) == session, "for some seconds"
    with pytest.raises(InvalidToken):
        there.replace_token(session, old, 2)
    assert player_of_token(there, new) == player
    assert len(here.tokens.of_player(player.id)) == 1


def test_of_many_concurrent_replacements_one_token_remains(
    redis_client: Redis, redis_url: str
) -> None:
    players = Players(redis_client)
    player, old = players.register("Ada", 0)
    session = players.by_token(old)
    assert session
    all_know = Barrier(8)

    def replace(_: int) -> str | None:
        with Meeting.from_url(redis_url) as meeting:
            meeting.barrier = all_know
            with suppress(InvalidToken):
                return Players(meeting).replace_token(session, old, 1)
        return None

    with ThreadPoolExecutor(8) as pool:
        found = [token for token in pool.map(replace, range(8)) if token is not None]
    [new] = found
    fresh = Players(redis_client)
    assert (player_of_token(fresh, new), player_of_token(fresh, old)) == (player, None)
    assert len(fresh.tokens.of_player(player.id)) == 1
    assert len([key for key in redis_client.keys("token:*") if redis_client.ttl(key) < 0]) == 1


def test_a_step_of_the_replacement_that_is_sent_twice_does_not_lose_the_player(
    redis_client: Redis, redis_url: str
) -> None:
    player, old = Players(redis_client).register("Ada", 0)
    with Stuttering.from_url(redis_url) as stuttering:
        players = Players(stuttering)
        session = players.by_token(old)
        assert session
        new = players.replace_token(session, old, 1)
    fresh = Players(redis_client)
    assert (player_of_token(fresh, new), player_of_token(fresh, old)) == (player, None)


def test_names_are_those_of_now_apart_from_some_seconds(redis_client: Redis) -> None:
    ada, _ = Players(redis_client).register("Ada", 0)
    forgetful, lazy = Players(redis_client, cache_s=0), Players(redis_client, cache_s=60)
    assert forgetful.names([ada.id, "nobody"]) == lazy.names([ada.id]) == {ada.id: "Ada"}
    redis_client.hset(f"player:{ada.id}", "name", "Augusta")
    assert forgetful.names([ada.id]) == {ada.id: "Augusta"}
    assert lazy.names([ada.id]) == {ada.id: "Ada"}


def player_of_token(players: Players, token: str) -> Player | None:
    """The player who owns this token."""
    session = players.by_token(token)
    return session.player if session else None


def test_secrets_are_stored_only_as_their_hashes(redis_client: Redis) -> None:
    players = Players(redis_client)
    player, token = players.register("Ada", 0)
    codes = players.recovery.issue(player.id)
    _, named = players.tokens.issue_named(player.id, "bot", ("play",), 3_600, 0)
    keys = redis_client.keys()
    stored = [*keys, *(redis_client.dump(key) for key in keys)]
    for secret in (token, named, *codes, *(code.replace("-", "") for code in codes)):
        assert not any(secret.encode() in one for one in stored)


def test_what_cannot_be_a_token_is_not_looked_for(redis_client: Redis) -> None:
    players = Players(redis_client)
    _, token = players.register("Ada", 0)
    assert re.fullmatch(r"annals_[0-9A-Za-z]{42}", token)
    redis_client.close()
    other = token[:-1] + ("1" if token[-1] == "0" else "0")
    for wrong in (other, token.removeprefix("annals_"), "annals_", "", "an\u00e4"):
        assert not looks_like_token(wrong)
    assert looks_like_token(token)


def test_a_code_is_good_once_however_it_is_written(redis_client: Redis) -> None:
    players = Players(redis_client)
    ada, token = players.register("Ada", 0)
    players.register("Bea", 0)
    first, second, *_ = players.recovery.issue(ada.id)
    with pytest.raises(BadRecoveryCode):
        players.recover("Bea", first, 1)
    again, renewed = players.recover("ada", first.upper().replace("-", " ").replace("0", "O"), 1)
    assert (again, player_of_token(players, renewed), player_of_token(players, token)) == (
        ada,
        ada,
        None,
    )
    for name, code in (("Ada", first), ("Nobody", second), ("Ada", "")):
        with pytest.raises(BadRecoveryCode):
            players.recover(name, code, 2)
    assert players.recovery.count(ada.id) == CODES_PER_PLAYER - 1
    assert player_of_token(players, renewed) == ada


def test_of_two_concurrent_uses_of_a_code_one_gets_a_token(redis_client: Redis) -> None:
    players = Players(redis_client)
    ada, _ = players.register("Ada", 0)
    code = players.recovery.issue(ada.id)[0]
    with ThreadPoolExecutor(8) as pool:
        used = list(pool.map(lambda _: players.recovery.use(ada.id, code), range(8)))
    assert used.count(True) == 1


def test_a_name_that_was_given_up_is_free(redis_client: Redis) -> None:
    players = Players(redis_client, cache_s=0, rename_days=0)
    ada, token = players.register("Ada", 0)
    players.register("Bea", 0)
    with pytest.raises(NameTaken):
        players.rename(ada, "BEA")
    eve = players.rename(ada, "Eve")
    assert (eve, player_of_token(players, token)) == (Player(ada.id, "Eve"), eve)
    assert players.by_name("Ada") is None
    assert players.by_name("eve") == eve
    assert players.rename(eve, "EVE") == players.by_name("eve")
    assert [one.name for one in players.search("", "", 9)] == ["Bea", "EVE"]
    players.register("Ada", 0)


def test_a_refused_name_uses_up_no_change(redis_client: Redis) -> None:
    players = Players(redis_client)
    ada, _ = players.register("Ada", 0)
    players.register("Bea", 0)
    with pytest.raises(NameTaken):
        players.rename(ada, "Bea")
    eve = players.rename(ada, "Eve")
    with pytest.raises(TooManyRenames) as refused:
        players.rename(eve, "Ada")
    assert 0 < refused.value.seconds <= 30 * 86_400


def test_a_deleted_player_leaves_an_id_without_a_name(redis_client: Redis) -> None:
    players = Players(redis_client)
    ada, token = players.register("Ada", 0)
    code = players.recovery.issue(ada.id)[0]
    assert player_of_token(players, token) == ada
    for _ in range(2):  # the first attempt was interrupted
        players.delete(ada, 7)
        assert (player_of_token(players, token), players.by_name("Ada")) == (None, None)
        assert players.names([ada.id]) == {ada.id: "deleted"}
        assert players.account(ada.id).deleted_at == 7
    with pytest.raises(BadRecoveryCode):
        players.recover("Ada", code, 8)
    for name in ("deleted", "Deleted"):
        with pytest.raises(NameTaken):
            players.register(name, 9)
    assert players.register("Ada", 9)[0] != ada


def test_a_banned_player_learns_so_until_the_ban_ends(redis_client: Redis) -> None:
    players, elsewhere = Players(redis_client), Players(redis_client, cache_s=0)
    ada, token = players.register("Ada", 0)
    assert player_of_token(players, token) == ada
    players.ban(ada.id, "cheating")
    for one in (players, elsewhere):
        with pytest.raises(BannedPlayer, match="cheating"):
            one.by_token(token)
    players.ban(ada.id, None)
    assert player_of_token(players, token) == ada


def test_players_are_found_by_how_their_names_begin(redis_client: Redis) -> None:
    players = Players(redis_client)
    for name in ("Bob", "ann", "Anna", "Zo\u00e9", "Annabel"):
        players.register(name, 0)
    assert [one.name for one in players.search("AN", "", 2)] == ["ann", "Anna"]
    assert [one.name for one in players.search("AN", "Anna", 2)] == ["Annabel"]
    assert [one.name for one in players.search("", "Annabel", 9)] == ["Bob", "Zo\u00e9"]
    assert players.search("x", "", 9) == []


def test_an_expired_token_is_not_listed(redis_client: Redis) -> None:
    players = Players(redis_client)
    ada, _ = players.register("Ada", 0)
    named, text = players.tokens.issue_named(ada.id, "bot", ("read", "play"), 60, 0)
    assert (named.expires_at, players.by_token(text)) == (60_000, Identity(ada, named))
    assert redis_client.ttl(token_key(text)) in (59, 60)
    redis_client.delete(token_key(text))  # as Redis does
    assert [one.name for one in players.tokens.of_player(ada.id)] == [None]
    with pytest.raises(NotFound):
        players.revoke(ada.id, named.id)


def test_nothing_but_a_player_is_found_by_an_id(redis_client: Redis) -> None:
    """Other keys start with the same prefix as those of players."""
    players = Players(redis_client)
    ada, _ = players.register("Ada", 0)
    players.recovery.issue(ada.id)
    kinds = {key.decode().removeprefix("player:") for key in redis_client.keys("player:*")}
    others = [*(kinds - {ada.id}), f"{ada.id}\n", "", ada.id.upper()]
    assert f"{ada.id}:recovery" in others
    for other in others:
        assert players.by_id(other) is None
        assert players.names([other, ada.id]) == {ada.id: "Ada"}
        with pytest.raises(NotFound):
            players.account(other)


def test_a_player_has_a_limited_number_of_tokens(redis_client: Redis) -> None:
    players = Players(redis_client)
    ada, _ = players.register("Ada", 0)
    for _ in range(MAX_TOKENS_PER_PLAYER - 1):
        players.tokens.issue_named(ada.id, "bot", ("play",), None, 0)
    with pytest.raises(TooManyTokens):
        players.tokens.issue_named(ada.id, "bot", ("play",), None, 0)


def test_one_token_too_many_is_refused_also_if_all_end_meanwhile(
    redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = Players(redis_client)
    ada, _ = players.register("Ada", 0)
    for number in range(MAX_TOKENS_PER_PLAYER - 1):
        players.tokens.issue_named(ada.id, f"bot {number}", ("play",), None, 0)
    read = Tokens.of_player

    def read_before_all_end(self: Tokens, player: str) -> list[Token]:
        found = read(self, player)
        self.revoke_all(player)
        return found

    monkeypatch.setattr(Tokens, "of_player", read_before_all_end)
    with pytest.raises(TooManyTokens):
        players.tokens.issue_named(ada.id, "bot", ("play",), None, 0)
    assert redis_client.keys("token:*") == []


def test_many_sessions_that_begin_at_once_are_not_too_many(redis_client: Redis) -> None:
    players = Players(redis_client)
    ada, _ = players.register("Ada", 0)
    for number in range(MAX_TOKENS_PER_PLAYER - 2):
        players.tokens.issue_named(ada.id, f"bot {number}", ("play",), None, 0)
    sessions = Sessions(redis_client, players)
    with ThreadPoolExecutor(8) as pool:
        begun = [pool.submit(sessions.begin, ada, "Firefox", at) for at in range(16)]
    assert all(one.result() for one in begun)
    assert len(players.tokens.of_player(ada.id)) == MAX_TOKENS_PER_PLAYER


def test_a_new_token_stays_in_the_list_while_others_read_it(
    redis_client: Redis, redis_url: str
) -> None:
    players = Players(redis_client)
    ada, _ = players.register("Ada", 0)
    with ObservedRedis.from_url(redis_url) as observed:
        observed.read = lambda: players.tokens.of_player(ada.id)
        made, text = Players(observed).tokens.issue_named(ada.id, "bot", ("play",), None, 0)
    assert players.tokens.find(token_key(text)) == made
    assert made in players.tokens.of_player(ada.id)
