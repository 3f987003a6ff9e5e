"""Who in Discord is which player: everybody has a player of their own there, and may have it be
another by a code that is good once.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any

from redis import Redis

from service.accounts.one_time_codes import CODE_S, hashed, new_code
from service.accounts.players import Player, Players
from service.channels.chat.preferences import (
    Form,
    Wishes,
    fields_of,
    player_key,
    user_key,
    wishes_of,
)
from service.channels.discord.payloads import User
from service.runtime.errors import Banned, NameTaken, NotFound, TooManyRequests

TRIES = 5
"""So many of a player's are counted for as long as a code is good."""
_NAMES = 20
_STRANGE = re.compile(r"[^\w .'-]")


class Links:
    """Who is which player, in Redis."""

    def __init__(self, redis: Redis, players: Players) -> None:
        self._redis = redis
        self._players = players

    def player_of(self, user: User, now: int) -> Player:
        """The player of somebody in Discord, who gets one if there is none; Banned."""
        fields = self._fields(user.id)
        for name in ("linked", "own"):
            if name in fields and (player := self._there(user.id, fields[name], name)):
                return player
        player = self._registered(user, now)
        if not self._redis.hsetnx(user_key(user.id), "own", player.id):  # they came twice at once
            self._players.delete(player, now)
            return self.player_of(user, now)
        self._tie(user.id, "own", player.id)
        return player

    def known(self, user: str) -> str | None:
        """The id of the player of somebody in Discord, if they have one."""
        fields = self._fields(user)
        return fields.get("linked") or fields.get("own")

    def wishes(self, user: str) -> Wishes:
        """How somebody wants to be answered."""
        return wishes_of(self._redis, user)

    def wish(self, user: str, ping: bool | None, form: Form | None) -> Wishes:
        """Let somebody be answered otherwise from now on."""
        changed = {"ping": None if ping is None else str(int(ping)), "form": form}
        given: Any = {name: text for name, text in changed.items() if text is not None}
        if given:
            self._redis.hset(user_key(user), mapping=given)
        return self.wishes(user)

    def offer(self, user: str) -> str:
        """A code for somebody in Discord: who sends it with their token is their player then."""
        code = new_code()
        self._redis.set(_code_key(code), user, ex=CODE_S)
        return code

    def link(self, player: str, code: str) -> None:
        """Let somebody in Discord who was shown this code be this player, and nobody else.

        NotFound if nobody was, or if it is used up; TooManyRequests after some wrong tries.
        """
        tries = _tries_key(player)
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.incr(tries)
            pipe.expire(tries, CODE_S, nx=True)
            used: int = pipe.execute()[0]
        if used > TRIES:
            raise TooManyRequests(CODE_S, f"{TRIES} tries of a code in ten minutes", "codes")
        user = self._redis.getdel(_code_key(code))
        if not isinstance(user, bytes):
            raise NotFound("Nobody in Discord was shown this code in the last ten minutes.")
        self._redis.delete(tries)
        self.forget_player(player)  # whoever was it before
        self._untie(user.decode(), "linked")
        self._tie(user.decode(), "linked", player)

    def unlink(self, user: str) -> bool:
        """Let somebody in Discord be their own player again; whether they were another."""
        linked = self._untie(user, "linked")
        if own := self._fields(user).get("own"):
            self._tie(user, "own", own)
        return linked

    def unlink_player(self, player: str) -> None:
        """The same for whoever is this player; NotFound if nobody is."""
        user = self._redis.get(player_key(player))
        if not isinstance(user, bytes) or not self.unlink(user.decode()):
            raise NotFound("Nobody in Discord is linked with you.")

    def forget(self, user: str) -> None:
        """Forget all about somebody in Discord; their players stay."""
        for name in ("linked", "own"):
            self._untie(user, name)
        self._redis.delete(user_key(user))

    def forget_player(self, player: str) -> None:
        """Let nobody in Discord be this player any more."""
        user = self._redis.get(player_key(player))
        if isinstance(user, bytes):
            tied = self._fields(user.decode()).items()
            for name in [name for name, whose in tied if whose == player]:
                self._untie(user.decode(), name)

    def drop_player(self, player: str) -> None:
        """Forget a player who goes for good, and whoever in Discord was nobody else."""
        user = self._redis.get(player_key(player))
        self.forget_player(player)
        self._redis.delete(_tries_key(player))
        if isinstance(user, bytes) and not self.known(user.decode()):
            self._redis.delete(user_key(user.decode()))

    def _fields(self, user: str) -> Mapping[str, str]:
        return fields_of(self._redis, user)

    def _there(self, user: str, player: str, name: str) -> Player | None:
        """The player, if they are there still."""
        account = self._players.account(player)
        if account.banned is not None:
            raise Banned(account.banned)
        if account.deleted_at is not None:
            self._untie(user, name)
            return None
        return Player(player, account.name)

    def _tie(self, user: str, name: str, player: str) -> None:
        self._redis.hset(user_key(user), name, player)
        self._redis.set(player_key(player), user)

    def _untie(self, user: str, name: str) -> bool:
        player = self._fields(user).get(name)
        if player is None:
            return False
        self._redis.hdel(user_key(user), name)
        self._redis.delete(player_key(player))
        return True

    def _registered(self, user: User, now: int) -> Player:
        """A new player, called as they are in Discord, or nearly so."""
        name = fitting(user.global_name or user.username)
        for ending in ("", *(f" {secrets.randbelow(9000) + 1000}" for _ in range(_NAMES))):
            try:
                player, _ = self._players.register(f"{name}{ending}", now)
            except NameTaken:
                continue
            self._players.tokens.revoke_all(player.id)  # nobody was shown it
            return player
        raise NameTaken("No name like yours is free; choose another one in Discord.")


def fitting(name: str) -> str:
    """A name that a player may have, as much like this one as can be."""
    kept = _STRANGE.sub("", name)[:24].strip(" .'-")
    return kept or "Player"


def _tries_key(player: str) -> str:
    """Where it is counted how many codes a player has tried."""
    return f"discord:tries:{player}"


def _code_key(code: str) -> str:
    """Where a code is kept; not the code itself."""
    return f"discord:code:{hashed(code)}"
