"""Prints what no child may inherit of a process that is about to fork, and how many threads it
has.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
from collections.abc import Sequence

from greenlet import greenlet
from redis.connection import AbstractConnection

from domain.games import GAMES
from service.http import guides
from service.runtime.settings import read_settings
from workers.host.warm_up import warm_up

MAX_GUIDES = 3
"""Of how many guides the pages are prepared: all are prepared in the same way, as are games."""


def main(_words: Sequence[str]) -> None:
    """Prepare as the parent of a service does, and print what is left."""
    for kept, many in ((1, GAMES), (MAX_GUIDES, guides.GUIDES)):
        for name in [*many][kept:]:
            del many[name]  # type: ignore[attr-defined]
    list(warm_up(read_settings(os.environ)))
    gc.unfreeze()
    found = [*filter(is_unsafe, gc.get_objects()), threading.active_count()]
    sys.stdout.writelines(f"{one}\n" for one in found)


def is_unsafe(one: object) -> bool:
    """Whether no child may inherit this: a turn, an event loop, or an open connection."""
    if isinstance(one, AbstractConnection):
        return one._sock is not None
    is_turn = isinstance(one, greenlet) and one.parent is not None
    return is_turn or isinstance(one, asyncio.AbstractEventLoop | asyncio.Future)
