"""Players, their names, and the lookup of tokens."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

import msgspec
from redis import Redis

from domain.engine.resources.rulebook import ENGLISH
from service.accounts.names.given_names import DELETED_NAME, name_in
from service.accounts.names.name_index import NameIndex, fold_name, name_key, tidy_name
from service.accounts.names.reserved_names import ReservedNames
from service.accounts.operators import Operators
from service.accounts.recovery_codes import RecoveryCodes
from service.accounts.tokens import Token, Tokens, looks_like_token, token_key
from service.runtime.errors import (
    BadRecoveryCode,
    BannedPlayer,
    NameTaken,
    NotFound,
    TooManyRenames,
    UnknownToken,
)
from service.runtime.shares.cache_shares import DEFAULT_CACHE_MB, IDENTITIES, NAMES
from service.runtime.shares.recent_cache import RecentCache

NAMES_KEY = "players"
"""The key of the sorted list of all names."""
_DAY_S = 86_400
_ID = re.compile(r"u[0-9a-f]{16}")
_RENAME_S = 10
"""For how many seconds at most a change of name in progress refuses another one."""


class Player(msgspec.Struct, frozen=True):
    """An account that can hold seats."""

    id: str
    name: str

    def named_in(self, language: str) -> Player:
        """The player, with their name as readers of a language know it."""
        return Player(self.id, name_in(self.name, language))


class Identity(msgspec.Struct, frozen=True):
    """The player and the token of a request."""

    player: Player
    token: Token


class Account(msgspec.Struct, frozen=True):
    """A player as operators see them; times are in ms since the epoch. A mute stays stored when it
    has ended.
    """

    id: str
    name: str
    registered_at: int
    banned: str | None = None
    deleted_at: int | None = None
    muted: str | None = None
    muted_until: int | None = None


class Players:
    """All players, in Redis, with a cache of tokens and names.

    Reserved names cannot be taken: at a table they would be confused with bots, deleted players or
    operators. Players who have one keep it.
    """

    def __init__(
        self,
        redis: Redis,
        cache_s: float = 60,
        rename_days: float = 30,
        reserved: ReservedNames | None = None,
        cache_mb: int = DEFAULT_CACHE_MB,
    ) -> None:
        self._redis = redis
        self._operators = Operators(redis)
        self.name_index = NameIndex(redis, reserved or ReservedNames())
        self._cache_s = cache_s
        self._rename_s = int(rename_days * _DAY_S)
        self._identities = RecentCache[str, tuple[Identity, float]](
            IDENTITIES.max_entries(cache_mb)
        )
        self.revocations = 0
        """How many times this process revoked a token or banned a player."""
        self._cached_names = RecentCache[str, tuple[str, float]](NAMES.max_entries(cache_mb))
        self.tokens = Tokens(redis)
        self.recovery = RecoveryCodes(redis)

    def register(
        self, name: str, now: int, *, guest: bool = False, operator: bool = False
    ) -> tuple[Player, str]:
        """Create a player, a guest, or who becomes an operator; return them and their token. Raises
        NameTaken if the name is reserved or looks like another one.
        """
        player = Player(f"u{secrets.token_hex(8)}", tidy_name(name))
        fields: dict[Any, Any] = {"name": player.name, "at": now} | ({"guest": 1} if guest else {})
        self._redis.hset(player_key(player.id), mapping=fields)
        token = self.tokens.issue(player.id, now)
        # The name comes last: if the process dies before, it stays free.
        if not self.name_index.take(player.id, player.name, operator=operator):
            self.tokens.revoke_all(player.id)
            self._redis.delete(player_key(player.id))
            raise NameTaken(f"The name {player.name} is taken.")
        self._put_name(player)
        return player, token

    def by_token(self, text: str) -> Identity | None:
        """Return the player and record of a token; None if it is unknown. Raises BannedPlayer."""
        key = token_key(text)
        cached = self._identities.get(key)
        if cached is not None and monotonic() < cached[1]:
            return cached[0]
        token = self.tokens.find(key) if looks_like_token(text) else None
        return self._cache(key, token) if token else None

    def replace_token(self, identity: Identity, text: str, now: int) -> str:
        """Replace a token; return the new one. Raises UnknownToken if it was
        replaced already.
        """
        renewed = self.tokens.replace(identity.token, text, now)
        self._uncache(token_key(text))
        return renewed

    def replace_account_token(self, player: str, now: int, by: str) -> str:
        """Replace the account's token; return the new one. Named tokens and sessions stay valid.
        Raises UnknownToken if the token with the id `by` ends meanwhile.
        """
        known = self.tokens.of_player(player)
        text = self.tokens.issue(player, now)
        self.tokens.confirm(text, player, by)
        for token in known:
            if token.name is None:
                with suppress(NotFound):  # revoked by another request just now
                    self.revoke(player, token.id)
        return text

    def revoke(self, player: str, token: str) -> None:
        """Revoke a token of a player. Raises NotFound if the player has no token with this id."""
        self._uncache(self.tokens.revoke(player, token))

    def replace_all_tokens(self, player: str, now: int) -> str:
        """Revoke all tokens of a player; return a new one."""
        self.tokens.revoke_all(player)
        self._uncache_player(player)
        return self.tokens.issue(player, now)

    def recover(self, name: str, code: str, now: int) -> tuple[Player, str]:
        """Use a recovery code of the player of this name; return the player and their only valid
        token.

        Raises BadRecoveryCode if the player does not exist or the code is not theirs.
        """
        player = self.by_name(name)
        if not self.recovery.use(player.id if player else "", code) or player is None:
            raise BadRecoveryCode("This is not a recovery code of the player with this name.")
        return player, self.replace_all_tokens(player.id, now)

    def rename(self, player: Player, name: str) -> Player:
        """Change the name of a player. Raises NameTaken; TooManyRenames if the last change is too
        recent or in progress; UnknownToken if another request deletes the player meanwhile.
        """
        renamed, mark = Player(player.id, tidy_name(name)), f"{player_key(player.id)}:renamed"
        if not self._redis.set(mark, 1, nx=True, ex=self._rename_s or _RENAME_S):
            raise TooManyRenames(max(1, self._redis.ttl(mark)))
        player = self.by_id(player.id) or player  # their current name, not the cached one
        operator = self._operators.has(player.id)
        if not self.name_index.change(player.id, player.name, renamed.name, operator=operator):
            self._redis.delete(mark)
            raise NameTaken(f"The name {renamed.name} is taken.")
        self._put_name(renamed)
        self._drop_name(player, renamed.name)
        if not self._rename_s:
            self._redis.delete(mark)
        self._uncache_player(player.id)
        if self.is_deleted(player.id):
            self._erase_name(renamed)
            raise UnknownToken("The account of this token has been deleted.")
        return renamed

    def delete(self, player: Player, now: int) -> None:
        """Erase a player: free their name and revoke their tokens. Their id stays in matches.

        Idempotent: a second call completes an interrupted one.
        """
        self.recovery.delete_all(player.id)
        self._redis.hsetnx(player_key(player.id), "deleted", str(now))
        self._redis.hdel(player_key(player.id), "banned")
        self._erase_name(self.by_id(player.id) or player)  # their current name
        self.tokens.revoke_all(player.id)
        self._uncache_player(player.id)

    def is_guest(self, player: str) -> bool:
        """Return whether only a browser knows the account of a player."""
        return bool(self._redis.hexists(player_key(player), "guest"))

    def keep_account(self, player: str) -> None:
        """Record that a player has what they need to come back: they are no guest any longer."""
        self._redis.hdel(player_key(player), "guest")

    def ban(self, player: str, reason: str | None) -> None:
        """Ban a player for this reason; None lifts the ban."""
        if reason is None:
            self._redis.hdel(player_key(player), "banned")
        else:
            self._redis.hset(player_key(player), "banned", reason)
        self._uncache_player(player)

    def find_active(self, player: str) -> Player | None:
        """Return the player with this id; None if unknown or deleted. Raises BannedPlayer."""
        fields: Any = self._redis.hmget(player_key(player), ["name", "banned", "deleted"])
        name, banned, deleted = fields
        if name is None or deleted is not None:
            return None
        if banned is not None:
            raise BannedPlayer(banned.decode())
        return Player(player, name.decode())

    def is_deleted(self, player: str) -> bool:
        """Return whether the account of a player has been deleted."""
        return bool(self._redis.hexists(player_key(player), "deleted"))

    def is_active(self, player: str) -> bool:
        """Return whether a player is known, and neither deleted nor banned."""
        try:
            return self.find_active(player) is not None
        except BannedPlayer:
            return False

    def by_name(self, name: str) -> Player | None:
        """Return the player with this name, ignoring case."""
        found = self.name_index.owner(name)
        return self.by_id(found) if found else None

    def by_id(self, player: str) -> Player | None:
        """Return the player with this id; None if the id is unknown or malformed."""
        name = self._redis.hget(player_key(player), "name") if is_player_id(player) else None
        return Player(player, name.decode()) if isinstance(name, bytes) else None

    def account(self, player: str) -> Account:
        """Return the account of a player. Raises NotFound."""
        found: Any = self._redis.hgetall(player_key(player)) if is_player_id(player) else {}
        if not found:
            raise NotFound("There is no such player.")
        fields = {name.decode(): text.decode() for name, text in found.items()}
        deleted, muted_until = fields.get("deleted"), fields.get("muted_until")
        return Account(
            player,
            fields["name"],
            int(fields["at"]),
            fields.get("banned"),
            int(deleted) if deleted else None,
            fields.get("muted"),
            int(muted_until) if muted_until else None,
        )

    def search(self, prefix: str, after: str, limit: int) -> list[Account]:
        """Return the players whose names have this prefix, ignoring case; ordered by name, after a
        name.
        """
        first = fold_name(prefix).encode()
        start = b"(%s\0\xff" % fold_name(after).encode() if after else b"[%s" % first
        members: Any = self._redis.zrangebylex(NAMES_KEY, start, b"[%s\xff" % first, 0, limit)
        return [self.account(member.decode().rpartition("\0")[2]) for member in members]

    def names(self, players: Collection[str], language: str = ENGLISH) -> Mapping[str, str]:
        """Return the current names of players in a language, by id; they may be a few seconds
        old.
        """
        names = self._names(players)
        if language == ENGLISH:
            return names
        return {who: name_in(name, language) for who, name in names.items()}

    def _names(self, players: Collection[str]) -> Mapping[str, str]:
        now, known = monotonic(), self._cached_names
        remembered = {who: known.get(who) or ("", 0.0) for who in players}
        names = {who: name for who, (name, until) in remembered.items() if now < until}
        unknown = [who for who in players if who not in names and is_player_id(who)]
        return {**names, **self._look_up(unknown, now)} if unknown else names

    def _look_up(self, players: Sequence[str], now: float) -> Mapping[str, str]:
        with self._redis.pipeline(transaction=False) as pipe:
            for player in players:
                pipe.hget(player_key(player), "name")
            found = zip(players, pipe.execute(), strict=True)
        names = {player: name.decode() for player, name in found if name is not None}
        until = now + self._cache_s
        for who, name in names.items():
            self._cached_names.put(who, (name, until))
        return names

    def _put_name(self, player: Player) -> None:
        self._redis.hset(player_key(player.id), "name", player.name)
        self._redis.zadd(NAMES_KEY, {name_list_member(player): 0})
        self._cached_names.drop(player.id)

    def _erase_name(self, player: Player) -> None:
        """Free the name of a deleted player, and let them have none."""
        self._redis.delete(f"{player_key(player.id)}:renamed")
        self._drop_name(player)
        self._put_name(Player(player.id, DELETED_NAME))

    def _drop_name(self, player: Player, successor: str = "") -> None:
        """Free a name, unless the one that follows differs only in its spelling."""
        self.name_index.free(player.id, player.name, successor)
        if name_key(player.name) != name_key(successor):
            self._redis.zrem(NAMES_KEY, name_list_member(player))

    def _cache(self, key: str, token: Token) -> Identity | None:
        player = self.find_active(token.player)
        if player is None:
            return None
        identity, until = Identity(player, token), monotonic() + self._cache_s
        self._identities.put(key, (identity, until))
        # Answers name their caller, also if Redis fails once the request is recorded.
        self._cached_names.put(player.id, (player.name, until))
        return identity

    def _uncache(self, key: str) -> None:
        self.revocations += 1
        self._identities.drop(key)

    def _uncache_player(self, player: str) -> None:
        """Remove a player's tokens from the cache."""
        self.revocations += 1
        self._identities.drop_if(lambda cached: cached[0].player.id == player)


def is_player_id(player: str) -> bool:
    """Return whether this has the form of a player id; other keys share the prefix."""
    return bool(_ID.fullmatch(player))


def player_key(player: str) -> str:
    """Return the key of the account of a player."""
    return f"player:{player}"


def name_list_member(player: Player) -> str:
    """Return the member of a player in the sorted list of all names."""
    return f"{fold_name(player.name)}\0{player.id}"
