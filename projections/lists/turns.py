"""Whose turn it is: the matches that wait for a player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from redis import Redis

from domain.engine.play import Seat
from projections.core.awaited import AwaitedSeat
from projections.core.pending import PendingProposal, PendingUndo
from projections.core.spaces import Change, Command, Projection, merge_by_match
from projections.core.summary import (
    Summary,
    cache_on_summary,
)
from projections.lists.listing import SortedLists, read_page
from projections.lists.pages import Page

NO_DEADLINE_MS = 10**14 - 1  # matches without a deadline come after all others


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A match that waits for a player: for a move of these seats, or for an answer to an undo
    request or a proposal.
    """

    match: str
    game: str
    version: int
    seats: tuple[Seat, ...]
    since: int  # ms since the epoch
    deadline: int | None
    undo: PendingUndo | None
    proposal: PendingProposal | None = None


_TURN = msgspec.json.Decoder(Turn)
_ENCODER = msgspec.json.Encoder()


def find_turns(
    redis: Redis, partitions: int, player: str, after: str | None = None, limit: int = 50
) -> Page[Turn]:
    """Return a page of the matches that wait for a player, most urgent first."""
    found = read_page(
        redis, partitions, SortedLists(TURNS, [f"of:{player}"], key_times=2), after, limit
    )
    return Page([_TURN.decode(text) for text in found.values], found.next, found.lag)


def apply(space: str, changes: Sequence[Change]) -> Iterator[Command]:
    """Update the lists of the players for whom the matches wait."""
    for change in merge_by_match(changes):
        before, after = _members(change.before) if change.before else {}, _members(change.after)
        for player, turn in before.items():
            if turn != after.get(player):
                yield "ZREM", f"{space}:of:{player}", turn
        for player, turn in after.items():
            if turn != before.get(player):
                yield "ZADD", f"{space}:of:{player}", 0, turn


def turns_of(match: Summary) -> Mapping[str, Turn]:
    """Return the turn of each player for whom a match waits."""
    if match.status != "active":
        return {}
    waiting: dict[str, list[AwaitedSeat]] = {}
    for who in match.awaiting if match.pause is None else ():
        holder = match.seats[who.seat]
        if holder.player is not None and holder.human:
            waiting.setdefault(holder.player, []).append(who)
    for request in (match.undo_request, match.proposal):
        for player in request.asked if request else ():
            waiting.setdefault(player, [])
    return {player: _turn(match, player, waiting[player]) for player in sorted(waiting)}


@cache_on_summary
def _members(match: Summary) -> Mapping[str, str]:
    """Return the members of the lists of each player for whom a match waits."""
    return {player: _member(turn) for player, turn in turns_of(match).items()}


def _member(turn: Turn) -> str:
    """Return the member of a list: the sort key by urgency, then the turn.

    It depends on nothing else, so the same turn can be removed again.
    """
    deadline = NO_DEADLINE_MS if turn.deadline is None else turn.deadline
    text = _ENCODER.encode(turn).decode()
    return f"{deadline:014d}:{turn.since:014d}:{turn.match} {text}"


def _turn(match: Summary, player: str, mine: Sequence[AwaitedSeat]) -> Turn:
    undo, proposal = match.undo_request, match.proposal
    undo = undo if undo and player in undo.asked else None
    proposal = proposal if proposal and player in proposal.asked else None
    since = [who.since for who in mine] + [one.since for one in (undo, proposal) if one]
    deadlines = [who.deadline for who in mine if who.deadline is not None]
    return Turn(
        match.id,
        match.game,
        match.version,
        tuple([who.seat for who in mine]),
        min(since),
        min(deadlines) if deadlines else None,
        undo,
        proposal,
    )


TURNS = Projection("turns", 2, apply)
