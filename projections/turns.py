"""Whose turn it is: the matches that wait for a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from redis import Redis
from redis.client import Pipeline

from domain.engine.play import Seat
from projections.pages import Page, read_cursor, write_cursor
from projections.spaces import Change, Projection, ask_all, merged
from projections.summary import PendingUndo, Summary

NEVER = 1 << 62  # matches without a deadline come after all others


class Turn(msgspec.Struct, frozen=True):
    """A match that waits for a player: for a move of these seats, or for an answer to an undo."""

    match: str
    game: str
    version: int
    seats: tuple[Seat, ...]
    since: int  # ms since the epoch
    deadline: int | None
    undo: PendingUndo | None


Urgency = tuple[int, int, str]
_URGENCY = msgspec.json.Decoder(Urgency)
_TURN = msgspec.json.Decoder(Turn)


def waiting_for(redis: Redis, partitions: int, player: str) -> list[Turn]:
    """The matches that wait for a player, the most urgent first."""
    found = ask_all(
        redis, partitions, TURNS, lambda pipe, space: pipe.hvals(f"{space}:of:{player}")
    )
    return sorted((_TURN.decode(text) for texts in found for text in texts), key=_urgency)


def page(turns: Sequence[Turn], after: str | None, limit: int) -> Page[Turn]:
    """Some of these turns, which come after the place of a cursor."""
    start = read_cursor(after, _URGENCY) if after is not None else ()
    left = [turn for turn in turns if _urgency(turn) > start]
    return Page(left[:limit], write_cursor(_urgency(left[limit - 1])) if left[limit:] else None)


def apply(space: str, changes: Sequence[Change], redis: Redis, transaction: Pipeline) -> None:
    """Note for whom the matches wait now."""
    for change in merged(changes):
        before, after = turns_of(change.before), turns_of(change.after)
        for player in sorted(before.keys() - after.keys()):
            transaction.hdel(f"{space}:of:{player}", change.after.id)
        for player, turn in after.items():
            transaction.hset(f"{space}:of:{player}", change.after.id, msgspec.json.encode(turn))


def turns_of(match: Summary | None) -> Mapping[str, Turn]:
    """For whom a match waits."""
    if match is None or match.status != "active":
        return {}
    seats = [who for who in match.awaiting if _decides(match, who.seat)]
    players = {match.seats[who.seat].player or "" for who in seats}
    asked = set(match.undo_request.asked) if match.undo_request else set()
    return {player: _turn(match, player) for player in sorted(players | asked)}


def _urgency(turn: Turn) -> Urgency:
    return turn.deadline or NEVER, turn.since, turn.match


def _decides(match: Summary, seat: Seat) -> bool:
    holder = match.seats[seat]
    return holder.player is not None and holder.bot is None and not holder.resigned


def _turn(match: Summary, player: str) -> Turn:
    mine = [
        who
        for who in match.awaiting
        if match.seats[who.seat].player == player and _decides(match, who.seat)
    ]
    undo = match.undo_request if match.undo_request and player in match.undo_request.asked else None
    return Turn(
        match=match.id,
        game=match.game,
        version=match.version,
        seats=tuple(who.seat for who in mine),
        since=min([who.since for who in mine] + ([undo.since] if undo else [])),
        deadline=min((who.deadline for who in mine if who.deadline is not None), default=None),
        undo=undo,
    )


TURNS = Projection("turns", 1, apply)
