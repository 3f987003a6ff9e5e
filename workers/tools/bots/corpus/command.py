"""`annals corpus`: lets bots play many matches of all games into the event store."""

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
from workers.host.errors import CannotRun
from workers.host.redis.on_demand import running_redis
from workers.tools.bots.corpus.plans import Corpus, corpus_match_id, levels_of, plan_table
from workers.tools.bots.corpus.player import (
    PlayedMatch,
    corpus_host,
    is_over,
    open_service,
    play,
    prepare_process,
)
from workers.tools.bots.corpus.schedule import MAX_GAP, GameProgress, Schedule, build_progress
from workers.tools.helpers import helper_pool
from workers.tools.progress import show_progress
from workers.tools.running_store import read_service_settings
from workers.tools.stopping import stoppable


@click.command()
@click.option("--matches", default=2000, show_default=True, type=click.IntRange(1))
@click.option("--games", help="Games such as qin,great_wall; default: all.")
@click.option("--levels", help="Keys, names or labels such as easy,strong; default: all.")
@click.option("--seed", default=1, show_default=True, help="Each seed makes another corpus.")
@click.option("--bot-seconds", default=0.1, show_default=True, type=click.FloatRange(0.01, 60))
@click.option("--processes", default=os.cpu_count() or 1, show_default=True, type=click.IntRange(1))
def corpus(
    matches: int, games: str | None, levels: str | None, seed: int, bot_seconds: float,
    processes: int,
) -> None:  # fmt: skip
    """Let bots play matches of all games with all numbers of seats, until there are enough.

    If it is interrupted, the same command continues. Slow games are played less often.
    """
    plan = choose_corpus(games, levels, seed)
    settings = read_service_settings(os.environ)
    with running_redis(settings, create=True):
        annals = open_service()
        host = corpus_host(annals.players, annals.now())
        standings = {game: read_progress(annals, plan, game) for game in plan.levels}
        over = sum(one.over for one in standings.values())
        schedule, missing = Schedule(standings), max(0, matches - over)
        if over:
            click.echo(f"{over} matches exist already.", err=True)
        with (
            stoppable() as stop,
            helper_pool(min(processes, missing or 1), prepare_process) as pool,
        ):
            played = _play_all(pool, plan, host, schedule, missing, bot_seconds, processes)
            for one in show_progress("matches", played, missing):
                schedule.record(one)
    Console().print(summary_table(schedule, standings, processes))
    if stop.requested:
        raise CannotRun("Stopped: the same command continues.")


def choose_corpus(games: str | None, levels: str | None, seed: int) -> Corpus:
    """Return the requested corpus. Raises BadParameter for an unknown game or level."""
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


def read_progress(annals: Annals, corpus: Corpus, game: str) -> GameProgress:
    """Return how many matches of a game the event store already has."""
    found: list[bool | None] = []
    for number in count():
        found.append(is_over(annals, corpus_match_id(corpus, game, number)))
        if found[-MAX_GAP:] == [None] * MAX_GAP:
            return build_progress(found[:-MAX_GAP])
    raise AssertionError


def _play_all(
    pool: ProcessPoolExecutor,
    corpus: Corpus,
    host: str,
    schedule: Schedule,
    matches: int,
    seconds: float,
    processes: int,
) -> Iterator[PlayedMatch]:
    """Play more matches, always as many at once as there are processes."""
    running: set[Future[PlayedMatch]] = set()
    try:
        for started in range(matches + 1):
            while len(running) > (0 if started == matches else processes - 1):
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (one.result() for one in done)
            if started < matches:
                chosen = plan_table(corpus, *schedule.next())
                running.add(pool.submit(play, chosen, host, seconds))
    except BrokenProcessPool:
        raise CannotRun(
            "A helper process was killed, perhaps because memory ran out. Finished matches are"
            " stored: run the same command again to continue."
        ) from None


def summary_table(schedule: Schedule, before: Mapping[str, GameProgress], processes: int) -> Shown:
    """Return a table with the number of matches of each game, and how many can be played in a
    minute.
    """
    shown = Shown("game", "matches", "new", "decisions", "s a match", "a minute")
    for game, earlier in before.items():
        now = schedule.played[game]
        seconds = schedule.seconds(game)
        shown.add_row(
            title_of(GAMES[game]),
            str(earlier.over + len(now)),
            str(len(now)),
            str(sum(one.decisions for one in now)),
            f"{seconds:.2f}" if now else "-",
            f"{60 * processes / seconds:.0f}" if now else "-",
        )
    return shown


def title_of(game: Game[Any]) -> str:
    """Return the title of a game, with the mode that is played if it has several."""
    return (
        f"{game.title} ({getattr(game.options(), 'mode', '')})"
        if game.seats_by_mode
        else game.title
    )
