"""How people are called in tables: by pseudonyms, or by their ids and names.

A pseudonym is an HMAC of an id, with a salt that stays in the store: the same person is the same
in all tables of a service, and nobody finds an id in them, or a name by it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from typing import Any, cast

from msgspec import Struct
from redis import Redis

from domain.engine.codecs.json_codec import to_json
from domain.engine.play import Event
from domain.match.log import AnyEvent
from domain.match.state import SYSTEM
from service.accounts.players import Players

SALT = "tables:salt"
_BYTES = 32
_PEOPLE = frozenset({"player", "host", "invited", "asked", "competitor"})
"""Fields of events of a match, and of the records in them, in which people stand."""
_NOBODY = frozenset({"options", "setup", "position"})
"""Fields in which a game has its own words."""


class People(Struct, frozen=True):
    """How tables call people."""

    salt: bytes
    names: Players | None = None  # where their names are, if these are wanted

    @property
    def mark(self) -> str:
        """What tells pseudonyms of one salt from others; `ids` where there are none."""
        return "ids" if self.names else hashlib.sha256(b"mark" + self.salt).hexdigest()[:16]

    def called(self, who: str) -> str:
        """What stands for a player, a bot or the service."""
        if self.names or who == SYSTEM or who.startswith("bot:"):
            return who
        return f"p{hmac.digest(self.salt, who.encode(), 'sha256').hex()[:16]}"

    def named(self, players: Iterable[str]) -> Mapping[str, str]:
        """The names of players by their ids; none unless names are wanted."""
        return self.names.names(list(players)) if self.names else {}

    def event(self, event: AnyEvent) -> Any:  # noqa: ANN401  JSON
        """An event as JSON, with all people in it called like that."""
        if self.names or isinstance(event, Event):
            return event  # events of games know seats alone
        return self._hidden(to_json(event))

    def _hidden(self, value: Any, person: bool = False) -> Any:  # noqa: ANN401  JSON
        if isinstance(value, dict):
            return {
                key: one if key in _NOBODY else self._hidden(one, key in _PEOPLE)
                for key, one in value.items()
            }
        if isinstance(value, list | tuple):
            return [self._hidden(one, person) for one in value]
        return self.called(value) if person and isinstance(value, str) else value


def salt_of(redis: Redis) -> bytes:
    """The salt of the pseudonyms of this store; made when it is first wanted."""
    redis.set(SALT, secrets.token_bytes(_BYTES), nx=True)
    return cast(bytes, redis.get(SALT))
