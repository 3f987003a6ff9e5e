"""What players plan for a match: beside its entries, readable by the player alone, and erasable.

A match has this key only if a player plans something, so the append script knows by its existence
whether a worker has to look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from typing import Any

import msgspec

from domain.match.decisions.planned_moves import PlannedMoves
from domain.match.log import read_events
from domain.match.scheduled_work import QUEUE_OF
from domain.match.social_events import ForcedMovePlayed
from domain.match.state import Match
from projections.core.scripts import Script
from service.store.event_store import EventStore, plans_key
from service.store.redis_client import store_errors

FINISH_SCRIPT = Script(files(__package__).joinpath("finish_plans.lua").read_text())
REPLACE_SCRIPT = Script(files(__package__).joinpath("replace_plan.lua").read_text())


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player plans for a match."""

    forced_moves: bool | None = None
    """Whether their forced moves play themselves; None if their account says it."""
    planned: PlannedMoves | None = None
    """The moves that they plan."""


_PLAN = msgspec.json.Decoder(Plan)
_EMPTY = msgspec.json.encode(Plan())


class Plans:
    """The plans of all players, and the index of matches at whose plans workers have to look."""

    def __init__(self, store: EventStore) -> None:
        self._store = store

    def of_match(self, match: str) -> Mapping[str, Plan]:
        """Return the plans for a match, by player."""
        with store_errors():
            found: Any = self._store.redis.hgetall(self._key(match))
        return {player.decode(): _PLAN.decode(plan) for player, plan in found.items()}

    def of_player(self, match: str, player: str) -> Plan:
        """Return the plan of a player; an empty one if they have none."""
        with store_errors():
            found: Any = self._store.redis.hget(self._key(match), player)
        return Plan() if found is None else _PLAN.decode(found)

    def change(
        self,
        match: str,
        player: str,
        change: Callable[[Plan], Plan],
        due: int | None = None,
        idle_at: int | None = None,
    ) -> Plan:
        """Change the plan of a player and return it; with `due`, let a worker look at it then (ms
        since the epoch), but not if the match is still at version `idle_at`, at which it would find
        nothing to do. If another process changes the plan meanwhile, `change` is called again. What
        it has erased stays so, unless there is a plan or it is due: no worker would erase it again.
        """
        keys, found = [self._key(match), self._index(match), self._match_key(match)], b""
        times = ["" if one is None else one for one in (due, idle_at)]
        with store_errors():
            while True:
                found = self._store.redis.hget(keys[0], player) or b""  # type: ignore[assignment]
                plan = change(_PLAN.decode(found) if found else Plan())
                if not found and due is None and plan == Plan():
                    return plan
                values = player, found, msgspec.json.encode(plan), _member(match)
                if REPLACE_SCRIPT.run(self._store.redis, keys, *values, *times):
                    return plan

    def is_forced(self, match: Match, version: int) -> bool:
        """Return whether the move of a version played itself because it was forced."""
        [entry] = self._store.read(match.id, version - 1, version)
        events = read_events(match.game, entry.events)
        return any(isinstance(one, ForcedMovePlayed) for one in events)

    def add(self, match: str, players: Iterable[str]) -> None:
        """Give players without a plan an empty one: their accounts say something."""
        with store_errors(), self._store.redis.pipeline(transaction=False) as pipe:
            for player in players:
                pipe.hsetnx(self._key(match), player, _EMPTY)
            pipe.execute()

    def add_to_all(self, matches: Iterable[str], player: str, now: int) -> None:
        """Give a player an empty plan for each match without one, and let workers look at them now
        (ms since the epoch).
        """
        with store_errors(), self._store.redis.pipeline(transaction=False) as pipe:
            for match in matches:
                pipe.hsetnx(self._key(match), player, _EMPTY)
                pipe.zadd(self._index(match), {_member(match): now})
            pipe.execute()

    def due(self, match: str) -> float | None:
        """Return since when a worker has to look at the plans (ms since the epoch), or None."""
        with store_errors():
            found: Any = self._store.redis.zscore(self._index(match), _member(match))
        return None if found is None else float(found)

    def finish(self, match: str, version: int, due: float | None) -> None:
        """Record that a worker has looked at the plans at this version, if it is the last one, and
        no player has written a plan since; `due` is what it was before the worker looked.
        """
        if due is None:
            return
        keys = [self._match_key(match), self._index(match)]
        with store_errors():
            FINISH_SCRIPT.run(self._store.redis, keys, version, _member(match), repr(due))

    def erase(self, match: str) -> None:
        """Erase all plans for a match that is over."""
        with store_errors(), self._store.redis.pipeline(transaction=True) as pipe:
            pipe.delete(self._key(match))
            pipe.zrem(self._index(match), _member(match))
            pipe.execute()

    def erase_player(self, matches: Iterable[str], player: str) -> None:
        """Erase the plans of a player for matches."""
        with store_errors(), self._store.redis.pipeline(transaction=False) as pipe:
            for match in matches:
                pipe.hdel(self._key(match), player)
            pipe.execute()

    def count(self, matches: Iterable[str], player: str) -> int:
        """Return for how many of these matches a player has a plan."""
        with store_errors(), self._store.redis.pipeline(transaction=False) as pipe:
            for match in matches:
                pipe.hexists(self._key(match), player)
            return sum(pipe.execute())

    def _key(self, match: str) -> str:
        return plans_key(self._store.partition_of(match), match)

    def _match_key(self, match: str) -> str:
        return f"{{p{self._store.partition_of(match)}}}:match:{match}"

    def _index(self, match: str) -> str:
        return f"{{p{self._store.partition_of(match)}}}:work:{QUEUE_OF['plan']}"


def _member(match: str) -> str:
    return f"plan:{match}"
