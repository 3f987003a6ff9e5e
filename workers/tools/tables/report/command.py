"""`annals report`: writes a page about the matches of a game."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from domain.games import GAMES
from service.matches.container import open_annals
from service.store.archive.targets import open_target
from workers.host.errors import CannotRun
from workers.host.optional_packages import require_duckdb
from workers.host.redis.on_demand import running_redis
from workers.tools.progress import show_progress
from workers.tools.running_store import read_service_settings
from workers.tools.scratch_folder import scratch_folder
from workers.tools.tables.export import Export, ExportOptions
from workers.tools.tables.questions import CORPUS, QUESTIONS
from workers.tools.tables.questions.answers import Row, answer
from workers.tools.tables.report.page import AnsweredQuestion, render_page

MIN_MATCHES = 20
"""With fewer matches a report would say nothing."""


@click.command()
@click.argument("game", type=click.Choice(sorted(GAMES)))
@click.option(
    "--from", "place", help="Place of exported tables; default: the matches of the service."
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Default: GAME.html.")
@click.option(
    "--analyse",
    is_flag=True,
    help="First analyse the matches of the service, for the parts about luck.",
)
@click.option("--processes", type=click.IntRange(1), default=os.cpu_count(), show_default=True)
def report(game: str, place: str | None, out: Path | None, analyse: bool, processes: int) -> None:
    """Write a page about GAME: who wins, with what, how games end, and how much luck matters.

    The page is one file that loads nothing else.
    """
    require_duckdb("A report")
    with _open_tables(place, analyse, processes) as tables:
        written = build_page(game, tables)
    out = out or Path(f"{game}.html")
    try:
        out.write_text(written, "utf-8")
    except OSError as error:
        raise CannotRun(f"Cannot write {out}: {error.strerror or error}.") from None
    click.echo(f"{out}: the report about {GAMES[game].title}")


def build_page(game: str, tables: str) -> str:
    """Return the page about a game from the tables in a place. Raises CannotRun if there are too
    few matches.
    """
    corpus = read_totals(game, tables)
    asking = show_progress("questions", QUESTIONS.values(), len(QUESTIONS))
    found = [AnsweredQuestion(one, answer(tables, one.sql, game).get(game, [])) for one in asking]
    return render_page(GAMES[game].title, corpus, found)


def read_totals(game: str, tables: str) -> Row:
    """Return the totals of a game. Raises CannotRun if there are too few matches."""
    found = answer(tables, CORPUS, game).get(game)
    matches = found[0]["matches"] if found else 0
    if not found or matches < MIN_MATCHES:
        raise CannotRun(
            f"A report needs {MIN_MATCHES} matches, but {matches} of {GAMES[game].title} count."
            f" To let bots play some, run `annals corpus --games {game}`."
        )
    return found[0]


@contextmanager
def _open_tables(place: str | None, analyse: bool, processes: int) -> Iterator[str]:
    """Yield the place with the tables; without a place, tables of the current matches in a
    temporary folder.
    """
    if place:
        yield place
        return
    settings = read_service_settings(os.environ)
    with running_redis(settings), scratch_folder() as folder:
        target = open_target(str(folder), "--from")
        Export(open_annals(settings), target, ExportOptions("parquet", analyse=analyse)).run(
            processes
        )
        yield str(folder)
