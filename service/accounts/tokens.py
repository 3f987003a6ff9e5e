"""Tokens: shown once, stored as their SHA-256, with a name, scopes and a time at which they end."""

from __future__ import annotations

import hashlib
import secrets
from typing import Literal, get_args
from zlib import crc32

import msgspec
from redis import Redis

from service.runtime.errors import NotFound, TooManyTokens, Unauthorized

Scope = Literal["read", "play", "host", "account"]
"""What a token is good for: looking; playing; opening, starting and closing tables; the account."""

SCOPES: tuple[Scope, ...] = get_args(Scope)
NAMED_SCOPES: tuple[Scope, ...] = ("read", "play", "host")
"""What a named token may be good for: the account stays with the one who registered."""

MOST_EACH = 50
SESSION_S = 365 * 86_400
"""How long a browser stays signed in."""
PREFIX = "annals_"
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_RANDOM = 36  # digits: 214 bits
_CHECK = 6
_MARKED_S = 60


class Token(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a token is; not the token itself, which only its holder knows. Times are in ms."""

    id: str
    player: str
    scopes: tuple[Scope, ...]
    created_at: int
    name: str | None = None  # none for the token of the account
    expires_at: int | None = None
    session: bool = False  # that of a browser, which keeps it as a cookie


_TOKEN = msgspec.json.Decoder(Token)


class Tokens:
    """All tokens, in Redis, where those that have ended are gone."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def give(self, player: str, now: int) -> str:
        """A new token for all scopes, which does not end by itself."""
        return self._keep(Token(_new_id(), player, SCOPES, now), None)

    def give_named(
        self, player: str, name: str, scopes: tuple[Scope, ...], seconds: int | None, now: int
    ) -> tuple[Token, str]:
        """A new token for some scopes, which ends after so many seconds; TooManyTokens."""
        expires = None if seconds is None else now + 1000 * seconds
        token = Token(_new_id(), player, scopes, now, name, expires)
        text = self._keep(token, seconds)
        if len(self.of(player)) > MOST_EACH:  # counted after that: others may be given some, too
            self.revoke(player, token.id)
            raise TooManyTokens(f"A player has at most {MOST_EACH} tokens.")
        return token, text

    def give_session(self, player: str, browser: str, now: int) -> str:
        """A new token for all scopes that a browser keeps, called like that browser."""
        expires = now + 1000 * SESSION_S
        token = Token(_new_id(), player, SCOPES, now, browser, expires, session=True)
        return self._keep(token, SESSION_S)

    def find(self, key: str) -> Token | None:
        """The token that is stored under this key."""
        return read_token(self._redis.get(key))

    def of(self, player: str) -> list[Token]:
        """The tokens that a player has, the oldest first."""
        keys = self._redis.hgetall(_list_key(player))
        with self._redis.pipeline(transaction=False) as pipe:
            for key in keys.values():
                pipe.get(key)
            found = [read_token(text) for text in pipe.execute()] if keys else []
        ended = [name for name, token in zip(keys, found, strict=True) if token is None]
        if ended:
            self._redis.hdel(_list_key(player), *ended)
        return sorted((token for token in found if token), key=lambda one: one.created_at)

    def has(self, player: str, token: str) -> bool:
        """Whether a player's token with this id has not been ended."""
        return bool(self._redis.hexists(_list_key(player), token))

    def revoke(self, player: str, token: str) -> str:
        """End the token of a player that has this id; the key that it had, or NotFound."""
        key = self._redis.hget(_list_key(player), token)
        if not isinstance(key, bytes):
            raise NotFound("You have no such token.")
        self._redis.delete(key)
        self._redis.hdel(_list_key(player), token)
        return key.decode()

    def revoke_all(self, player: str) -> None:
        """End all tokens of a player."""
        for key in self._redis.hvals(_list_key(player)):
            self._redis.delete(key)
        self._redis.delete(_list_key(player))

    def renew(self, token: Token, text: str, now: int) -> str:
        """Another token instead of this one; Unauthorized if it is old already.

        The old one is given away in one step, so of two who replace it at once only one has a
        token afterwards. A step that was sent twice finds its own mark.
        """
        old, fresh = key_of(text), msgspec.structs.replace(token, id=_new_id(), created_at=now)
        renewed = self._keep(fresh, None)
        mark = f"replaced by {key_of(renewed)}".encode()
        before = self._redis.set(old, mark, ex=_MARKED_S, get=True)
        if before not in (msgspec.json.encode(token), mark):
            self.revoke(token.player, fresh.id)
            raise Unauthorized("This token has been replaced.")
        self._redis.hdel(_list_key(token.player), token.id)
        return renewed

    def _keep(self, token: Token, seconds: int | None) -> str:
        text = new_token()
        self._redis.hset(_list_key(token.player), token.id, key_of(text))
        self._redis.set(key_of(text), msgspec.json.encode(token), ex=seconds)
        return text


def new_token() -> str:
    """A token that nobody has: a prefix that scanners for secrets find, digits, and a checksum."""
    digits = "".join(secrets.choice(_DIGITS) for _ in range(_RANDOM))
    return f"{PREFIX}{digits}{_checksum(digits)}"


def could_be(text: str) -> bool:
    """Whether a token could be this, so that it is worth looking for."""
    digits = text.removeprefix(PREFIX)
    return digits != text and digits[-_CHECK:] == _checksum(digits[:-_CHECK])


def key_of(text: str) -> str:
    """Where a token is stored."""
    return f"token:{hashlib.sha256(text.encode()).hexdigest()}"


def _checksum(digits: str) -> str:
    """CRC-32 in six digits, as GitHub's tokens have it."""
    rest, found = crc32(digits.encode()), ""
    for _ in range(_CHECK):
        rest, digit = divmod(rest, len(_DIGITS))
        found = _DIGITS[digit] + found
    return found


def read_token(found: object) -> Token | None:
    """A stored token; None where there is none, or the mark of one that was replaced.

    msgspec.MsgspecError if it is damaged.
    """
    return _TOKEN.decode(found) if isinstance(found, bytes) and found[:1] == b"{" else None


def _new_id() -> str:
    return f"t{secrets.token_hex(6)}"


def _list_key(player: str) -> str:
    return f"player:{player}:tokens"
