"""`annals report`: what the matches of a game say, as one page."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from domain.games import GAMES
from service.matches.container import open_annals
from service.runtime.settings import read_settings
from service.store.archive.targets import target_at
from workers.host.errors import CannotRun
from workers.host.redis_up import redis_up
from workers.tools.progress import counted
from workers.tools.tables.export import Export, Wanted
from workers.tools.tables.parts.formats import require_duckdb
from workers.tools.tables.questions import CORPUS, QUESTIONS
from workers.tools.tables.questions.answers import Row, answers
from workers.tools.tables.report.page import Answered, page

FEWEST = 20
"""Fewer matches say nothing."""


@click.command()
@click.argument("game", type=click.Choice(sorted(GAMES)))
@click.option("--from", "place", help="Exported tables; without it, the matches of the service.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="GAME.html otherwise.")
@click.option("--analyse", is_flag=True, help="Analyse matches of the service first: for luck.")
@click.option("--processes", type=click.IntRange(1), default=os.cpu_count(), show_default=True)
def report(game: str, place: str | None, out: Path | None, analyse: bool, processes: int) -> None:
    """Write a page about GAME: who wins, by what, how games end, what luck does.

    It can be opened anywhere, and loads nothing.
    """
    require_duckdb("A report")
    with _tables(place, analyse, processes) as tables:
        written = page_of(game, tables)
    out = out or Path(f"{game}.html")
    try:
        out.write_text(written, "utf-8")
    except OSError as error:
        raise CannotRun(f"Cannot write {out}: {error.strerror or error}.") from None
    click.echo(f"{out}: what the matches of {GAMES[game].title} say")


def page_of(game: str, tables: str) -> str:
    """The page about a game by the tables in a place; CannotRun if there are too few matches."""
    corpus = corpus_of(game, tables)
    asking = counted("questions", QUESTIONS.values(), len(QUESTIONS))
    found = [Answered(one, answers(tables, one.sql, game).get(game, [])) for one in asking]
    return page(GAMES[game].title, corpus, found)


def corpus_of(game: str, tables: str) -> Row:
    """What there is of a game; CannotRun if that is too little."""
    found = answers(tables, CORPUS, game).get(game)
    matches = found[0]["matches"] if found else 0
    if not found or matches < FEWEST:
        raise CannotRun(
            f"A report needs {FEWEST} matches, and there are {matches} of {GAMES[game].title} that"
            f" count. `annals demo-corpus --games {game}` lets bots play some."
        )
    return found[0]


@contextmanager
def _tables(place: str | None, analyse: bool, processes: int) -> Iterator[str]:
    """Where the tables are: those that are there, or of the matches that there are now."""
    if place:
        yield place
        return
    settings = read_settings(os.environ)
    with redis_up(settings), TemporaryDirectory(prefix="annals-report-") as folder:
        target = target_at(folder, "--from")
        Export(open_annals(settings), target, Wanted("parquet", analyse=analyse)).run(processes)
        yield folder
