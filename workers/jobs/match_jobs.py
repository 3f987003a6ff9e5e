"""Jobs that continue a match without a player; a job does nothing if its match has moved on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from os import environ
from time import monotonic

import structlog

from domain.engine.errors import Refusal
from domain.match.decisions import absence, ending, lobby, pauses, playing, proposals
from domain.match.decisions.bot_failures import replace_bot
from domain.match.log import CorruptEntry, Draft
from domain.match.outages import Decision
from domain.match.scheduled_work import QUEUE_OF, Work, bot_to_move, due_work
from domain.match.state import Match
from service import ratings
from service.accounts.client_networks import players_left_out
from service.matches.commands import Metadata, execute, open_next
from service.matches.container import Annals, open_annals
from service.runtime import metrics
from service.runtime.settings import read_settings
from service.store.redis_client import connect
from workers.dispatch.bot_quota import BotQuota
from workers.dispatch.job_queue import bot_time_s
from workers.jobs.bot_move import MAX_ATTEMPTS, try_to_choose
from workers.jobs.plans import follow_plans

Job = Callable[[str, int], None]
MAX_BOT_RUN_S = 0.05
"""How long a job continues with the next bots of its match before other matches get their turn."""
log = structlog.get_logger()


class JobFailed(Exception):
    """A job failed. The log has the reason; this error, which RQ keeps and logs, has no details."""


def measure(job: Job) -> Job:
    """Wrap a job so that its runs, time and failures are measured, and failures are logged.

    If the match is corrupt, this is one line in the log and RQ does not retry.
    """
    kind = job.__name__

    @wraps(job)
    def wrapper(match_id: str, version: int) -> None:
        took, failed = metrics.JOBS.labels(kind), metrics.FAILURES.labels(kind)
        try:
            with took.time(), failed.count_exceptions():
                job(match_id, version)
        except CorruptEntry as error:
            log.error("entry_corrupt", match=match_id, version=error.version, work=kind)
        except Exception:
            log.exception("job_failed", kind=kind, match=match_id, version=version)
            raise JobFailed(kind) from None

    return wrapper


@measure
def bot(match_id: str, version: int) -> None:
    """Make the move of a bot that is to move, and of the bots after it."""
    _play(match_id, version, "bot")


@measure
def think(match_id: str, version: int) -> None:
    """Make the move of a bot that searches."""
    _play(match_id, version, "think")


@measure
def score(match_id: str, version: int) -> None:
    """Compute the final score."""
    _carry_out(match_id, version, "score", lambda match, now: ending.score(match))


@measure
def rate(match_id: str, version: int) -> None:
    """Update the ratings with the result."""
    match = _match_if_due(match_id, version, "rate")
    if match is None:
        return
    redis = _annals().store.redis
    left_out: ratings.LeftOut = {
        "early_resignation": ending.early_leavers(match),
        "one_address": players_left_out(redis, match),
    }
    seats, at = ratings.competitors_of(match), match.updated_at
    replaced = ratings.replacements_in(match)
    outcome = ratings.rate(redis, match.game.key, match_id, seats, at, left_out, replaced)
    _carry_out(match_id, version, "rate", lambda match, now: _rating_draft(match, outcome))


@measure
def series(match_id: str, version: int) -> None:
    """Open the next match: of the series, or the one to play again."""
    if _match_if_due(match_id, version, "series"):
        open_next(_annals(), match_id)


@measure
def plan(match_id: str, version: int) -> None:
    """Carry out what players plan for the match."""
    if match := _match_if_due(match_id, version, "plan"):
        follow_plans(_annals(), match)


@measure
def deadline(match_id: str, version: int) -> None:
    """Replace the players whose time is up, or resign for them."""
    _carry_out(match_id, version, "deadline", playing.time_out)


@measure
def patience(match_id: str, version: int) -> None:
    """Record for which players the others have waited long enough."""
    _carry_out(match_id, version, "patience", absence.end_patience)


@measure
def lapse(match_id: str, version: int) -> None:
    """Drop an undo request or a proposal without an answer in time."""
    _carry_out(match_id, version, "lapse", proposals.lapse_request)


@measure
def resume(match_id: str, version: int) -> None:
    """Resume a match whose pause has lasted as long as it may."""
    _carry_out(match_id, version, "resume", pauses.resume_in_time)


@measure
def abort(match_id: str, version: int) -> None:
    """Close a table that no player joined in time."""
    _carry_out(match_id, version, "abort", lobby.abort)


@measure
def abandon(match_id: str, version: int) -> None:
    """End a match against bots that its only player has left."""
    _carry_out(match_id, version, "abandon", ending.abandon)


@measure
def begin(match_id: str, version: int) -> None:
    """Start a match without the nonces that players did not open."""
    _carry_out(match_id, version, "begin", lobby.begin)


def _play(match_id: str, version: int, work: Work) -> None:
    """Let bots move one after another while this work is due, but not longer than MAX_BOT_RUN_S."""
    until = monotonic() + MAX_BOT_RUN_S
    match = _match_if_due(match_id, version, work)
    while match is not None:
        match = _make_bot_move(match, work, until)


def _make_bot_move(match: Match, work: Work, until: float) -> Match | None:
    """Let the bot move; returns the match after its move if the next bot is to move at once.

    If the bot fails, it tries again later, because its work is handed out again.
    """
    seat = bot_to_move(match)
    assert seat is not None
    seconds = bot_time_s(work, _annals().settings.bot_seconds)
    move = try_to_choose(_quota(), match, seat, seconds)
    if move is not None:
        goes_on = (work,) if monotonic() < until else ()
        metadata = Metadata(f"bot:{match.chairs[seat].bot}", (match.version,), claims=goes_on)
        after = _record(match.id, metadata, lambda match, now: playing.move(match, move, now))
        return after if after and goes_on and work in due_work(after) else None
    if _quota().count_attempts(match.id, match.version) >= MAX_ATTEMPTS:
        _carry_out(match.id, match.version, work, lambda match, _: replace_bot(match, seat))
    return None


def open_store() -> None:
    """Open the event store at startup. Raises BadSetting if it cannot be used."""
    _annals()


def _carry_out(match_id: str, version: int, work: Work, decision: Decision) -> None:
    """Record a decision if this work is still due.

    A deadline must not count an outage that is too short or too recent to be known here, such as a
    restart of Redis.
    """
    if _match_if_due(match_id, version, work):
        if QUEUE_OF[work] == "deadlines":
            _annals().store.uptime.forget()
        _record(match_id, Metadata(expected=(version,)), decision)


def _record(match_id: str, metadata: Metadata, decision: Decision) -> Match | None:
    """Record a decision and return the match after it; None if the match has moved on, so that
    another job continues it.
    """
    try:
        return execute(_annals(), match_id, metadata, decision).match
    except Refusal as refusal:
        log.info("job_without_effect", match=match_id, code=refusal.code)
        return None


def _match_if_due(match_id: str, version: int, work: Work) -> Match | None:
    """Return the match, if it is still at this version and this work is due; otherwise None. The
    match does not say whether a plan is due.
    """
    match = _annals().matches.latest(match_id)
    is_due = work == "plan" or work in due_work(match)
    return match if match.version == version and is_due else None


def _rating_draft(match: Match, outcome: ratings.Outcome) -> Draft:
    if outcome.unrated is not None:
        return ending.leave_unrated(match, outcome.unrated)
    return ending.rate(match, outcome.changes)


@cache
def _annals() -> Annals:
    return open_annals(read_settings(environ))


@cache
def _quota() -> BotQuota:
    return BotQuota(connect(_annals().settings.queue_url))
