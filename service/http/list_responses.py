"""Answers of the lists: matches and turns as JSON, links to the next page, waiting for lists."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from flask import request
from msgspec.structs import asdict

from projections.progress import progress, wait_for
from projections.summary import SeatSummary, Summary
from projections.turns import Turn
from service.event_loop import pause
from service.http.context import annals
from service.http.responses import Json
from service.queries import Names, iso

PATIENCE_S = 2.0


def catch_up(asked: Json) -> None:
    """Wait a little until the lists know a version of a match, if the caller asks for it."""
    if "match" not in asked or "min_version" not in asked:
        return
    store, match, version = annals().store, asked["match"], asked["min_version"]
    if 0 < version <= store.version(match):
        wait_for(store.redis, store.partition_of(match), match, version, PATIENCE_S, pause)


def behind(projection: str) -> int:
    """How many entries a projection has not read yet."""
    store = annals().store
    return progress(store.redis, store.partitions)[projection].lag


def next_link(after: str | int | None) -> dict[str, str]:
    """The header that leads to the next page, if there is one."""
    if after is None:
        return {}
    again = {**request.args.to_dict(), "after": after}
    return {"Link": f'<{request.path}?{urlencode(again)}>; rel="next"'}


def summaries(matches: Sequence[Summary]) -> list[Json]:
    """Matches in a list, with the names that their players have now."""
    names = annals().players.names(
        {seat.player for match in matches for seat in match.seats if seat.player}
    )
    return [_summary(match, names) for match in matches]


def _summary(match: Summary, names: Names) -> Json:
    return {
        "id": match.id,
        "game": match.game,
        "status": match.status,
        "version": match.version,
        "created_at": iso(match.created_at),
        "updated_at": iso(match.updated_at),
        "host": match.host,
        "visibility": match.visibility,
        "undo": match.undo,
        "clock": match.clock,
        "options": match.options,
        "unrated": match.unrated,
        "seats": [_seat(seat, names) for seat in match.seats],
        "awaiting": [
            {"seat": who.seat, "since": iso(who.since), "deadline": time(who.deadline)}
            for who in match.awaiting
        ],
        "result": match.result,
        "end_reason": match.end_reason,
        "series": match.series,
        "next_match": match.next_match,
    }


def _seat(seat: SeatSummary, names: Names) -> Json:
    name = names.get(seat.player) if seat.player else None
    return {"name": name, **asdict(seat)}


def turn(one: Turn) -> Json:
    """A match that waits for the caller."""
    undo = one.undo
    return {
        "match": one.match,
        "game": one.game,
        "version": one.version,
        "seats": one.seats,
        "since": iso(one.since),
        "deadline": time(one.deadline),
        "undo_request": undo
        and {
            "player": undo.player,
            "to": undo.to,
            "redo": undo.redo,
            "asked": undo.asked,
            "expires": iso(undo.expires),
        },
    }


def time(at: int | None) -> str | None:
    """A time (ms since the epoch) as ISO 8601; None stays None."""
    return None if at is None else iso(at)
