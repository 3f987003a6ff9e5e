"""A bot chooses its move; when it fails, that is noted, and nothing more than that happens."""

from __future__ import annotations

from time import monotonic
from traceback import extract_tb

import structlog

from domain.engine.bots import random_bot, sight_of
from domain.engine.dice import Luck
from domain.engine.game import Bot, judge
from domain.engine.play import Move, Seat
from domain.match.dice import KeyedDice
from domain.match.state import Match
from service.runtime import metrics
from workers.dispatch.bot_quota import Thinking

TRIES = 3
"""How often a bot may fail at the same turn, until a simpler one plays in its place."""

FRAMES = 5
log = structlog.get_logger()


def try_to_choose(thinking: Thinking, match: Match, seat: Seat, seconds: float) -> Move | None:
    """The move of the bot on this seat; None if it fails, or workers were killed while it thought
    as often as it may fail.
    """
    if thinking.begin(match.id, match.version) > TRIES:
        return None
    began = monotonic()
    try:
        move = choose(match, seat, seconds)
    except Exception as error:  # whatever is wrong with a bot, or with its time
        _note_failure(match, seat, error)
        thinking.spend(match.host, monotonic() - began)
        return None
    thinking.end(match.id, match.version, match.host, monotonic() - began)
    return move


def choose(match: Match, seat: Seat, seconds: float) -> Move:
    """The move of the bot on this seat, who has so many seconds; raises whatever the bot raises,
    or Refused if its move is not allowed.
    """
    level = match.chairs[seat].bot or ""
    purpose = f"bot{seat}"  # dice of its own: thinking must not use up those of the match
    point = match.line[-1].version  # no entry but a move gives it other luck
    luck = Luck(KeyedDice(match.dice_key, point, purpose).below(1 << 53))
    until = monotonic() + seconds
    sight = sight_of(match.game, match.state, seat, luck, lambda: monotonic() > until)
    bot = random_bot if seat in match.left_to_chance else _bot(match, level)
    with metrics.THINKING.labels(match.game.key, level).time():
        move: Move = bot(sight)
    judge(match.game, match.state, move)
    return move


def _bot(match: Match, level: str) -> Bot:
    """The bot that plays at this level."""
    return next(known.bot for known in match.game.levels if known.key == level)


def _note_failure(match: Match, seat: Seat, error: Exception) -> None:
    """Count a failure and log where it was; what an error says may be secret, and long."""
    level = match.chairs[seat].bot or ""
    metrics.BOT_FAILURES.labels(match.game.key, level).inc()
    frames = extract_tb(error.__traceback__)[-FRAMES:]
    log.warning(
        "bot_failed",
        match=match.id,
        version=match.version,
        seat=seat,
        level=level,
        error=type(error).__name__,
        at=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    )
