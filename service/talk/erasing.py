"""Erases talk: of a player with their account, and of a match some time after its end."""

from __future__ import annotations

import structlog

from domain.match.log import CorruptEntry
from service.matches.container import Annals
from service.runtime.errors import NotFound
from service.store.event_store import EventStore
from service.talk.mutes import Mutes
from service.talk.reports import Reports
from service.talk.rooms import end_of
from service.talk.speakers import Speakers
from service.talk.storage import DAY_MS, RETENTION_MS, Talk

log = structlog.get_logger()
MAX_MATCHES_AT_ONCE = 100
"""How many matches of a partition are looked at in one go."""


def erase_talk(store: EventStore, player: str) -> None:
    """Erase what a player has said, read, muted and reported, and that they were muted."""
    Talk(store).erase_player(player)
    Reports(store.redis).erase_player(player)
    Mutes(store.redis).erase(player)
    Speakers(store.redis, 0).lift_mute(player)


def erase_old_talk(annals: Annals, partition: int) -> int:
    """Erase the talk about matches of a partition that ended RETENTION_MS ago; return their
    number. A match that goes on is looked at again once its talk can be as old.
    """
    talk, now, erased = Talk(annals.store), annals.now(), 0
    for match in talk.due(partition, now, MAX_MATCHES_AT_ONCE):
        erase_at = _erase_at(annals, match, now)
        if erase_at > now:
            talk.keep_until(match, erase_at)
        else:
            Reports(annals.store.redis).erase_match(match)
            talk.erase_match(match)
            erased += 1
    return erased


def _erase_at(annals: Annals, match_id: str, now: int) -> int:
    """Return when the talk about a match is to be erased, if it ends now or has ended."""
    try:
        ended_at = end_of(annals, annals.matches.latest(match_id))
    except NotFound:  # lost with its server
        return now
    except CorruptEntry as error:  # until it is repaired, nobody knows whether it has ended
        log.error("entry_corrupt", match=match_id, version=error.version, work="talk")
        return now + DAY_MS
    return (now if ended_at is None else ended_at) + RETENTION_MS
