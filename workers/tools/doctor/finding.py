"""What a check has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from redis import Redis

from service.accounts.house import House
from service.runtime.settings import Settings

Level = Literal["ok", "warn", "fail"]


@dataclass(frozen=True)
class Finding:
    """The result of a check: in words, with a cure unless all is well."""

    check: str
    level: Level
    text: str
    cure: str = ""


@dataclass(frozen=True)
class Patient:
    """The service that is examined. Without `redis` its store is not running."""

    settings: Settings
    redis: Redis | None
    house: House

    @property
    def public_url(self) -> str:
        """Its address from outside, without a trailing slash; empty if it is not known."""
        return (self.settings.public_url or self.house.public_url).rstrip("/")
