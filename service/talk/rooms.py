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


def rooms_of(match: Match, player: str | None) -> tuple[Room, ...]:
    """Return the rooms in which a player who can see the match reads and writes; none for visitors
    without an account.

    What spectators say reaches the players only after the end: some of them may know more. What
    players say stays at the table.
    """
    if player is None:
        return ()
    if not match.seats_of(player):
        return ("spectators",)
    return ("players", "spectators") if match.revealed else ("players",)


def check_member(match: Match, room: Room, player: str) -> None:
    """Raise Forbidden if a player may neither read nor write in this room."""
    if room in rooms_of(match, player):
        return
    if room == "players":
        raise Forbidden("not_your_room", "Only the players of this match talk here.")
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
