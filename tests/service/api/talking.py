"""People who talk about a match, for tests."""

from __future__ import annotations

from typing import Any

from service.matches.container import Annals
from tests.service.api.conftest import NOON, Api, Clock

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
