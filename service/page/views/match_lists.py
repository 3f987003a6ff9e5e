"""Matches as list rows of pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.engine.game import Game
from domain.engine.resources.lessons import TITLE
from domain.engine.sentences import Words, capitalize
from domain.match.state import ClockRule
from projections.core.seats import SeatSummary
from projections.core.summary import Summary
from projections.lists.turns import turns_of
from service.http.context import annals, context, viewer_id
from service.matches.lists import lesson_of, names_in, optional_iso, public_scores
from service.matches.queries import Names, iso, pause
from service.runtime.event_loop import in_steps
from service.talk.reading import find_unread
from service.talk.storage import RoomOfMatch

Row = dict[str, Any]
MINUTE_S, HOUR_S, DAY_S = 60, 3_600, 86_400
IDLE_S, IDLE_ALONE_S = DAY_S, HOUR_S
"""Seconds without a move after which a match without a clock is idle, and one in which only one
person plays.
"""
MAX_MESSAGES_LOOKED_AT = 20
"""Of how many messages of a match, the last ones, a list says whether one is new."""


def match_rows(matches: Sequence[Summary], words: Words, language: str) -> list[Row]:
    """The rows of a list of matches; `seats` have a `kind` (`player`, `bot`, `invited` or `free`)
    and a `name`, free ones the name of who `declined` an invitation; `now` if they must decide,
    `away` if they keep others waiting in an idle match; `points` at the end, and before it those
    that all may see; `new_talk` if others said something new at a table of the visitor.
    """
    names, talk = names_in(annals().players, matches, language), _find_new_talk(matches)
    return [
        {**_row(match, names, words, language), "new_talk": match.id in talk}
        for match in in_steps(matches)
    ]


def _find_new_talk(matches: Sequence[Summary]) -> set[str]:
    """The ids of the visitor's matches in which other players have said something new."""
    me = viewer_id()
    own = [match.id for match in matches if me in match.holders]
    rooms: list[RoomOfMatch] = [(match, "players") for match in own]
    found = find_unread(annals(), me or "", rooms, limit=MAX_MESSAGES_LOOKED_AT)
    return {match for match, unread in zip(own, found, strict=True) if unread.messages}


def _row(match: Summary, names: Names, words: Words, language: str) -> Row:
    game, me = annals().games[match.game], viewer_id()
    awaited = {one.seat for one in match.awaiting}
    idle = is_idle(match, annals().now())
    turn = turns_of(match).get(me) if me else None
    points: dict[int, int | None] = {line.seat: line.points for line in match.result or ()}
    points |= enumerate(public_scores(annals().matches, context().histories, match))
    seats = [
        {
            **_seat(seat, game, names, language),
            "now": place in awaited,
            "away": idle and place in awaited and seat.human and seat.player != me,
            "points": points.get(place),
        }
        for place, seat in enumerate(match.seats)
    ]
    ends = match.patience_ends
    mine = [ends[seat] for seat in (turn.seats if turn else ()) if seat in ends]
    invited = any(seat.invited == me and not seat.player for seat in match.seats if me)
    return {
        "id": match.id,
        "title": game.title_in(language),
        "mode": _mode(match, game, language),
        "status": match.status,
        "version": match.version,
        "seats": seats,
        "clock": describe_clock(match.clock, words),
        "created": iso(match.created_at),
        "updated": iso(match.updated_at),
        "moved": iso(match.last_move_at),
        "min_reliability": match.min_reliability if match.status == "open" else None,
        "private": match.visibility == "private",
        "lesson": _lesson(match, game, language),
        "mine": me is not None and me in match.involved,
        "my_turn": bool(turn and turn.seats),
        "undo_asked": bool(turn and turn.undo),
        "end_asked": bool(turn and turn.proposal),
        "pause": match.pause and pause(match.pause),
        "agreed": match.end_reason in ("agreement", "absence"),
        "patience": optional_iso(min(mine, default=None)),
        "absent": me in match.holders and any(who.absent for who in match.awaiting),
        "ends": optional_iso(match.ends_at) if me in match.holders else None,
        "deadline": turn and optional_iso(turn.deadline),
        "invited": invited,
        "again": match.status == "open" and match.rematch_of is not None,
        "can_join": _can_join(match, me, invited),
        "replaceable": match.is_replaceable,
        "winners": _winners(match, seats),
        "won": match.won,
    }


def _mode(match: Summary, game: Game[Any], language: str) -> str:
    """The mode of a match in words; "" for the default mode, and of options that the game no longer
    has.
    """
    mode = match.options.get("mode")
    if mode not in game.seats_by_mode or not game.non_default_mode(game.options(mode=mode)):
        return ""
    return capitalize(game.words(language).texts[f"option_mode_{mode}"])


def _lesson(match: Summary, game: Game[Any], language: str) -> str:
    """The title of the lesson that a match is; "" if it is none, or the game no longer has it."""
    known = game.resources.lessons
    key = lesson_of(annals().store, context().histories, game, match) if known else ""
    return known[key].texts[language][TITLE] if key in known else ""


def is_idle(match: Summary, now: int) -> bool:
    """Whether the person who must decide seems to have left."""
    if match.status != "active" or match.clock is not None:
        return False
    people = sum(seat.human for seat in match.seats)
    return now - match.last_move_at > 1_000 * (IDLE_S if people > 1 else IDLE_ALONE_S)


def _can_join(match: Summary, me: str | None, invited: bool) -> bool:
    """Whether the visitor could take a seat, of an absent player in a match in play."""
    if match.is_replaceable:
        return me not in match.holders and me not in match.leavers
    return match.status == "open" and me not in match.holders and _has_free_seat(match, invited)


def _has_free_seat(match: Summary, invited: bool) -> bool:
    """Whether the visitor could take a seat."""
    return invited or any(
        seat.player is None and seat.bot is None and seat.invited is None for seat in match.seats
    )


def _seat(seat: SeatSummary, game: Game[Any], names: Names, language: str) -> Row:
    """Who has a seat."""
    if seat.player:
        return {"kind": "player", "id": seat.player, "name": names.get(seat.player, "")}
    if seat.bot:
        name = game.bot_names(language).get(seat.bot, "")
        return {"kind": "bot", "id": f"bot:{seat.bot}", "name": name}
    if seat.invited:
        name = names.get(seat.invited, "")
        return {"kind": "invited", "id": None, "invited": seat.invited, "name": name}
    declined = names.get(seat.declined or "", "")
    return {"kind": "free", "id": None, "name": "", "declined": declined}


def _winners(match: Summary, seats: Sequence[Row]) -> list[str]:
    """The names of the winners, once the match is over."""
    return [seats[seat]["name"] for seat in match.winners]


def describe_clock(clock: ClockRule | None, words: Words) -> str:
    """The clock of a match in words."""
    if clock is None:
        return words("no_clock")
    if clock.per_move_s is not None:
        return words("clock_each", time=describe_duration(clock.per_move_s, words))
    bank = describe_duration(clock.bank_s or 0, words)
    if not clock.increment_s:
        return words("clock_bank", time=bank)
    return words("clock_more", time=bank, more=describe_duration(clock.increment_s, words))


def describe_duration(seconds: int, words: Words) -> str:
    """A duration in the largest unit that divides it."""
    if seconds % DAY_S == 0:
        return words("days", count=seconds // DAY_S)
    if seconds % HOUR_S == 0:
        return words("hours", count=seconds // HOUR_S)
    if seconds % MINUTE_S == 0:
        return words("minutes", count=seconds // MINUTE_S)
    return words("seconds", count=seconds)
