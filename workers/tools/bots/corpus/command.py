"""`annals demo-corpus`: bots play many matches of all games into the event store."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import count
from typing import Any

import click
from rich.console import Console
from rich.table import Table as Shown

from domain.engine.game import Game
from domain.games import GAMES
from service.matches.container import Annals
from service.runtime.settings import read_settings
from workers.host.errors import CannotRun
from workers.host.redis_up import redis_up
from workers.tools.bots.corpus.plans import Corpus, levels_of, match_id, table
from workers.tools.bots.corpus.player import Played, desk, get_ready, host_of_corpus, is_over, play
from workers.tools.bots.corpus.schedule import PAGE, Schedule, Standing, standing_of
from workers.tools.helpers import helpers
from workers.tools.progress import counted


@click.command("demo-corpus")
@click.option("--matches", default=2000, show_default=True, type=click.IntRange(1))
@click.option("--games", help="Such as qin,great_wall; all if none is named.")
@click.option("--levels", help="Keys, names or labels, such as easy,strong; all if none is named.")
@click.option("--seed", default=1, show_default=True, help="Another seed, another corpus.")
@click.option("--bot-seconds", default=0.1, show_default=True, type=click.FloatRange(0.01, 60))
@click.option("--processes", default=os.cpu_count() or 1, show_default=True, type=click.IntRange(1))
def demo_corpus(
    matches: int, games: str | None, levels: str | None, seed: int, bot_seconds: float,
    processes: int,
) -> None:  # fmt: skip
    """Let bots play matches of all games, with all numbers of seats, until there are so many.

    Whatever stops it, the same command goes on. Slow games are played less often.
    """
    corpus = corpus_of(games, levels, seed)
    settings = read_settings(os.environ)
    with redis_up(settings, create=True):
        annals = desk()
        host = host_of_corpus(annals.players, annals.now())
        standings = {game: standing(annals, corpus, game) for game in corpus.levels}
        there = sum(one.over for one in standings.values())
        schedule, missing = Schedule(standings), max(0, matches - there)
        if there:
            click.echo(f"{there} matches are there already.", err=True)
        with helpers(min(processes, missing or 1), get_ready) as pool:
            played = _play_all(pool, corpus, host, schedule, missing, bot_seconds, processes)
            for one in counted("matches", played, missing):
                schedule.note(one)
    Console().print(told(schedule, standings, processes))


def corpus_of(games: str | None, levels: str | None, seed: int) -> Corpus:
    """The corpus that is asked for; BadParameter if there is no such game or level."""
    chosen = [game.strip() for game in games.split(",")] if games else sorted(GAMES)
    if unknown := set(chosen) - GAMES.keys():
        known = ", ".join(sorted(GAMES))
        raise click.BadParameter(f"There is no game {min(unknown)!r}; there are {known}.")
    wanted = levels.split(",") if levels else []
    found = {game: levels_of(GAMES[game], wanted) for game in chosen}
    for game, keys in found.items():
        if not keys:
            known = ", ".join(f"{level.key} ({level.label})" for level in GAMES[game].levels)
            raise click.BadParameter(
                f"{GAMES[game].title} has none of these levels; it has {known}."
            )
    return Corpus(seed, found)


def standing(annals: Annals, corpus: Corpus, game: str) -> Standing:
    """How far a game is in the event store."""
    found: list[bool | None] = []
    for number in count():
        found.append(is_over(annals, match_id(corpus, game, number)))
        if found[-PAGE:] == [None] * PAGE:
            return standing_of(found[:-PAGE])
    raise AssertionError


def _play_all(
    pool: ProcessPoolExecutor,
    corpus: Corpus,
    host: str,
    schedule: Schedule,
    matches: int,
    seconds: float,
    processes: int,
) -> Iterator[Played]:
    """Play so many more matches, always as many at once as there are processes."""
    running: set[Future[Played]] = set()
    try:
        for begun in range(matches + 1):
            while len(running) > (0 if begun == matches else processes - 1):
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (one.result() for one in done)
            if begun < matches:
                chosen = table(corpus, *schedule.next())
                running.add(pool.submit(play, chosen, host, seconds))
    except BrokenProcessPool:
        raise CannotRun(
            "A process that played was ended, perhaps for want of memory. What was played is kept:"
            " the same command goes on."
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def told(schedule: Schedule, before: Mapping[str, Standing], processes: int) -> Shown:
    """How many matches there are of each game, and how many can be played in a minute."""
    shown = Shown("game", "matches", "new", "decisions", "s a match", "a minute")
    for game, earlier in before.items():
        now = schedule.played[game]
        seconds = schedule.seconds(game)
        shown.add_row(
            named(GAMES[game]),
            str(earlier.over + len(now)),
            str(len(now)),
            str(sum(one.decisions for one in now)),
            f"{seconds:.2f}" if now else "-",
            f"{60 * processes / seconds:.0f}" if now else "-",
        )
    return shown


def named(game: Game[Any]) -> str:
    """What a game is called, with the mode in which it is played where it has several."""
    return f"{game.title} ({getattr(game.options(), 'mode', '')})" if game.modes else game.title
