"""How far a long command is: a line that changes on a terminal, a line for each tenth elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

T = TypeVar("T")
TENTHS = 10


def counted(what: str, things: Iterable[T], total: int) -> Iterator[T]:
    """The same things, while standard error tells how many of them there have been."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    columns = (TextColumn(what), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, redirect_stdout=False,
        disable=not console.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task(what, total=total)
        told = 0
        for done, thing in enumerate(things, 1):
            yield thing
            progress.update(task, completed=done)
            if not console.is_terminal and (tenths := TENTHS * done // max(total, 1)) > told:
                told = tenths
                console.print(f"{what} {done} of {total}")
