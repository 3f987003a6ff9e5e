"""Jobs: what the service does by itself for a match; nothing if the match has moved on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from os import environ
from time import monotonic

import structlog
from redis import Redis

from domain.engine.errors import Refused
from domain.match.decisions import ending, lobby, playing, undo
from domain.match.decisions.bot_failures import replace_bot
from domain.match.log import Damaged, Draft
from domain.match.scheduled_work import Work, bot_to_move, due
from domain.match.state import Match
from service import ratings
from service.matches.commands import Decision, Metadata, carry_out, continue_series
from service.matches.container import Annals, open_annals
from service.runtime import metrics
from service.runtime.settings import read_settings
from service.store.redis_client import connect
from workers.dispatch.bot_quota import Thinking
from workers.dispatch.job_queue import thinking_s
from workers.jobs.bot_move import TRIES, try_to_choose

Job = Callable[[str, int], None]
PLAY_ON_S = 0.05
"""How long a job goes on with the next bots of its match, before it is the turn of others."""
log = structlog.get_logger()


class JobFailed(Exception):
    """A job failed, and the log has the reason: what rq keeps and logs of it names nothing."""


def counted(job: Job) -> Job:
    """The same job, counted each time it is done, with the time it took; failures are logged.

    For a match that cannot be read that is one line, and all: to try again at once is no use.
    """
    kind = job.__name__

    @wraps(job)
    def counting(match_id: str, version: int) -> None:
        took, failed = metrics.JOBS.labels(kind), metrics.FAILURES.labels(kind)
        try:
            with took.time(), failed.count_exceptions():
                job(match_id, version)
        except Damaged:
            log.error("damaged", match=match_id, work=kind)
        except Exception:
            log.exception("job_failed", kind=kind, match=match_id, version=version)
            raise JobFailed(kind) from None

    return counting


@counted
def bot(match_id: str, version: int) -> None:
    """Make the move of a bot whose turn it is, and of those who come next."""
    _play(match_id, version, "bot")


@counted
def think(match_id: str, version: int) -> None:
    """Make the move of a bot whose turn it is, and who searches for it."""
    _play(match_id, version, "think")


@counted
def score(match_id: str, version: int) -> None:
    """Compute the final score."""
    _do(match_id, version, "score", lambda match, now: ending.score(match))


@counted
def rate(match_id: str, version: int) -> None:
    """Let the ratings take note of the result."""
    match = _still_due(match_id, version, "rate")
    if match is None:
        return
    if ending.given_up_early(match):
        outcome = ratings.Outcome(unrated="early_resignation")
    else:
        seats, at = ratings.competitors_of(match), match.updated_at
        outcome = ratings.rate(_ratings(), match.game.key, match_id, seats, at)
    _do(match_id, version, "rate", lambda match, now: _rated(match, outcome))


@counted
def series(match_id: str, version: int) -> None:
    """Open the next match of the series."""
    if _still_due(match_id, version, "series"):
        continue_series(_annals(), match_id)


@counted
def deadline(match_id: str, version: int) -> None:
    """Deal with those whose time is up."""
    _do(match_id, version, "deadline", playing.time_out)


@counted
def lapse(match_id: str, version: int) -> None:
    """Drop a request for an undo that was not answered."""
    _do(match_id, version, "lapse", undo.lapse)


@counted
def abort(match_id: str, version: int) -> None:
    """Close a table that nobody joined."""
    _do(match_id, version, "abort", lobby.abort)


@counted
def begin(match_id: str, version: int) -> None:
    """Start a match without the nonces that were not opened."""
    _do(match_id, version, "begin", lobby.begin)


def _play(match_id: str, version: int, work: Work) -> None:
    """Let bots move one after another, as long as this work is due, but no longer than a while."""
    until = monotonic() + PLAY_ON_S
    match = _still_due(match_id, version, work)
    while match is not None:
        match = _make_bot_move(match, work, until)


def _make_bot_move(match: Match, work: Work, until: float) -> Match | None:
    """Let the bot try: the match after its move, if the next bot is to move at once.

    If it fails it tries again later, for this work is handed out again.
    """
    seat = bot_to_move(match)
    assert seat is not None
    seconds = thinking_s(work, _annals().settings.bot_seconds)
    move = try_to_choose(_thinking(), match, seat, seconds)
    if move is not None:
        goes_on = (work,) if monotonic() < until else ()
        metadata = Metadata(f"bot:{match.chairs[seat].bot}", (match.version,), goes_on=goes_on)
        after = _record(match.id, metadata, lambda match, now: playing.move(match, move, now))
        return after if after and goes_on and work in due(after) else None
    if _thinking().tries(match.id, match.version) >= TRIES:
        _do(match.id, match.version, work, lambda match, _: replace_bot(match, seat))
    return None


def open_store() -> None:
    """Open the event store now, not with the first job; BadSetting if it cannot be used."""
    _annals()


def _do(match_id: str, version: int, work: Work, decision: Decision) -> None:
    """Record a decision, if this work is still to be done."""
    if _still_due(match_id, version, work):
        _record(match_id, Metadata(expected=(version,)), decision)


def _record(match_id: str, metadata: Metadata, decision: Decision) -> Match | None:
    """Record a decision: the match after it; None if it has moved on meanwhile, and another job
    sees to it.
    """
    try:
        return carry_out(_annals(), match_id, metadata, decision).match
    except Refused as refusal:
        log.info("job_without_effect", match=match_id, code=refusal.code)
        return None


def _still_due(match_id: str, version: int, work: Work) -> Match | None:
    """The match, if it is still at this version and this work is to be done."""
    match = _annals().matches.latest(match_id)
    return match if match.version == version and work in due(match) else None


def _rated(match: Match, outcome: ratings.Outcome) -> Draft:
    if outcome.unrated is not None:
        return ending.leave_unrated(match, outcome.unrated)
    return ending.rate(match, outcome.changes)


@cache
def _annals() -> Annals:
    return open_annals(read_settings(environ))


@cache
def _thinking() -> Thinking:
    return Thinking(connect(_annals().settings.queue_url))


@cache
def _ratings() -> Redis:
    return connect(_annals().settings.events_url)
