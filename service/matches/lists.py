"""Matches and turns in the form of the lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import asdict

from domain.engine.game import Game
from domain.engine.resources.rulebook import ENGLISH
from domain.match import visibility
from domain.match.decisions.absence import count_days
from domain.match.events import LessonBegun
from domain.match.log import CorruptEntry, read_events
from projections.core.seats import SeatSummary
from projections.core.summary import Summary
from projections.lists.turns import Turn, turns_of
from service.accounts.players import Players
from service.matches.match_cache import MatchCache
from service.matches.queries import Names, iso, pause, proposal, undo_request
from service.runtime.errors import NotFound
from service.runtime.shares.byte_cache import ByteCache
from service.store.event_store import EventStore

Json = dict[str, Any]
Scores = tuple[int | None, ...]
_ENCODER, _DECODER = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Scores)


def names_in(players: Players, matches: Sequence[Summary], language: str = ENGLISH) -> Names:
    """Return the current names of the players in these matches in a language, by id, also of those
    who are invited or have declined.
    """
    seats = (seat for match in matches for seat in match.seats)
    known = {player for seat in seats for player in (seat.player, seat.invited, seat.declined)}
    return players.names({player for player in known if player}, language)


def public_scores(matches: MatchCache, cache: ByteCache, match: Summary) -> Scores:
    """Return the points of each seat in a match in play, None where they are hidden; nothing if it
    isn't in play or can't be read. A summary does not have them: only the game knows points.
    """
    if match.status != "active":
        return ()
    key = "scores", match.id, match.version
    if found := cache.get(key):
        return _DECODER.decode(found)
    try:
        known = matches.at_least(match.id, match.version)
    except (NotFound, CorruptEntry):
        return ()
    scores: Scores = visibility.view(known, None).scores
    cache.put(key, _ENCODER.encode(scores))
    return scores


def lesson_of(store: EventStore, cache: ByteCache, game: Game[Any], match: Summary) -> str:
    """Return the key of the lesson that a match is, "" if it is none or can't be read. A summary
    does not have it.
    """
    if match.visibility != "private":
        return ""
    key = "lesson", match.id
    if (found := cache.get(key)) is not None:
        return found.decode()
    try:
        first = store.read(match.id, limit=1)
        events = [event for entry in first for event in read_events(game, entry.events)]
    except CorruptEntry:
        return ""
    lesson = next((one.lesson for one in events if isinstance(one, LessonBegun)), "")
    cache.put(key, lesson.encode())
    return lesson


def summary(match: Summary, names: Names) -> Json:
    """Return a match as JSON, with the current names of its players."""
    until = match.patience_ends
    return {
        "id": match.id,
        "game": match.game,
        "status": match.status,
        "version": match.version,
        "created_at": iso(match.created_at),
        "updated_at": iso(match.updated_at),
        "ends_at": optional_iso(match.ends_at),
        "host": match.host,
        "visibility": match.visibility,
        "undo": match.undo,
        "clock": match.clock,
        "min_reliability": match.min_reliability,
        "patience_days": count_days(match.patience_ms),
        "options": match.options,
        "unrated": match.unrated,
        "forked_from": match.forked_from,
        "seats": [_seat(seat, names) for seat in match.seats],
        "awaiting": [
            {
                "seat": who.seat,
                "since": iso(who.since),
                "deadline": optional_iso(who.deadline),
                "patience_until": optional_iso(until.get(who.seat)),
                "absent": who.absent,
            }
            for who in match.awaiting
        ],
        "pause": match.pause and pause(match.pause),
        "result": match.result,
        "won": match.won,
        "end_reason": match.end_reason,
        "series": match.series,
        "next_match": match.next_match,
        "previous_match": match.previous_match,
    }


def own_match(match: Summary, names: Names, player: str) -> Json:
    """Return a match for one of its players, with what concerns them."""
    turn = turns_of(match).get(player)
    return {
        "match": summary(match, names),
        "needs_action": turn is not None,
        "seats_to_move": turn.seats if turn else (),
        "undo_vote_pending": bool(turn and turn.undo),
        "invited": any(seat.invited == player and not seat.player for seat in match.seats),
        "undo_request": undo_request(match.undo_request),
        "proposal": proposal(match.proposal),
    }


def turn(one: Turn) -> Json:
    """Return a match that awaits the caller."""
    return {
        "match": one.match,
        "game": one.game,
        "version": one.version,
        "seats": one.seats,
        "since": iso(one.since),
        "deadline": optional_iso(one.deadline),
        "undo_request": undo_request(one.undo),
        "proposal": proposal(one.proposal),
    }


def optional_iso(at: int | None) -> str | None:
    """Return a time (ms since the epoch) as ISO 8601; None for None."""
    return None if at is None else iso(at)


def _seat(seat: SeatSummary, names: Names) -> Json:
    name = names.get(seat.player) if seat.player else None
    return {"name": name, **asdict(seat)}
