"""At its end a corpus shows the number of matches and the pace."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from domain.games import GAMES
from workers.tools.bots.corpus.command import summary_table
from workers.tools.bots.corpus.player import PlayedMatch
from workers.tools.bots.corpus.schedule import GameProgress, Schedule

THERE = GameProgress(over=3, unfinished=(), missing=(), next=3)


@pytest.mark.parametrize("game", GAMES)
def test_the_table_has_mode_and_pace(game: str) -> None:
    schedule = Schedule({game: THERE})
    schedule.record(PlayedMatch(game, 50, 2.0))
    console = Console(width=120, record=True, file=StringIO())
    console.print(summary_table(schedule, {game: THERE}, processes=2))
    [line] = [line for line in console.export_text().splitlines() if GAMES[game].title in line]
    mode = getattr(GAMES[game].options(), "mode", None)
    assert (f"({mode})" in line) == bool(GAMES[game].seats_by_mode)
    numbers = [cell.strip() for cell in line.split("\u2502")[2:-1]]
    assert numbers == ["4", "1", "50", "2.00", "60"]
