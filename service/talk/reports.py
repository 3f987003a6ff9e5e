"""Messages that players have reported to the operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from redis import Redis

from service.runtime.errors import NotFound, TooManyReports
from service.talk.messages import ROOMS, Room

MAX_REPORTS = 1_000
"""Maximum number of reports that wait for an operator."""
REPORTS_PER_HOUR = 10
"""How many messages a player, and all players of an address, can report in an hour."""
_KEY = "talk:reports"


class Report(msgspec.Struct, frozen=True):
    """A report: who wrote the message, who reported it first, and when (ms since the epoch). The
    message itself stays where it is, so that it can be erased.
    """

    author: str
    reporter: str
    at: int


class ReportedMessage(NamedTuple):
    """Which message was reported."""

    match: str
    room: Room
    number: int

    @property
    def id(self) -> str:
        """The id of the report."""
        return f"{self.match}:{self.room}:{self.number}"


_REPORT = msgspec.json.Decoder(Report)


class Reports:
    """The reports that wait for an operator, in Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def add(self, message: ReportedMessage, report: Report) -> None:
        """Add a report, unless the message was reported before. Raises TooManyReports."""
        is_new = self._redis.hsetnx(_KEY, message.id, msgspec.json.encode(report).decode())
        # Counted after the write, because of concurrent calls.
        if is_new and self._redis.hlen(_KEY) > MAX_REPORTS:
            self._redis.hdel(_KEY, message.id)
            raise TooManyReports(f"At most {MAX_REPORTS} reports wait for an operator.")

    def all(self) -> list[tuple[ReportedMessage, Report]]:
        """Return all reports, the oldest first."""
        found: Mapping[Any, Any] = self._redis.hgetall(_KEY)
        reports = [(_parse(name.decode()), _REPORT.decode(one)) for name, one in found.items()]
        return sorted(reports, key=lambda one: (one[1].at, one[0]))

    def get(self, report_id: str) -> Report:
        """Return a report. Raises NotFound."""
        found: Any = self._redis.hget(_KEY, report_id)
        if found is None:
            raise NotFound("There is no such report.")
        return _REPORT.decode(found)

    def remove(self, report_id: str) -> None:
        """Remove a report, if it is there."""
        self._redis.hdel(_KEY, report_id)

    def erase_match(self, match: str) -> None:
        """Erase the reports of messages about a match."""
        for message, _ in self.all():
            if message.match == match:
                self.remove(message.id)

    def erase_player(self, player: str) -> None:
        """Erase the reports of what a player wrote, and that they have reported others."""
        for message, report in self.all():
            if report.author == player:
                self.remove(message.id)
            elif report.reporter == player:
                anonymous = msgspec.structs.replace(report, reporter="")
                self._redis.hset(_KEY, message.id, msgspec.json.encode(anonymous).decode())

    def count_about(self, player: str) -> int:
        """Return how many reports name a player."""
        return sum(player in (report.author, report.reporter) for _, report in self.all())


def _parse(report_id: str) -> ReportedMessage:
    match, room, number = report_id.split(":")
    assert room in ROOMS
    return ReportedMessage(match, room, int(number))
