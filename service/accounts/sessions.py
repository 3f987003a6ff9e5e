"""Sessions of browsers: each is a token of its own, for everything, which the browser keeps as a
cookie. One begins with the token of the account, or with a code from a session that there is.
"""

from __future__ import annotations

from contextlib import suppress

from redis import Redis

from service.accounts.one_time_codes import CODE_S, hashed, new_code
from service.accounts.players import Player, Players
from service.accounts.tokens import MOST_EACH, Token, could_be, key_of
from service.runtime.errors import BadCode, NotFound, TooManyTokens


class Sessions:
    """The sessions of all browsers, and the codes for more of them, in Redis."""

    def __init__(self, redis: Redis, players: Players) -> None:
        self._redis = redis
        self._players = players

    def begin(self, player: Player, browser: str, now: int) -> str:
        """The token of a new session in a browser that is called so.

        If the player has as many tokens as one may have, their oldest session makes room;
        TooManyTokens if they have none.
        """
        tokens = self._players.tokens
        known = tokens.of(player.id)
        if len(known) >= MOST_EACH and not any(token.session for token in known):
            raise TooManyTokens(f"A player has at most {MOST_EACH} tokens.")
        text = tokens.give_session(player.id, browser, now)
        known = tokens.of(player.id)  # after that: of many who begin at once, each makes room
        oldest = [token for token in known if token.session]
        for token in oldest[: max(0, len(known) - MOST_EACH)]:
            self.end(token)
        return text

    def end(self, token: Token) -> None:
        """End a session, if it has not ended already."""
        with suppress(NotFound):
            self._players.revoke(token.player, token.id)

    def end_by(self, text: str) -> None:
        """End the session that a browser keeps this token of, whether or not they may play."""
        token = self._players.tokens.find(key_of(text)) if could_be(text) else None
        if token is not None and token.session:
            self.end(token)

    def offer(self, token: Token, now: int) -> tuple[str, int]:
        """A code for a session in another browser, and when it ends (ms since the epoch).

        It is good once, and as long as this token, which asked for it.
        """
        code = new_code()
        self._redis.set(_key(code), f"{token.player} {token.id}", ex=CODE_S)
        return code, now + 1000 * CODE_S

    def by_code(self, code: str) -> Player:
        """Whose code this was, which it is no more; BadCode, Banned."""
        found = self._redis.getdel(_key(code))
        if isinstance(found, bytes):
            player, token = found.decode().split(" ")
            if self._players.tokens.has(player, token) and (who := self._players.admitted(player)):
                return who
        raise BadCode("Nobody was given this code in the last ten minutes, or it was used.")


def _key(code: str) -> str:
    """Where a code is kept; not the code itself."""
    return f"session:code:{hashed(code)}"
