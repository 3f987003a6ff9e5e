"""Plays one match of a corpus from wherever it stands to its end, in one process."""

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
from domain.match.scheduled_work import Work, bot_to_move, due
from domain.match.state import Chair, Match
from service.accounts.players import Players
from service.matches.commands import Decision, Metadata, carry_out, create, lobby_expiry
from service.matches.container import Annals, open_annals
from service.runtime.errors import Contended, KeyReused, NameTaken, StaleVersion
from service.runtime.logs import write_logs
from service.runtime.settings import read_settings
from workers.dispatch.job_queue import QUICK_S
from workers.jobs import match_jobs
from workers.jobs.bot_move import choose
from workers.tools.bots.corpus.plans import NAME, Table

TURNS: tuple[Work, ...] = ("bot", "think")
OVER = ("Rated", "Unrated", "Aborted")
"""The kinds of the last entry of a match that surely needs nothing more."""


class Played(msgspec.Struct, frozen=True):
    """A match that has been played to its end, and what that took."""

    game: str
    decisions: int
    seconds: float


@cache
def desk() -> Annals:
    """The service of this process."""
    return without_limits(open_annals(read_settings(environ)))


def without_limits(annals: Annals) -> Annals:
    """The same service, with no limits to the tables of one host."""
    return replace(annals, settings=replace(annals.settings, max_tables=0, max_bot_tables=0))


def get_ready() -> None:
    """Be ready to play."""
    write_logs("error")
    desk()
    match_jobs.open_store()


def host_of_corpus(players: Players, now: int) -> str:
    """The id of the player whose tables these are: registered once, and nobody has their token."""
    if (known := players.by_name(NAME)) is None:
        try:
            known, _ = players.register(NAME, now)
        except NameTaken:  # by another such command just now
            known = players.by_name(NAME)
        assert known
        players.tokens.revoke_all(known.id)
    return known.id


def is_over(annals: Annals, match: str) -> bool | None:
    """Whether nothing is left to do for a match; None if there is no such match."""
    version = annals.store.version(match)
    if not version:
        return None
    [last] = annals.store.read(match, after=version - 1, to=version)
    return last.kind in OVER or not due(annals.matches.latest(match))


def play(table: Table, host: str, seconds: float) -> Played:
    """Open a table, unless it is open, and play it until nothing is left to do: bots that search
    have so many seconds for a move. Others may work at the same match: what they do is done.
    """
    annals, began, decided = desk(), monotonic(), 0
    if not annals.store.version(table.match):
        _open(annals, table, host)
    while work := due(match := annals.matches.latest(table.match)):
        if (seat := bot_to_move(match)) is not None:
            decided += _recorded(annals, match, _turn(match, seat, seconds))
        else:
            _do(match, next(iter(work)))
    return Played(table.game, decided, monotonic() - began)


def _open(annals: Annals, table: Table, host: str) -> None:
    plan = Plan(
        match=table.match,
        host=host,
        chairs=tuple(Chair(bot=level) for level in table.levels),
        options=table.options,
        expires=lobby_expiry(annals),
    )
    with suppress(KeyReused):  # it is open by now
        create(annals, plan, GAMES[table.game], Metadata(host, goes_on=TURNS))


def _turn(match: Match, seat: Seat, seconds: float) -> Decision:
    """What the bot on this seat does; if it fails, another one takes its place as it does at other
    tables.
    """
    level = next(known for known in match.game.levels if known.key == match.chairs[seat].bot)
    try:
        move: Move = choose(match, seat, seconds if level.deep else QUICK_S)
    except Exception:  # whatever is wrong with a bot
        return lambda match, _: replace_bot(match, seat)
    return lambda match, now: playing.move(match, move, now)


def _recorded(annals: Annals, match: Match, decision: Decision) -> bool:
    """Record a turn; whether nobody else was faster."""
    seat = bot_to_move(match)
    actor = f"bot:{match.chairs[seat or 0].bot}"
    try:
        carry_out(annals, match.id, Metadata(actor, (match.version,), goes_on=TURNS), decision)
    except (Contended, StaleVersion):
        return False
    return True


def _do(match: Match, work: Work) -> None:
    """Do what the service does by itself, as its workers do it."""
    job: match_jobs.Job = getattr(match_jobs, work)
    job(match.id, match.version)
