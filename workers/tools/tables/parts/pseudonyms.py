"""How tables name players: by pseudonyms, or by their ids and names.

A pseudonym is an HMAC of an id, with a salt that stays in the store. A player has the same one in
all tables of a service, and you cannot find their id or name from it.
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

SALT_KEY = "tables:salt"
_BYTES = 32
_PLAYER_FIELDS = frozenset({"player", "leaver", "host", "invited", "asked", "competitor"})
"""Fields of events of a match, and of records in them, that contain player ids."""
_GAME_FIELDS = frozenset({"options", "setup", "position"})
"""Fields with values that the game defines; they contain no player ids."""


class Pseudonyms(Struct, frozen=True):
    """How tables name players."""

    salt: bytes
    names: Players | None = None  # set if tables contain names

    @property
    def mark(self) -> str:
        """Identifies the salt of the pseudonyms; `ids` if there are none."""
        return "ids" if self.names else hashlib.sha256(b"mark" + self.salt).hexdigest()[:16]

    def pseudonym_of(self, who: str) -> str:
        """Return the text for a player, a bot or the service."""
        if self.names or who == SYSTEM or who.startswith("bot:"):
            return who
        return f"p{hmac.digest(self.salt, who.encode(), 'sha256').hex()[:16]}"

    def names_of(self, players: Iterable[str]) -> Mapping[str, str]:
        """Return the names of players by id, or empty unless the options ask for names."""
        return self.names.names(list(players)) if self.names else {}

    def encode_event(self, event: AnyEvent) -> Any:  # noqa: ANN401  JSON
        """Return an event as JSON, with pseudonyms for all players in it."""
        if self.names or isinstance(event, Event):
            return event  # events of games contain only seats
        return self._replace_ids(to_json(event))

    def _replace_ids(self, value: Any, person: bool = False) -> Any:  # noqa: ANN401  JSON
        if isinstance(value, dict):
            return {
                key: one if key in _GAME_FIELDS else self._replace_ids(one, key in _PLAYER_FIELDS)
                for key, one in value.items()
            }
        if isinstance(value, list | tuple):
            return [self._replace_ids(one, person) for one in value]
        return self.pseudonym_of(value) if person and isinstance(value, str) else value


def read_salt(redis: Redis) -> bytes:
    """Return the salt of the pseudonyms of this store; created at the first use."""
    redis.set(SALT_KEY, secrets.token_bytes(_BYTES), nx=True)
    return cast(bytes, redis.get(SALT_KEY))
