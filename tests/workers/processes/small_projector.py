"""A projector as its own process; it may lack the work of one of its threads."""

from __future__ import annotations

import os
from collections.abc import Sequence

from service.runtime.logs import configure_logs
from service.runtime.settings import read_settings
from workers.processes import projector


def main(words: Sequence[str]) -> None:
    """Run it; a named function, such as `delivery_work.run_dispatcher`, returns at once."""
    configure_logs("INFO")
    for word in words:
        *path, name = word.split(".")
        owner = getattr(projector, path[0]) if path else projector
        setattr(owner, name, lambda *_: None)
    projector.main(read_settings(os.environ), range(16))
