"""Tokens: shown once, stored as SHA-256, with a name, scopes and an expiry."""

from __future__ import annotations

import hashlib
import secrets
from typing import Literal, get_args
from zlib import crc32

import msgspec
from redis import Redis

from service.runtime.errors import NotFound, TooManyTokens, UnknownToken

Scope = Literal["read", "play", "host", "account"]
"""What a token allows: reading; playing; opening, starting and closing tables; managing the
account.
"""

SCOPES: tuple[Scope, ...] = get_args(Scope)
NAMED_SCOPES: tuple[Scope, ...] = ("read", "play", "host")
"""The scopes that a named token can have. Only the account's own token manages the account."""

MAX_TOKENS_PER_PLAYER = 50
SESSION_LIFETIME_S = 365 * 86_400
"""How long a browser stays signed in, in seconds."""
PREFIX = "annals_"
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_RANDOM = 36  # digits: 214 bits
_CHECK = 6
_MARK_LIFETIME_S = 60


class Token(msgspec.Struct, frozen=True, omit_defaults=True):
    """The record of a token; only its holder knows the token itself. Times are in ms since the
    epoch.
    """

    id: str
    player: str
    scopes: tuple[Scope, ...]
    created_at: int
    name: str | None = None  # None for the token of the account
    expires_at: int | None = None
    session: bool = False  # whether a browser has it as a cookie


_TOKEN = msgspec.json.Decoder(Token)


class Tokens:
    """All valid tokens, in Redis; expired ones are deleted."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def issue(self, player: str, now: int) -> str:
        """Create a token with all scopes and no expiry."""
        return self._store(Token(_new_id(), player, SCOPES, now), None)

    def issue_named(
        self, player: str, name: str, scopes: tuple[Scope, ...], seconds: int | None, now: int
    ) -> tuple[Token, str]:
        """Create a named token that expires after `seconds`; return its record and text. Raises
        TooManyTokens.
        """
        expires = None if seconds is None else now + 1000 * seconds
        token = Token(_new_id(), player, scopes, now, name, expires)
        text = self._store(token, seconds)
        if (
            len(self.of_player(player)) > MAX_TOKENS_PER_PLAYER
        ):  # counted after the write, because of concurrent calls
            self.discard(text)
            raise TooManyTokens(f"A player has at most {MAX_TOKENS_PER_PLAYER} tokens.")
        return token, text

    def issue_session(self, player: str, browser: str, now: int) -> str:
        """Create a token with all scopes for a browser of this name."""
        expires = now + 1000 * SESSION_LIFETIME_S
        token = Token(_new_id(), player, SCOPES, now, browser, expires, session=True)
        return self._store(token, SESSION_LIFETIME_S)

    def find(self, key: str) -> Token | None:
        """Return the token under this key, or None."""
        return decode_token(self._redis.get(key))

    def of_player(self, player: str) -> list[Token]:
        """Return the tokens of a player, the oldest first."""
        keys = self._redis.hgetall(_list_key(player))
        with self._redis.pipeline(transaction=False) as pipe:
            for key in keys.values():
                pipe.get(key)
            found = [decode_token(text) for text in pipe.execute()] if keys else []
        ended = [name for name, token in zip(keys, found, strict=True) if token is None]
        if ended:
            self._redis.hdel(_list_key(player), *ended)
        return sorted((token for token in found if token), key=lambda one: one.created_at)

    def has(self, player: str, token: str) -> bool:
        """Return whether a player has a valid token with this id."""
        return bool(self._redis.hexists(_list_key(player), token))

    def revoke(self, player: str, token: str) -> str:
        """Revoke the token of a player with this id; return its key. Raises NotFound."""
        key = self._redis.hget(_list_key(player), token)
        if not isinstance(key, bytes):
            raise NotFound("You have no such token.")
        self._redis.delete(key)
        self._redis.hdel(_list_key(player), token)
        return key.decode()

    def revoke_all(self, player: str) -> None:
        """Revoke all tokens of a player."""
        # In one step: a token that is issued meanwhile is either in the list, or not on it later.
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.hvals(_list_key(player))
            pipe.delete(_list_key(player))
            keys, _ = pipe.execute()
        for key in keys:
            self._redis.delete(key)

    def confirm(self, text: str, player: str, by: str) -> None:
        """Check that the token with the id `by`, for which this new one was issued, has not ended
        meanwhile. Raises UnknownToken, and revokes the new one, if it has.
        """
        if not self.has(player, by):
            self.discard(text)
            raise UnknownToken("This token has ended.")

    def discard(self, text: str) -> None:
        """Revoke a token, given its text, if it has not ended."""
        if token := self.find(token_key(text)):
            self._redis.delete(token_key(text))
            self._redis.hdel(_list_key(token.player), token.id)

    def replace(self, token: Token, text: str, now: int) -> str:
        """Replace a token; return the new one. Raises UnknownToken if it was replaced already.

        One command replaces the old token, so of two concurrent calls only one succeeds. A command
        that was sent twice finds its own mark.
        """
        old, fresh = token_key(text), msgspec.structs.replace(token, id=_new_id(), created_at=now)
        renewed = self._store(fresh, None)
        mark = f"replaced by {token_key(renewed)}".encode()
        before = self._redis.set(old, mark, ex=_MARK_LIFETIME_S, get=True)
        if before not in (msgspec.json.encode(token), mark):
            self.discard(renewed)
            raise UnknownToken("This token has been replaced.")
        self._redis.hdel(_list_key(token.player), token.id)
        return renewed

    def _store(self, token: Token, seconds: int | None) -> str:
        text = new_token()
        # The list comes second: readers delete what is listed and not stored.
        self._redis.set(token_key(text), msgspec.json.encode(token), ex=seconds)
        self._redis.hset(_list_key(token.player), token.id, token_key(text))
        return text


def new_token() -> str:
    """Return a new random token: a prefix for secret scanners, random digits and a checksum."""
    digits = "".join(secrets.choice(_DIGITS) for _ in range(_RANDOM))
    return f"{PREFIX}{digits}{_checksum(digits)}"


def looks_like_token(text: str) -> bool:
    """Return whether the text has the prefix and checksum of a token, so a lookup makes sense."""
    digits = text.removeprefix(PREFIX)
    return digits != text and digits[-_CHECK:] == _checksum(digits[:-_CHECK])


def token_key(text: str) -> str:
    """Return the key of a token."""
    return f"token:{hashlib.sha256(text.encode()).hexdigest()}"


def _checksum(digits: str) -> str:
    """Return the CRC-32 in six digits of base 62, as in GitHub's tokens."""
    rest, found = crc32(digits.encode()), ""
    for _ in range(_CHECK):
        rest, digit = divmod(rest, len(_DIGITS))
        found = _DIGITS[digit] + found
    return found


def decode_token(found: object) -> Token | None:
    """Return a stored token; None if there is none or it was replaced.

    Raises msgspec.MsgspecError if it is corrupt.
    """
    return _TOKEN.decode(found) if isinstance(found, bytes) and found[:1] == b"{" else None


def _new_id() -> str:
    return f"t{secrets.token_hex(6)}"


def _list_key(player: str) -> str:
    return f"player:{player}:tokens"
