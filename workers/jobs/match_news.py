"""What is new in a match for one player, and still so: what mail and push messages say."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from domain.match.log import CorruptEntry, Entry, is_forced, read_events
from domain.match.state import Match
from domain.notices import Notice
from projections.outbox.plan import DUE_NOW
from service.channels.mail.digest import MailItem, find_item, still_holds
from service.matches.container import Annals
from service.runtime.errors import NotFound

MAX_ENTRIES = 500
"""How many entries of a match are searched for the last act of a player."""
ENTRIES_BEFORE = 20
"""How many of these may be older than what is new."""


class MatchNews(NamedTuple):
    """What is new in a match, and when a message about it is due (ms since the epoch)."""

    item: MailItem
    due_at: int
    acted_at: int
    """When the player acted there last, if that was not long before; else 0."""


class _Act(NamedTuple):
    version: int
    at: int


def find_news(
    annals: Annals, player: str, match_id: str, notices: Sequence[Notice], delay_ms: int
) -> MatchNews | None:
    """Return what some notices of a match, in order, say that is still so, and that the player has
    not seen: who acts in a match has seen what was before. None if nothing is. A message is due
    `delay_ms` after the first of them; at once if that one has waited already, as warnings have,
    or if the clock was set back since.
    """
    match = read_match(annals, match_id) if notices else None
    if match is None:
        return None
    act = _last_act(annals, match, player, notices[0].version)
    new = [one for one in notices if one.version > act.version]
    held = [one for one in new if still_holds(match, player, one)]
    item, now = find_item(match, player, held), annals.now()
    if item is None:
        return None
    return MatchNews(item, min(_due_at(one, now, delay_ms) for one in held), act.at)


def _due_at(notice: Notice, now: int, delay_ms: int) -> int:
    is_late = notice.is_warning or notice.at > now
    return DUE_NOW if is_late else notice.at + delay_ms


def read_match(annals: Annals, match_id: str) -> Match | None:
    """Return a match; None if there is none, or it is corrupt."""
    with suppress(CorruptEntry, NotFound):
        return annals.matches.latest(match_id)
    return None


def _last_act(annals: Annals, match: Match, player: str, since: int) -> _Act:
    """Return what a player has recorded last, from a little before a version on, or zeros. The last
    version of all if it is corrupt. A move that played itself was seen by nobody.
    """
    start = max(0, since - 1 - ENTRIES_BEFORE, match.version - MAX_ENTRIES)
    try:
        entries = annals.matches.entries(match, start, match.version - start)
        own = [one for one in entries if one.actor == player]
        acts = (_Act(one.version, one.at) for one in own if not _is_forced(match, one))
        return max(acts, default=_Act(0, 0))
    except CorruptEntry:
        return _Act(match.version, 0)


def _is_forced(match: Match, entry: Entry) -> bool:
    return is_forced(read_events(match.game, entry.events))
