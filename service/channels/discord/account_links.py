"""Links between Discord users and players.

Each Discord user gets a player, and can be linked to another one with a code that works once.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any

from redis import Redis

from service.accounts.one_time_codes import CODE_LIFETIME_S, hash_code, new_code
from service.accounts.players import Player, Players
from service.channels.chat.preferences import (
    BoardFormat,
    Preferences,
    player_key,
    preferences_of,
    user_fields,
    user_key,
)
from service.channels.discord.payloads import User
from service.runtime.errors import BannedPlayer, NameTaken, NotFound, TooManyRequests

MAX_CODE_TRIES = 5
"""Maximum number of codes that a player may try while a code is valid."""
_NAME_TRIES = 20
_DEFAULT_NAME = "Player"
_FORBIDDEN_CHARS = re.compile(r"[^\w .'-]")


class AccountLinks:
    """The links, stored in Redis."""

    def __init__(self, redis: Redis, players: Players) -> None:
        self._redis = redis
        self._players = players

    def get_or_create_player(self, user: User, now: int) -> Player:
        """Return the player of a Discord user, created if there is none. Raises BannedPlayer."""
        fields = self._fields(user.id)
        for name in ("linked", "own"):
            if name in fields and (player := self._active_player(user.id, fields[name], name)):
                return player
        player = self._register(user, now)
        if not self._redis.hsetnx(user_key(user.id), "own", player.id):  # another request was first
            self._players.delete(player, now)
            return self.get_or_create_player(user, now)
        self._set_link(user.id, "own", player.id)
        return player

    def player_id_of(self, user: str) -> str | None:
        """Return the player id of a Discord user, or None if they have no player."""
        fields = self._fields(user)
        return fields.get("linked") or fields.get("own")

    def preferences(self, user: str) -> Preferences:
        """Return the preferences of a Discord user."""
        return preferences_of(self._redis, user)

    def set_preferences(
        self, user: str, ping: bool | None, board: BoardFormat | None
    ) -> Preferences:
        """Change preferences of a Discord user (None: unchanged) and return all."""
        changed = {"ping": None if ping is None else str(int(ping)), "board": board}
        given: Any = {name: text for name, text in changed.items() if text is not None}
        if given:
            self._redis.hset(user_key(user), mapping=given)
        return self.preferences(user)

    def create_code(self, user: str) -> str:
        """Create a code for a Discord user: the player who sends it is linked to them."""
        code = new_code()
        self._redis.set(_code_key(code), user, ex=CODE_LIFETIME_S)
        return code

    def link(self, player: str, code: str) -> None:
        """Link this player to the Discord user with this code, and to no other one.

        NotFound if the code is unknown or tries up; TooManyRequests after several wrong codes.
        """
        tries = _tries_key(player)
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.incr(tries)
            pipe.expire(tries, CODE_LIFETIME_S, nx=True)
            tries_used: int = pipe.execute()[0]
        if tries_used > MAX_CODE_TRIES:
            raise TooManyRequests(
                CODE_LIFETIME_S, f"{MAX_CODE_TRIES} codes in ten minutes", "codes"
            )
        user = self._redis.getdel(_code_key(code))
        if not isinstance(user, bytes):
            raise NotFound("This code is unknown or older than ten minutes.")
        self._redis.delete(tries)
        self.unlink_all(player)  # the previous user of this player
        self._remove_link(user.decode(), "linked")
        self._set_link(user.decode(), "linked", player)

    def unlink(self, user: str) -> bool:
        """Unlink a Discord user, who gets their first player back; returns False if there was no
        link.
        """
        linked = self._remove_link(user, "linked")
        if own := self._fields(user).get("own"):
            self._set_link(user, "own", own)
        return linked

    def unlink_player(self, player: str) -> None:
        """Unlink the Discord user with a link to this player. Raises NotFound if there is none."""
        user = self._redis.get(player_key(player))
        if not isinstance(user, bytes) or self._fields(user.decode()).get("linked") != player:
            raise NotFound("Your account is not linked to Discord.")
        self.unlink(user.decode())

    def erase_user(self, user: str) -> None:
        """Erase all data about a Discord user; their players stay."""
        for name in ("linked", "own"):
            self._remove_link(user, name)
        self._redis.delete(user_key(user))

    def unlink_all(self, player: str) -> None:
        """Remove all links of this player to a Discord user."""
        user = self._redis.get(player_key(player))
        if isinstance(user, bytes):
            links = self._fields(user.decode()).items()
            for name in [name for name, whose in links if whose == player]:
                self._remove_link(user.decode(), name)

    def erase_player(self, player: str) -> None:
        """Remove a deleted player; erases their Discord user if they have no other player."""
        user = self._redis.get(player_key(player))
        self.unlink_all(player)
        self._redis.delete(_tries_key(player))
        if isinstance(user, bytes) and not self.player_id_of(user.decode()):
            self._redis.delete(user_key(user.decode()))

    def _fields(self, user: str) -> Mapping[str, str]:
        return user_fields(self._redis, user)

    def _active_player(self, user: str, player: str, field: str) -> Player | None:
        """Return the player; None, without the link, if the account has been deleted. Raises
        BannedPlayer.
        """
        account = self._players.account(player)
        if account.banned is not None:
            raise BannedPlayer(account.banned)
        if account.deleted_at is not None:
            self._remove_link(user, field)
            return None
        return Player(player, account.name)

    def _set_link(self, user: str, field: str, player: str) -> None:
        self._redis.hset(user_key(user), field, player)
        self._redis.set(player_key(player), user)

    def _remove_link(self, user: str, field: str) -> bool:
        player = self._fields(user).get(field)
        if player is None:
            return False
        self._redis.hdel(user_key(user), field)
        self._redis.delete(player_key(player))
        return True

    def _register(self, user: User, now: int) -> Player:
        """Register a player with the name of the Discord user, or a similar one."""
        name = to_player_name(user.global_name or user.username)
        name = _DEFAULT_NAME if self._players.name_index.is_reserved(name) else name
        for ending in ("", *(f" {secrets.randbelow(9000) + 1000}" for _ in range(_NAME_TRIES))):
            try:
                player, _ = self._players.register(f"{name}{ending}", now)
            except NameTaken:
                continue
            self._players.tokens.revoke_all(player.id)  # no user has seen it
            return player
        raise NameTaken("No name like yours is free; choose another one in Discord.")


def to_player_name(name: str) -> str:
    """Return the name without characters that Annals does not allow."""
    kept = _FORBIDDEN_CHARS.sub("", name)[:24].strip(" .'-")
    return kept or _DEFAULT_NAME


def _tries_key(player: str) -> str:
    """Return the key that counts the codes that a player has tried."""
    return f"discord:tries:{player}"


def _code_key(code: str) -> str:
    """Return the key of a code; it contains only its hash."""
    return f"discord:code:{hash_code(code)}"
