"""The end: final scoring, ratings, and the link to the next match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from domain.engine.game import Json
from domain.engine.play import Seat
from domain.engine.scoring import ScoreLine, Scoring, ranks
from domain.match.decisions.lobby import Plan
from domain.match.decisions.playing import require_active
from domain.match.errors import Forbidden, Impossible, TooEarly
from domain.match.events import Aborted, Continued, Kept, Rated, Scored, Unrated
from domain.match.log import Draft, is_forced, read_events
from domain.match.outcome import RatingChange
from domain.match.state import (
    Chair,
    CloseReason,
    Match,
    SeriesPlace,
    SeriesScore,
    UnratedReason,
)


def score(match: Match) -> Draft:
    """Score the match: resigned seats rank after all others. Reveals the seed."""
    if match.status != "ended":
        raise Impossible("too_early", "There is nothing to score.")
    return Draft("Scored", (Scored(final_scoring(match), match.seed.hex(), _series_score(match)),))


def final_scoring(match: Match) -> Scoring:
    """The score of the game, with the ranks changed by resignations."""
    scoring = match.game.scoring(match.state)
    places = ranks([(not match.chairs[line.seat].resigned, -line.rank) for line in scoring.lines])
    lines = tuple(
        msgspec.structs.replace(line, rank=rank)
        for line, rank in zip(scoring.lines, places, strict=True)
    )
    return msgspec.structs.replace(scoring, reason=_end_reason(match, scoring), lines=lines)


def _end_reason(match: Match, scoring: Scoring) -> str:
    """How the game ended: the reason of the game, unless the match ended early."""
    ended = match.end_reason or "rules"
    return scoring.reason if ended == "rules" else ended


def close(match: Match, reason: CloseReason) -> Draft:
    """Abort an open or active match for the operator."""
    if match.status not in ("open", "active"):
        raise Impossible("too_early", "The match has ended already.")
    return Draft("Aborted", (Aborted("operator", match.seed.hex(), reason),))


def abandon(match: Match, now: int) -> Draft:
    """End a match against bots that its only player has left."""
    if match.ends_at is None or now < match.ends_at:
        raise TooEarly("The player of this match still has time.")
    return Draft("Aborted", (Aborted("idle", match.seed.hex()),))


def keep(match: Match, player: str, now: int) -> Draft:
    """Keep a match that would end by itself: its player has the whole time again."""
    require_active(match)
    if all(match.chairs[seat].resigned for seat in match.seats_of(player)):
        raise Forbidden("not_seated", "You have no seat to play in this match.")
    if match.keep_from is None or now < match.keep_from:
        raise Impossible("nothing_to_keep", "This match does not end by itself soon.")
    return Draft("Kept", (Kept(player),))


def rate(match: Match, changes: Sequence[RatingChange]) -> Draft:
    """Record how the match changed the ratings."""
    if not is_rateable(match) or match.rated:
        raise Impossible("too_early", "There is nothing to rate.")
    return Draft("Rated", (Rated(tuple(changes)),))


def leave_unrated(match: Match, reason: UnratedReason) -> Draft:
    """Record why the result does not count for the ratings."""
    if not is_rateable(match) or match.rated:
        raise Impossible("too_early", "There is nothing to rate.")
    return Draft("Unrated", (Unrated(reason),))


def early_leavers(match: Match) -> set[str]:
    """The players who resigned, or left their seat to a bot or a new player, before a first move
    that did not play itself; they may have sat down by accident. And who took a seat and has not
    moved since.
    """
    left = {chair.player for chair in match.chairs if chair.player and not chair.human}
    new = {match.chairs[one.seat].player or "" for one in match.tenures}
    suspects = left | new | {one.player for one in match.tenures}
    return suspects - {
        point.player
        for point in match.line
        if point.move
        and point.player in suspects
        and not is_forced(read_events(match.game, point.packed_events))
    }


def is_rateable(match: Match) -> bool:
    """Whether the result counts for the ratings."""
    return match.status == "scored" and match.unrated is None


def competitors(match: Match) -> list[str]:
    """The competitor of each seat: its player, or `bot:<level>` if it never had one."""
    return [chair.player or f"bot:{chair.bot}" for chair in match.chairs]


def score_lines(match: Match) -> list[ScoreLine]:
    """The lines of the final score. The match must be scored."""
    assert match.scoring
    return list(match.scoring.lines)


def next_plan(match: Match, expires: int) -> Plan | None:
    """The plan of the next match of the series; None if there is none (QIN-11)."""
    options = next_options(match)
    if options is None or match.series is None:
        return None
    score = match.series_score
    assert score
    place = SeriesPlace(score.id, score.number + 1, score.totals, score.resigned)
    return Plan(
        match=f"{place.id}-{place.number}",
        chairs=tuple(_fresh_chair(chair) for chair in match.chairs),
        options=options,
        series=place,
        expires=expires,
        **terms_of(match),
    )


def terms_of(match: Match) -> dict[str, Any]:
    """The terms of a plan that a match which follows takes over."""
    return {
        "host": match.rematch_by or match.host,
        "undo": match.undo_policy,
        "clock": match.clock_rule,
        "on_timeout": match.on_timeout,
        "substitute": match.substitute,
        "visibility": match.visibility,
        "patience_ms": match.patience_ms,
    }


def link_next(match: Match, following: str) -> Draft:
    """Record the id of the next match."""
    if not awaits_next(match):
        raise Impossible("too_early", "No match follows, or it is open already.")
    return Draft("Continued", (Continued(following),))


def awaits_next(match: Match) -> bool:
    """Whether the service has to open the next match: of the series, or since a player offers to
    play again.
    """
    return awaits_series(match) or match.rematch_by is not None


def awaits_series(match: Match) -> bool:
    """Whether the service has to open the next match of the series."""
    return match.next_match is None and next_options(match) is not None


def next_options(match: Match) -> Json | None:
    """The options of the next match of the series, once this one is scored; None without one."""
    if match.series is None or match.status != "scored" or match.game.series is None:
        return None
    return match.game.series.next_options(match.state, match.series.number + 1)


def _fresh_chair(chair: Chair) -> Chair:
    """A chair for the same competitor in the next match."""
    bot = None if chair.player else chair.bot
    return msgspec.structs.replace(chair, resigned=False, bot=bot, commitment=None)


def _series_score(match: Match) -> SeriesScore | None:
    """The score of the series after this match."""
    if match.series is None or match.game.series is None:
        return None
    penalties = tuple(match.game.series.penalties(match.state))
    totals = tuple(a + b for a, b in zip(match.series.penalties, penalties, strict=True))
    number = match.series.number
    over = match.game.series.next_options(match.state, number + 1) is None
    resigned_now = {seat for seat, chair in enumerate(match.chairs) if chair.resigned}
    resigned = tuple(sorted(resigned_now.union(match.series.resigned)))
    winners = _winners(totals, resigned) if over else ()
    return SeriesScore(match.series.id, number, penalties, totals, over, winners, resigned)


def _winners(totals: Sequence[int], resigned: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seats with the lowest total among those that never resigned; if all did, among all."""
    seats = range(len(totals))
    contenders = [seat for seat in seats if seat not in resigned] or list(seats)
    best = min(totals[seat] for seat in contenders)
    return tuple(seat for seat in contenders if totals[seat] == best)
