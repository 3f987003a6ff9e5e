"""The keys of looks of names that were taken before names had these looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from redis import Redis

from service.accounts.names.looks import LOOKS_VERSION
from service.accounts.names.name_index import free_key, look_keys, name_key
from service.accounts.players import NAMES_KEY, Player, player_key
from service.runtime.event_loop import pause

LOOKS_KEY = "annals:looks"
"""The key of the version of the looks that all names of the store have; no backup has it."""
PAGE = 500
RACE_S = 5.0
"""How long an orphan has to be one: a player takes the keys of a name before they have it."""


class Orphan(NamedTuple):
    """A key of a name that nobody has, which no player could take: `owner` does not exist, or has
    another name. A race of an older version left it.
    """

    key: str
    owner: str

    def __str__(self) -> str:
        return f"{self.key.partition(':')[2]} was taken for {self.owner}, who has another name."


class Alike(NamedTuple):
    """Two players whose names look alike, although none of them can be taken beside the other any
    more: the second one owns the look. Both keep their names.
    """

    player: Player
    owner: Player

    def __str__(self) -> str:
        one, other = (f"{who.name} ({who.id})" for who in self)
        return f"{one} looks like {other}. Both keep their names."


@dataclass
class LookReport:
    """How many keys names get, and which names look like one of another player."""

    added: int = 0
    alike: list[Alike] = field(default_factory=list)

    def describe_added(self) -> str:
        """Return a sentence about the keys; empty if no name gets any."""
        if not self.added:
            return ""
        return f"Names get {self.added} more keys, so that no new name can look like one of them."


def has_all_looks(redis: Redis) -> bool:
    """Return whether all names of a store have been given the keys of their looks."""
    return redis.get(LOOKS_KEY) == str(LOOKS_VERSION).encode()


def find_orphans(redis: Redis) -> Iterator[Orphan]:
    """Yield the keys of names and looks whose owner does not have such a name."""
    for pattern in ("name:*", "look:*"):
        keys = (key.decode() for key in redis.scan_iter(pattern, count=PAGE))
        while page := list(islice(keys, PAGE)):
            owners = _owners(redis, page)
            names = _names(redis, owners)
            for key, owner, name in zip(page, owners, names, strict=True):
                if owner and not (name and key in (name_key(name), *look_keys(name))):
                    yield Orphan(key, owner)


def free_orphans(redis: Redis, orphans: Sequence[Orphan], wait_s: float = RACE_S) -> list[Orphan]:
    """Free those of these keys that still are orphans after `wait_s`, when registrations and
    changes of names that ran have ended; return them.
    """
    if not orphans:
        return []
    pause(wait_s)
    left = {*find_orphans(redis)}
    freed = [one for one in dict.fromkeys(orphans) if one in left]
    for orphan in freed:
        free_key(redis, orphan.key, orphan.owner)
    return freed


def count_names(redis: Redis) -> int:
    """Return the number of listed names."""
    return int(redis.zcard(NAMES_KEY))


def add_looks(redis: Redis, report: LookReport) -> Iterator[str]:
    """Give each name the keys that it lacks, and yield the ids of the players; note in `report`
    what is new.

    Calling it again completes an interrupted call. Players may change their names meanwhile.
    """
    places = (place.decode() for place, _ in redis.zscan_iter(NAMES_KEY, count=PAGE))
    while page := list(islice(places, PAGE)):
        ids = [place.rpartition("\0")[2] for place in page]
        _add_to_page(redis, _owners_of_their_names(redis, ids), report)
        yield from ids
    redis.set(LOOKS_KEY, LOOKS_VERSION)


def _owners_of_their_names(redis: Redis, ids: Sequence[str]) -> list[Player]:
    """Return the players, without those who are deleted."""
    named = [Player(who, name) for who, name in zip(ids, _names(redis, ids), strict=True) if name]
    owners = _owners(redis, [name_key(one.name) for one in named])
    return [one for one, owner in zip(named, owners, strict=True) if owner == one.id]


def _add_to_page(redis: Redis, players: Sequence[Player], report: LookReport) -> None:
    looks = [(player, look) for player in players for look in look_keys(player.name)]
    with redis.pipeline(transaction=False) as pipe:
        for player, look in looks:
            pipe.set(look, player.id, nx=True)
        is_new = pipe.execute()
    added = [one for one, new in zip(looks, is_new, strict=True) if new]
    report.added += len(added) - _take_back(redis, added)
    others = [one for one, new in zip(looks, is_new, strict=True) if not new]
    owners = _owners(redis, [look for _, look in others])
    for (player, look), owner in zip(others, owners, strict=True):
        if owner not in ("", player.id):
            _note_alike(redis, player, look, owner, report)


def _take_back(redis: Redis, added: Sequence[tuple[Player, str]]) -> int:
    """Free the looks of names that their players have given up meanwhile; return their number.

    Who gives up a name frees the name before its looks, so the looks of a name that its player
    still has are freed with it.
    """
    owners = _owners(redis, [name_key(player.name) for player, _ in added])
    looks = [
        look for (player, look), owner in zip(added, owners, strict=True) if owner != player.id
    ]
    for look in looks:
        redis.delete(look)
    return len(looks)


def _note_alike(redis: Redis, player: Player, look: str, owner: str, report: LookReport) -> None:
    [name] = _names(redis, [owner])
    alike = Alike(player, Player(owner, name))
    # The look of a name that its player has just given up says nothing, nor does a second one.
    if look in look_keys(name) and alike not in report.alike[-1:]:
        report.alike.append(alike)


def _names(redis: Redis, ids: Sequence[str]) -> list[str]:
    """Return the name of each player; empty if there is none."""
    with redis.pipeline(transaction=False) as pipe:
        for who in ids:
            pipe.hget(player_key(who), "name")
        return [(name or b"").decode() for name in pipe.execute()]


def _owners(redis: Redis, keys: Sequence[str]) -> list[str]:
    """Return the player to whom each of these keys belongs; empty if there is none."""
    with redis.pipeline(transaction=False) as pipe:
        for key in keys:
            pipe.get(key)
        return [(owner or b"").decode() for owner in pipe.execute()]
