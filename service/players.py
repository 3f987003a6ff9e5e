"""Players and their tokens: a token is shown once and stored as its SHA-256."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from time import monotonic

import msgspec
from redis import Redis

from service.errors import NameTaken, Unauthorized

_CACHED = 10_000
_MARKED_S = 60


class Player(msgspec.Struct, frozen=True):
    """Somebody who can hold seats."""

    id: str
    name: str


class Players:
    """All players, in Redis; tokens seen lately are remembered for some seconds."""

    def __init__(self, redis: Redis, remember_s: float = 60) -> None:
        self._redis = redis
        self._remember_s = remember_s
        self._known: dict[str, tuple[Player, float]] = {}
        self._names: dict[str, tuple[str, float]] = {}

    def register(self, name: str, now: int) -> tuple[Player, str]:
        """A new player and their token; NameTaken if the name differs from another only in case."""
        player = Player(f"u{secrets.token_hex(8)}", unicodedata.normalize("NFKC", name).strip())
        token = _new_token()
        self._redis.hset(f"player:{player.id}", mapping={"name": player.name, "at": now})
        self._redis.set(_token_key(token), player.id)
        # The name comes last: if this is cut short, it is still free.
        if not self._redis.set(_name_key(player.name), player.id, nx=True):
            self._redis.delete(_token_key(token))
            self._redis.delete(f"player:{player.id}")
            raise NameTaken(f"The name {player.name} is taken.")
        return player, token

    def by_token(self, token: str) -> Player | None:
        """Who has this token."""
        key = _token_key(token)
        player, until = self._known.get(key, (None, 0.0))
        if player is not None and monotonic() < until:
            return player
        found = self._redis.get(key)
        return self._remember(key, found.decode()) if isinstance(found, bytes) else None

    def renew(self, player: Player, token: str) -> str:
        """Another token for a player instead of this one; Unauthorized if it is old already.

        The old one is given away in one step, so of two who replace it at once only one has a
        token afterwards. A step that was sent twice finds its own mark.
        """
        old, new = _token_key(token), _new_token()
        holder, mark = player.id.encode(), _token_key(new)
        self._redis.set(mark, holder)
        if self._redis.set(old, mark, ex=_MARKED_S, get=True) not in (holder, mark.encode()):
            self._redis.delete(mark)
            raise Unauthorized("This token has been replaced.")
        self._known.pop(old, None)
        return new

    def by_name(self, name: str) -> Player | None:
        """Who has this name, in whatever case."""
        found = self._redis.get(_name_key(name))
        return self.by_id(found.decode()) if isinstance(found, bytes) else None

    def by_id(self, player: str) -> Player | None:
        """The player with this id."""
        name = self._redis.hget(f"player:{player}", "name")
        return Player(player, name.decode()) if isinstance(name, bytes) else None

    def names(self, players: Collection[str]) -> Mapping[str, str]:
        """The names that these players have now, by id; those of some seconds ago will do."""
        now, known = monotonic(), self._names
        remembered = {who: known.get(who, ("", 0.0)) for who in players}
        names = {who: name for who, (name, until) in remembered.items() if now < until}
        unknown = [who for who in players if who not in names]
        return {**names, **self._look_up(unknown, now)} if unknown else names

    def _look_up(self, players: Sequence[str], now: float) -> Mapping[str, str]:
        with self._redis.pipeline(transaction=False) as pipe:
            for player in players:
                pipe.hget(f"player:{player}", "name")
            found = zip(players, pipe.execute(), strict=True)
        names = {player: name.decode() for player, name in found if name is not None}
        if len(self._names) >= _CACHED:
            self._names = {}
        until = now + self._remember_s
        self._names.update({who: (name, until) for who, name in names.items()})
        return names

    def _remember(self, key: str, player_id: str) -> Player | None:
        player = self.by_id(player_id)
        if player is not None:
            if len(self._known) >= _CACHED:
                self._known.clear()
            self._known[key] = (player, monotonic() + self._remember_s)
        return player


def _new_token() -> str:
    return f"an_{secrets.token_urlsafe(32)}"


def _token_key(token: str) -> str:
    return f"token:{hashlib.sha256(token.encode()).hexdigest()}"


def _name_key(name: str) -> str:
    return f"name:{unicodedata.normalize('NFKC', name).strip().casefold()}"
