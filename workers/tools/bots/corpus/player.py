"""Plays one match of a corpus from its current state to its end, in one process."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from os import environ
from time import monotonic

import msgspec

from domain.engine.play import Move, Seat
from domain.games import GAMES
from domain.match.decisions import playing
from domain.match.decisions.bot_failures import replace_bot
from domain.match.decisions.lobby import Plan
from domain.match.outages import Decision
from domain.match.scheduled_work import Work, bot_to_move, due_work
from domain.match.state import Chair, Match
from service.accounts.players import Players
from service.matches.commands import Metadata, create, execute, lobby_expiry
from service.matches.container import Annals, open_annals
from service.runtime.errors import KeyReused, NameTaken, StaleVersion, WriteConflict
from service.runtime.logs import configure_logs
from workers.dispatch.job_queue import QUICK_BOT_S
from workers.jobs import match_jobs
from workers.jobs.bot_move import choose_move
from workers.tools.bots.corpus.plans import HOST_NAME, Table
from workers.tools.running_store import read_service_settings

TURNS: tuple[Work, ...] = ("bot", "think")
LAST_KINDS = ("Rated", "Unrated", "Aborted")
"""The kinds of last entries after which a match needs nothing more."""


class PlayedMatch(msgspec.Struct, frozen=True):
    """A finished match, and the effort that it took."""

    game: str
    decisions: int
    seconds: float


@cache
def open_service() -> Annals:
    """Return the service of this process."""
    return without_limits(open_annals(read_service_settings(environ)))


def without_limits(annals: Annals) -> Annals:
    """Return the service without limits to the tables of a host."""
    return replace(annals, settings=replace(annals.settings, max_tables=0, max_bot_tables=0))


def prepare_process() -> None:
    """Prepare a helper process."""
    configure_logs("error")
    open_service()
    match_jobs.open_store()


def corpus_host(players: Players, now: int) -> str:
    """Return the id of the player who hosts these tables; registered once, without a token."""
    if (known := players.by_name(HOST_NAME)) is None:
        try:
            known, _ = players.register(HOST_NAME, now)
        except NameTaken:  # another such command was faster
            known = players.by_name(HOST_NAME)
        assert known
        players.tokens.revoke_all(known.id)
    return known.id


def is_over(annals: Annals, match: str) -> bool | None:
    """Return whether a match needs nothing more, or None if there is no such match."""
    version = annals.store.version(match)
    if not version:
        return None
    [last] = annals.store.read(match, after=version - 1, to=version)
    return last.kind in LAST_KINDS or not due_work(annals.matches.latest(match))


def play(table: Table, host: str, seconds: float) -> PlayedMatch:
    """Open a table, unless it is open, and play it to its end; bots that search have `seconds` for
    a move.

    Workers of the service may play the same match: their moves count.
    """
    annals, began, decisions = open_service(), monotonic(), 0
    if not annals.store.version(table.match):
        _open_table(annals, table, host)
    while work := due_work(match := annals.matches.latest(table.match)):
        if (seat := bot_to_move(match)) is not None:
            decisions += _record_turn(annals, match, _bot_decision(match, seat, seconds))
        else:
            _run_job(match, next(iter(work)))
    return PlayedMatch(table.game, decisions, monotonic() - began)


def _open_table(annals: Annals, table: Table, host: str) -> None:
    plan = Plan(
        match=table.match,
        host=host,
        chairs=tuple(Chair(bot=level) for level in table.levels),
        options=table.options,
        expires=lobby_expiry(annals),
    )
    with suppress(KeyReused):  # it is already open
        create(annals, plan, GAMES[table.game], Metadata(host, claims=TURNS))


def _bot_decision(match: Match, seat: Seat, seconds: float) -> Decision:
    """Return the decision of the bot on this seat; if it fails, a simpler bot replaces it, as at
    other tables.
    """
    level = next(known for known in match.game.levels if known.key == match.chairs[seat].bot)
    try:
        move: Move = choose_move(match, seat, seconds if level.deep else QUICK_BOT_S)
    except Exception:  # a bot may fail in any way
        return lambda match, _: replace_bot(match, seat)
    return lambda match, now: playing.move(match, move, now)


def _record_turn(annals: Annals, match: Match, decision: Decision) -> bool:
    """Record a turn; False if another writer appended first."""
    seat = bot_to_move(match)
    actor = f"bot:{match.chairs[seat or 0].bot}"
    try:
        execute(annals, match.id, Metadata(actor, (match.version,), claims=TURNS), decision)
    except (WriteConflict, StaleVersion):
        return False
    return True


def _run_job(match: Match, work: Work) -> None:
    """Run a job of the workers for this match."""
    job: match_jobs.Job = getattr(match_jobs, work)
    job(match.id, match.version)
