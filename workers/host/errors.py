"""Why something cannot run, said to the person at the terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class CannotRun(Exception):
    """One clear sentence; whoever sees it can do something about it."""


@contextmanager
def writable(folder: Path) -> Iterator[None]:
    """Say which folder cannot be written."""
    try:
        yield
    except OSError as error:
        raise CannotRun(
            f"Cannot write in {folder} ({error.strerror}): choose another folder with ANNALS_DATA."
        ) from None
