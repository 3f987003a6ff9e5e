"""Lets a bot choose its move; a failure is counted and logged, and has no other effect."""

from __future__ import annotations

from time import monotonic
from traceback import extract_tb

import structlog

from domain.engine.bots import bot_view
from domain.engine.dice import Luck
from domain.engine.game import Bot, judge, random_bot
from domain.engine.play import Move, Seat
from domain.match.decisions import lessons
from domain.match.dice import KeyedDice
from domain.match.state import Match
from service.runtime import metrics
from workers.dispatch.bot_quota import BotQuota

MAX_ATTEMPTS = 3
"""Number of failures of a bot at the same turn before a simpler bot takes its place."""

MAX_FRAMES = 5
log = structlog.get_logger()


def try_to_choose(quota: BotQuota, match: Match, seat: Seat, seconds: float) -> Move | None:
    """Return the move of the bot on this seat, or None if it fails, or if workers were killed
    during too many attempts.
    """
    if quota.begin_attempt(match.id, match.version) > MAX_ATTEMPTS:
        return None
    began = monotonic()
    try:
        move = choose_move(match, seat, seconds)
    except Exception as error:  # a bot may fail in any way, or run out of time
        _report_failure(match, seat, error)
        quota.charge(match.host, monotonic() - began)
        return None
    quota.end_attempt(match.id, match.version, match.host, monotonic() - began)
    return move


def choose_move(match: Match, seat: Seat, seconds: float) -> Move:
    """Return the move of the bot on this seat within `seconds`; in a lesson its reply, if that is
    legal. Raises what the bot raises, or Refusal if the move is illegal.
    """
    if reply := lessons.scripted_move(match, seat):
        return reply
    level = match.chairs[seat].bot or ""
    purpose = f"bot{seat}"  # separate dice: thinking must not use those of the match
    point = match.line[-1].version  # only a move changes the luck of the bot, not other entries
    luck = Luck(KeyedDice(match.dice_key, point, purpose).below(1 << 53))
    until = monotonic() + seconds
    view = bot_view(match.game, match.state, seat, luck, lambda: monotonic() > until)
    bot = random_bot if seat in match.random_seats else _find_bot(match, level)
    with metrics.BOT_SECONDS.labels(match.game.key, level).time():
        move: Move = bot(view)
    judge(match.game, match.state, move)
    return move


def _find_bot(match: Match, level: str) -> Bot:
    """Return the bot of this level."""
    return next(known.bot for known in match.game.levels if known.key == level)


def _report_failure(match: Match, seat: Seat, error: Exception) -> None:
    """Count a failure and log where it happened; the message of the error may be long or contain
    secrets.
    """
    level = match.chairs[seat].bot or ""
    metrics.BOT_FAILURES.labels(match.game.key, level).inc()
    frames = extract_tb(error.__traceback__)[-MAX_FRAMES:]
    log.warning(
        "bot_failed",
        match=match.id,
        version=match.version,
        seat=seat,
        level=level,
        error=type(error).__name__,
        at=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    )
