"""The end: final scoring, ratings, and the next match of a series."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.engine.game import Json
from domain.engine.play import Seat
from domain.engine.scoring import Line, Scoring, ranks
from domain.match.decisions.lobby import Plan
from domain.match.errors import Impossible
from domain.match.events import Aborted, Continued, Rated, RatingChange, Scored, Unrated
from domain.match.log import Draft
from domain.match.state import Chair, Match, SeriesPlace, SeriesScore, WhyClosed, WhyUnrated


def score(match: Match) -> Draft:
    """The final score: seats that resigned come after all others. Reveals the seed."""
    if match.status != "ended":
        raise Impossible("not_due", "There is nothing to score.")
    return Draft("Scored", (Scored(final(match), match.seed.hex(), _series_score(match)),))


def final(match: Match) -> Scoring:
    """The score of the game as the match counts it."""
    scoring = match.game.scoring(match.state)
    places = ranks([(not match.chairs[line.seat].resigned, -line.rank) for line in scoring.lines])
    best = 2 if scoring.won is False else 1  # nobody is first of a table that has lost
    lines = tuple(
        msgspec.structs.replace(line, rank=rank - 1 + best)
        for line, rank in zip(scoring.lines, places, strict=True)
    )
    return msgspec.structs.replace(scoring, reason=_why(match, scoring), lines=lines)


def _why(match: Match, scoring: Scoring) -> str:
    """How the game ended: as the game says, unless the match ended before it."""
    ended = match.end_reason or "rules"
    return scoring.reason if ended == "rules" else ended


def close(match: Match, why: WhyClosed) -> Draft:
    """Let a match come to nothing, open or in play, as whoever runs the service wants it."""
    if match.status not in ("open", "active"):
        raise Impossible("not_due", "The match has ended already.")
    return Draft("Aborted", (Aborted("operator", match.seed.hex(), why),))


def rate(match: Match, changes: Sequence[RatingChange]) -> Draft:
    """Note how the ratings changed by this match."""
    if not rateable(match) or match.rated:
        raise Impossible("not_due", "There is nothing to rate.")
    return Draft("Rated", (Rated(tuple(changes)),))


def leave_unrated(match: Match, reason: WhyUnrated) -> Draft:
    """Note why the result does not count for the ratings after all."""
    if not rateable(match) or match.rated:
        raise Impossible("not_due", "There is nothing to rate.")
    return Draft("Unrated", (Unrated(reason),))


def given_up_early(match: Match) -> bool:
    """Whether somebody resigned who had made no move: they may have sat down by accident."""
    moved = {point.player for point in match.line}
    return any(chair.resigned and chair.player not in moved for chair in match.chairs)


def rateable(match: Match) -> bool:
    """Whether the result counts for the ratings."""
    return match.status == "scored" and match.unrated is None


def competitors(match: Match) -> list[str]:
    """Who is rated for each seat: its player, or `bot:<level>` if it never had one."""
    return [chair.player or f"bot:{chair.bot}" for chair in match.chairs]


def places(match: Match) -> list[Line]:
    """The lines of the final score; only once it is scored."""
    assert match.scoring
    return list(match.scoring.lines)


def sequel(match: Match, expires: int) -> Plan | None:
    """The plan of the next match of the series, if there is one to come (QIN-11)."""
    options = next_options(match)
    if options is None or match.series is None:
        return None
    so_far = match.series_score
    assert so_far
    place = SeriesPlace(so_far.id, so_far.number + 1, so_far.totals, so_far.resigned)
    return Plan(
        match=f"{place.id}-{place.number}",
        host=match.host,
        chairs=tuple(_fresh(chair) for chair in match.chairs),
        options=options,
        undo=match.undo_policy,
        clock=match.clock_rule,
        on_timeout=match.on_timeout,
        substitute=match.substitute,
        visibility=match.visibility,
        series=place,
        expires=expires,
    )


def continued(match: Match, following: str) -> Draft:
    """Note which match of the series follows."""
    if match.next_match is not None or next_options(match) is None:
        raise Impossible("not_due", "No match follows, or it is open already.")
    return Draft("Continued", (Continued(following),))


def next_options(match: Match) -> Json | None:
    """The options of the next match of the series, once this one is scored."""
    if match.series is None or match.status != "scored" or match.game.sequels is None:
        return None
    return match.game.sequels.options(match.state, match.series.number + 1)


def _fresh(chair: Chair) -> Chair:
    """The same competitor, back at the table."""
    bot = None if chair.player else chair.bot
    return msgspec.structs.replace(chair, resigned=False, bot=bot, commitment=None)


def _series_score(match: Match) -> SeriesScore | None:
    """The totals of the series after this match."""
    if match.series is None or match.game.sequels is None:
        return None
    penalties = tuple(match.game.sequels.penalties(match.state))
    totals = tuple(a + b for a, b in zip(match.series.penalties, penalties, strict=True))
    number = match.series.number
    over = match.game.sequels.options(match.state, number + 1) is None
    gone = {seat for seat, chair in enumerate(match.chairs) if chair.resigned}
    resigned = tuple(sorted(gone.union(match.series.resigned)))
    winners = _winners(totals, resigned) if over else ()
    return SeriesScore(match.series.id, number, penalties, totals, over, winners, resigned)


def _winners(totals: Sequence[int], resigned: Sequence[Seat]) -> tuple[Seat, ...]:
    """The lowest total wins, among those who never resigned; if all did, among all."""
    seats = range(len(totals))
    contenders = [seat for seat in seats if seat not in resigned] or list(seats)
    best = min(totals[seat] for seat in contenders)
    return tuple(seat for seat in contenders if totals[seat] == best)
