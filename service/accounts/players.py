"""Players: their names, and who comes with which token."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

import msgspec
from redis import Redis

from service.accounts.recovery_codes import RecoveryCodes
from service.accounts.tokens import Token, Tokens, could_be, key_of
from service.runtime.errors import BadRecovery, Banned, NameTaken, NotFound, TooManyRenames

DELETED = "deleted"
"""The name that all players have who are no more."""

_CACHED = 10_000
_NAMES = "players"
_DAY_S = 86_400
_ID = re.compile(r"u[0-9a-f]{16}")


class Player(msgspec.Struct, frozen=True):
    """Somebody who can hold seats."""

    id: str
    name: str


class Session(msgspec.Struct, frozen=True):
    """Who came, and with which token."""

    player: Player
    token: Token


class Account(msgspec.Struct, frozen=True):
    """A player as those see them who run the service; times are in ms since the epoch."""

    id: str
    name: str
    registered_at: int
    banned: str | None = None
    deleted_at: int | None = None


class Players:
    """All players, in Redis; tokens and names seen lately are remembered for some seconds.

    Some names are nobody's: at a table they would be taken for those of somebody else.
    """

    def __init__(
        self,
        redis: Redis,
        remember_s: float = 60,
        rename_days: float = 30,
        nobodys: Iterable[str] = (),
    ) -> None:
        self._redis = redis
        self._nobodys = frozenset(map(folded_name, (DELETED, *nobodys)))
        self._remember_s = remember_s
        self._rename_s = int(rename_days * _DAY_S)
        self._known: dict[str, tuple[Session, float]] = {}
        self.changes = 0
        """How often this process ended a token, or kept somebody out."""
        self._names: dict[str, tuple[str, float]] = {}
        self.tokens = Tokens(redis)
        self.recovery = RecoveryCodes(redis)

    def register(self, name: str, now: int) -> tuple[Player, str]:
        """A new player and their token; NameTaken if the name differs from another only in case, or
        is nobody's.
        """
        player = Player(f"u{secrets.token_hex(8)}", _normal(name))
        self._redis.hset(_key(player.id), mapping={"name": player.name, "at": now})
        token = self.tokens.give(player.id, now)
        # The name comes last: if this is cut short, it is still free.
        if not self._take_name(player):
            self.tokens.revoke_all(player.id)
            self._redis.delete(_key(player.id))
            raise NameTaken(f"The name {player.name} is taken.")
        self._put_name(player)
        return player, token

    def by_token(self, text: str) -> Session | None:
        """Who came with this token; Banned if they may not."""
        key = key_of(text)
        session, until = self._known.get(key, (None, 0.0))
        if session is not None and monotonic() < until:
            return session
        token = self.tokens.find(key) if could_be(text) else None
        return self._remember(key, token) if token else None

    def renew(self, session: Session, text: str, now: int) -> str:
        """Another token instead of the one that somebody came with; Unauthorized if it is old."""
        renewed = self.tokens.renew(session.token, text, now)
        self._drop(key_of(text))
        return renewed

    def renew_for(self, player: str, now: int) -> str:
        """A new token of the account, which has no other from now on; its named tokens stay."""
        for token in self.tokens.of(player):
            if token.name is None:
                with suppress(NotFound):  # somebody else has ended it just now
                    self.revoke(player, token.id)
        return self.tokens.give(player, now)

    def revoke(self, player: str, token: str) -> None:
        """End a token of a player's; NotFound if they have none with this id."""
        self._drop(self.tokens.revoke(player, token))

    def replace_all(self, player: str, now: int) -> str:
        """A new token for a player who has no other from now on."""
        self.tokens.revoke_all(player)
        self._forget(player)
        return self.tokens.give(player, now)

    def recover(self, name: str, code: str, now: int) -> tuple[Player, str]:
        """A new token for whoever has a recovery code of the player of this name; all others end.

        BadRecovery if there is no such player, or if it is no code of theirs.
        """
        player = self.by_name(name)
        if not self.recovery.use(player.id if player else "", code) or player is None:
            raise BadRecovery("This is no recovery code of a player of this name.")
        return player, self.replace_all(player.id, now)

    def rename(self, player: Player, name: str) -> Player:
        """Let a player have another name; NameTaken, or TooManyRenames if it is too soon."""
        player = self.by_id(player.id) or player  # as they are called now, not some seconds ago
        renamed, mark = Player(player.id, _normal(name)), f"{_key(player.id)}:renamed"
        if self._rename_s and not self._redis.set(mark, 1, nx=True, ex=self._rename_s):
            raise TooManyRenames(max(1, self._redis.ttl(mark)))
        same = name_key(player.name) == name_key(renamed.name)
        if not same and not self._take_name(renamed):
            self._redis.delete(mark)
            raise NameTaken(f"The name {renamed.name} is taken.")
        self._put_name(renamed)
        if not same:
            self._drop_name(player)
        self._forget(player.id)
        return renamed

    def delete(self, player: Player, now: int) -> None:
        """Forget a player: their name is free, no token is theirs, and their id stays without both.

        Doing it again does what an earlier attempt left undone.
        """
        self.recovery.forget(player.id)
        self._redis.hsetnx(_key(player.id), "deleted", str(now))
        self._redis.hdel(_key(player.id), "banned")
        self._redis.delete(f"{_key(player.id)}:renamed")
        self._drop_name(player)
        self._put_name(Player(player.id, DELETED))
        self.tokens.revoke_all(player.id)
        self._forget(player.id)

    def ban(self, player: str, reason: str | None) -> None:
        """Keep a player out for this reason; let them in again if there is none."""
        if reason is None:
            self._redis.hdel(_key(player), "banned")
        else:
            self._redis.hset(_key(player), "banned", reason)
        self._forget(player)

    def admitted(self, player: str) -> Player | None:
        """The player with this id, if they have not left for good; Banned if they may not play."""
        fields: Any = self._redis.hmget(_key(player), ["name", "banned", "deleted"])
        name, banned, deleted = fields
        if name is None or deleted is not None:
            return None
        if banned is not None:
            raise Banned(banned.decode())
        return Player(player, name.decode())

    def by_name(self, name: str) -> Player | None:
        """Who has this name, in whatever case."""
        found = self._redis.get(name_key(name))
        return self.by_id(found.decode()) if isinstance(found, bytes) else None

    def by_id(self, player: str) -> Player | None:
        """The player with this id, whatever is asked for."""
        name = self._redis.hget(_key(player), "name") if is_id(player) else None
        return Player(player, name.decode()) if isinstance(name, bytes) else None

    def account(self, player: str) -> Account:
        """All that is known of a player; NotFound."""
        found: Any = self._redis.hgetall(_key(player)) if is_id(player) else {}
        if not found:
            raise NotFound("There is no such player.")
        fields = {name.decode(): text.decode() for name, text in found.items()}
        deleted = fields.get("deleted")
        return Account(
            player,
            fields["name"],
            int(fields["at"]),
            fields.get("banned"),
            int(deleted) if deleted else None,
        )

    def search(self, beginning: str, after: str, limit: int) -> list[Account]:
        """Players whose names begin like this in whatever case, by name, those after a name."""
        first = folded_name(beginning).encode()
        start = b"(%s\0\xff" % folded_name(after).encode() if after else b"[%s" % first
        places: Any = self._redis.zrangebylex(_NAMES, start, b"[%s\xff" % first, 0, limit)
        return [self.account(place.decode().rpartition("\0")[2]) for place in places]

    def names(self, players: Collection[str]) -> Mapping[str, str]:
        """The names that these players have now, by id; those of some seconds ago will do."""
        now, known = monotonic(), self._names
        remembered = {who: known.get(who, ("", 0.0)) for who in players}
        names = {who: name for who, (name, until) in remembered.items() if now < until}
        unknown = [who for who in players if who not in names and is_id(who)]
        return {**names, **self._look_up(unknown, now)} if unknown else names

    def _look_up(self, players: Sequence[str], now: float) -> Mapping[str, str]:
        with self._redis.pipeline(transaction=False) as pipe:
            for player in players:
                pipe.hget(_key(player), "name")
            found = zip(players, pipe.execute(), strict=True)
        names = {player: name.decode() for player, name in found if name is not None}
        if len(self._names) >= _CACHED:
            self._names = {}
        until = now + self._remember_s
        self._names.update({who: (name, until) for who, name in names.items()})
        return names

    def _take_name(self, player: Player) -> bool:
        """Let nobody else have this name; False if somebody has it."""
        free = folded_name(player.name) not in self._nobodys
        return free and bool(self._redis.set(name_key(player.name), player.id, nx=True))

    def _put_name(self, player: Player) -> None:
        self._redis.hset(_key(player.id), "name", player.name)
        self._redis.zadd(_NAMES, {listed_as(player): 0})
        self._names.pop(player.id, None)

    def _drop_name(self, player: Player) -> None:
        self._redis.delete(name_key(player.name))
        self._redis.zrem(_NAMES, listed_as(player))

    def _remember(self, key: str, token: Token) -> Session | None:
        player = self.admitted(token.player)
        if player is None:
            return None
        session = Session(player, token)
        if len(self._known) >= _CACHED:
            self._known = {}
        self._known[key] = (session, monotonic() + self._remember_s)
        return session

    def _drop(self, key: str) -> None:
        self.changes += 1
        self._known.pop(key, None)

    def _forget(self, player: str) -> None:
        """Remember no token of a player's."""
        known = self._known
        self.changes += 1
        self._known = {key: one for key, one in known.items() if one[0].player.id != player}


def is_id(player: str) -> bool:
    """Whether this can be the id of a player; other keys begin like theirs."""
    return bool(_ID.fullmatch(player))


def _normal(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip()


def folded_name(name: str) -> str:
    """What names have in common that differ only in case."""
    return _normal(name).casefold()


def _key(player: str) -> str:
    return f"player:{player}"


def name_key(name: str) -> str:
    """The key that says whose name this is."""
    return f"name:{folded_name(name)}"


def listed_as(player: Player) -> str:
    """Where a player stands among all, by name."""
    return f"{folded_name(player.name)}\0{player.id}"
