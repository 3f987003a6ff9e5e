"""Who talks where, and for how long: players at the table, spectators apart from them."""

from __future__ import annotations

from domain.match.errors import Forbidden
from domain.match.events import Aborted, Ended
from domain.match.log import read_events
from domain.match.state import Match
from service.matches.container import Annals
from service.runtime.errors import TalkClosed
from service.talk.messages import Room
from service.talk.storage import RETENTION_MS

ENTRIES_AFTER_THE_END = 50
"""How many entries can follow the end of a match, such as offers to play again."""


def check_member(match: Match, room: Room, player: str) -> None:
    """Raise Forbidden if a player may neither read nor write in this room.

    What spectators say reaches the players only after the end: some of them may know more. What
    players say stays at the table.
    """
    sits = bool(match.seats_of(player))
    if room == "players" and not sits:
        raise Forbidden("not_your_room", "Only the players of this match talk here.")
    if room == "spectators" and sits and not match.revealed:
        raise Forbidden("not_your_room", "Players read what spectators say after the end.")


def check_open(annals: Annals, match: Match) -> None:
    """Raise TalkClosed if the talk about this match has been erased, or is about to be."""
    if not is_open(annals, match):
        raise TalkClosed("Talk about this match has ended.")


def is_open(annals: Annals, match: Match) -> bool:
    """Return whether people may still talk about a match."""
    ended_at = end_of(annals, match)
    return ended_at is None or annals.now() < ended_at + RETENTION_MS


def end_of(annals: Annals, match: Match) -> int | None:
    """Return when a match ended (ms since the epoch); None if it goes on."""
    if not match.revealed:
        return None
    first = max(0, match.version - ENTRIES_AFTER_THE_END)
    for entry in annals.store.read(match.id, first, match.version):
        if any(
            isinstance(event, Ended | Aborted) for event in read_events(match.game, entry.events)
        ):
            return entry.at
    return match.updated_at
