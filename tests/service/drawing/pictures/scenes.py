"""Pictures that need no game, and the processes that draw them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from domain.engine.drawing import svg
from service.drawing.pictures.inputs import Drawing

TITLE = "annals painter"


def words(view: str, _words: object) -> str:
    """This text as a picture of 200 by 100."""
    return svg.document(200, 100, "", "", svg.text(20, 60, view, 40))


def fail(view: str, _words: object) -> str:
    raise ValueError(f"nobody can draw {view}")


def ending(view: str, _words: object) -> str:
    """The process that draws this exits."""
    os._exit(1)


def picture(view: str = "Qin", draw: Any = words, **more: Any) -> Drawing:
    return Drawing(draw, view, more.pop("form", "svg"), **more)


def painters(parent: int | None = None) -> list[int]:
    """The ids of the painters of a process, by default of this one."""
    return [pid for pid in _children(parent or os.getpid()) if _is_painter(pid)]


def _children(parent: int) -> Iterator[int]:
    for task in Path(f"/proc/{parent}/task").glob("*/children"):
        with suppress(OSError):
            yield from map(int, task.read_text().split())


def _is_painter(pid: int) -> bool:
    with suppress(OSError):
        return TITLE in Path(f"/proc/{pid}/cmdline").read_text()
    return False
