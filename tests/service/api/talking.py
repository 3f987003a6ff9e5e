"""People who talk about a match, for tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from service.matches.container import Annals
from tests.service.api.conftest import NOON, Api, Clock, play_on

DAY_MS = 86_400_000


def grow_old(clock: Clock) -> None:
    """Let a day pass, so that accounts may write in their own words."""
    clock.ms = max(clock.ms, NOON) + DAY_MS


def say(who: Api, path: str, text: str, room: str = "players") -> int:
    """Say a text; return its number."""
    answer = who.post(f"{path}/talk/{room}", {"text": text})
    assert answer.status_code == 201, answer.text
    number: int = answer.json["number"]
    return number


def page(who: Api, path: str, room: str = "players") -> dict[str, Any]:
    """The last page of a room as a reader gets it."""
    answer = who.get(f"{path}/talk/{room}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json
    return found


def texts(who: Api, path: str, room: str = "players") -> list[str]:
    """What a reader gets, the oldest first."""
    return [one["text"] for one in page(who, path, room)["messages"]]


def talk_keys(annals: Annals) -> dict[str, bytes]:
    """All keys of talk with their contents as Redis dumps them."""
    redis = annals.store.redis
    names = sorted(name for name in redis.scan_iter() if b":talk" in name)
    return {name.decode(): redis.dump(name) or b"" for name in names}


def play_two_moves(one: Api, other: Api, path: str) -> None:
    """Make two moves in a match of two players."""
    play_on(path, one, other, until=one.get(path).json["version"] + 2)


def commands_of(annals: Annals, act: Callable[[], object]) -> dict[str, int]:
    """How often an act takes each command of Redis; those that count are in it, too."""
    annals.store.redis.config_resetstat()
    act()
    stats: Any = annals.store.redis.info("commandstats")
    return {name: one["calls"] for name, one in stats.items()}
