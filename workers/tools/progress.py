"""Shows the progress of a long command: a changing line on a terminal, otherwise a line for each
tenth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

T = TypeVar("T")
STEPS = 10


def show_progress(unit: str, things: Iterable[T], total: int) -> Iterator[T]:
    """Yield the same things, and show on standard error how many have been yielded."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    columns = (TextColumn(unit), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, redirect_stdout=False,
        disable=not console.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task(unit, total=total)
        printed = 0
        for done, thing in enumerate(things, 1):
            yield thing
            progress.update(task, completed=done)
            if not console.is_terminal and (tenths := STEPS * done // max(total, 1)) > printed:
                printed = tenths
                console.print(f"{unit} {done} of {total}")
