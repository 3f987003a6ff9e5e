"""Why something cannot run, said to the person at the terminal."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click


class CannotRun(Exception):
    """One clear sentence; whoever sees it can do something about it."""


def say(sentence: str) -> None:
    """Tell the person at the terminal, if there is one still."""
    with suppress(OSError):
        click.echo(sentence)


@contextmanager
def writable(folder: Path) -> Iterator[None]:
    """Say which folder cannot be written."""
    try:
        yield
    except OSError as error:
        raise CannotRun(
            f"Cannot write in {folder} ({error.strerror}): choose another folder with ANNALS_DATA."
        ) from None
