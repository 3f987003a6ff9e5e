"""In the end a corpus tells how many matches there are, and how fast they are played."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from domain.games import GAMES
from workers.tools.bots.corpus.command import told
from workers.tools.bots.corpus.player import Played
from workers.tools.bots.corpus.schedule import Schedule, Standing

THERE = Standing(over=3, begun=(), missing=(), next=3)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_played_is_told_with_its_mode_and_pace(game: str) -> None:
    schedule = Schedule({game: THERE})
    schedule.note(Played(game, 50, 2.0))
    console = Console(width=120, record=True, file=StringIO())
    console.print(told(schedule, {game: THERE}, processes=2))
    [line] = [line for line in console.export_text().splitlines() if GAMES[game].title in line]
    mode = getattr(GAMES[game].options(), "mode", None)
    assert (f"({mode})" in line) == bool(GAMES[game].modes)
    numbers = [cell.strip() for cell in line.split("\u2502")[2:-1]]
    assert numbers == ["4", "1", "50", "2.00", "60"]
