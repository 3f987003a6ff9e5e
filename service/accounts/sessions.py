"""Browser sessions: each is a token with all scopes, stored in a cookie. A session begins with the
account's token, or with a code from another session.
"""

from __future__ import annotations

from contextlib import suppress

from redis import Redis

from service.accounts.one_time_codes import CODE_LIFETIME_S, hash_code, new_code
from service.accounts.players import Player, Players
from service.accounts.tokens import MAX_TOKENS_PER_PLAYER, Token, looks_like_token, token_key
from service.runtime.errors import BadCode, NotFound, TooManyTokens


class Sessions:
    """All sessions and the codes that begin one, in Redis."""

    def __init__(self, redis: Redis, players: Players) -> None:
        self._redis = redis
        self._players = players

    def begin(self, player: Player, browser: str, now: int, by: str | None = None) -> str:
        """Return the token of a new session in a browser of this name. It begins with the token
        that has the id `by`, if given: raises UnknownToken if that ends meanwhile.

        If the player has the maximum number of tokens, their oldest session ends. Raises
        TooManyTokens if they have no session to end.
        """
        tokens = self._players.tokens
        known = tokens.of_player(player.id)
        if len(known) >= MAX_TOKENS_PER_PLAYER and not any(token.session for token in known):
            raise TooManyTokens(f"A player has at most {MAX_TOKENS_PER_PLAYER} tokens.")
        text = tokens.issue_session(player.id, browser, now)
        if by is not None:
            tokens.confirm(text, player.id, by)
        known = tokens.of_player(
            player.id
        )  # read after the write, so that concurrent calls each end one
        oldest = [token for token in known if token.session]
        for token in oldest[: max(0, len(known) - MAX_TOKENS_PER_PLAYER)]:
            self.end(token)
        return text

    def end(self, token: Token) -> None:
        """End a session, if it has not ended yet."""
        with suppress(NotFound):
            self._players.revoke(token.player, token.id)

    def end_by_token(self, text: str) -> Token | None:
        """End the session with this token, even if its player is banned; return what ended."""
        token = self._players.tokens.find(token_key(text)) if looks_like_token(text) else None
        if token is None or not token.session:
            return None
        self.end(token)
        return token

    def issue_code(self, token: Token, now: int) -> tuple[str, int]:
        """Return a code for a session in another browser, and its expiry (ms since the epoch).

        The code is valid once, and no longer than the token of the caller.
        """
        code = new_code()
        self._redis.set(_key(code), f"{token.player} {token.id}", ex=CODE_LIFETIME_S)
        return code, now + 1000 * CODE_LIFETIME_S

    def redeem_code(self, code: str) -> tuple[Player, str]:
        """Use up a code; return its player, and the id of the token that created it. Raises
        BadCode, BannedPlayer.
        """
        found = self._redis.getdel(_key(code))
        if isinstance(found, bytes):
            player, token = found.decode().split(" ")
            if self._players.tokens.has(player, token) and (
                who := self._players.find_active(player)
            ):
                return who, token
        raise BadCode("This code is wrong, older than ten minutes, or used.")


def _key(code: str) -> str:
    """Return the key of a code, which contains only its hash."""
    return f"session:code:{hash_code(code)}"
