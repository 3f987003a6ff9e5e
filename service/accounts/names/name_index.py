"""Which player has a name: the keys of names and of their looks."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from redis import Redis

from projections.core.scripts import Script
from service.accounts.names.given_names import stored_name
from service.accounts.names.looks import looks_of
from service.accounts.names.reserved_names import ReservedNames

_FREE = Script("if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end")
"""Deletes a key of a name if a player still owns it."""


class NameIndex:
    """Reserves names, and what looks like them, for one player each."""

    def __init__(self, redis: Redis, reserved: ReservedNames) -> None:
        self._redis, self._reserved = redis, reserved

    def is_reserved(self, name: str, *, operator: bool = False) -> bool:
        """Return whether a player cannot take a name: bots have it, or only operators can."""
        if operator:
            return self._reserved.has(name)
        return self._reserved.has(name) or self._reserved.is_for_operators(name)

    def owner(self, name: str) -> str | None:
        """Return the id of the player with this name, ignoring case."""
        found = self._redis.get(name_key(name))
        return found.decode() if isinstance(found, bytes) else None

    def take(self, player: str, name: str, *, operator: bool) -> bool:
        """Reserve a name and its looks for a player. Returns False if it is reserved, or another
        player has one of them.
        """
        key = name_key(name)
        if self.is_reserved(name, operator=operator) or not self._redis.set(key, player, nx=True):
            return False
        if not self._take_looks(player, look_keys(name)):
            self._redis.delete(key)
            return False
        return True

    def change(self, player: str, before: str, name: str, *, operator: bool) -> bool:
        """Reserve another name for a player, or the looks of another spelling of theirs: a capital
        may not look like its small letter. Returns False as `take` does.
        """
        if name_key(name) != name_key(before):
            return self.take(player, name, operator=operator)
        new = [look for look in look_keys(name) if look not in look_keys(before)]
        if new and self.is_reserved(name, operator=operator):
            return False
        return self._take_looks(player, new)

    def free(self, player: str, name: str, successor: str = "") -> None:
        """Free a name, and those of its looks that the name that follows does not have. Another
        player may have taken it since.
        """
        kept = (name_key(successor), *look_keys(successor))
        for key in (name_key(name), *look_keys(name)):  # in the order that `add_looks` expects
            if key not in kept:
                free_key(self._redis, key, player)

    def _take_looks(self, player: str, looks: Sequence[str]) -> bool:
        """Reserve looks for a player. Returns False, and reserves none, if another player has one
        of them.
        """
        taken = list[str]()
        for look in looks:
            if self._redis.set(look, player, nx=True):
                taken.append(look)
            elif not self._owns(look, player):
                for one in taken:
                    self._redis.delete(one)
                return False
        return True

    def _owns(self, look: str, player: str) -> bool:
        return self._redis.get(look) == player.encode()


def free_key(redis: Redis, key: str, player: str) -> None:
    """Free a key of a name or a look, if this player still owns it."""
    _FREE.run(redis, [key], player)


def tidy_name(name: str) -> str:
    """Return a name as a new one is stored, without repeated spaces."""
    return stored_name(" ".join(_normal(name).split()))


def fold_name(name: str) -> str:
    """Return the form in which names that differ only in case, or in the language of a guest, are
    equal.
    """
    return stored_name(_normal(name)).casefold()


def name_key(name: str) -> str:
    """Return the key that maps this name to its player."""
    return f"name:{fold_name(name)}"


def look_keys(name: str) -> list[str]:
    """Return the keys that map the looks of this name to its player."""
    return [f"look:{look}" for look in sorted(looks_of(stored_name(_normal(name))))]


def _normal(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip()
