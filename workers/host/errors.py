"""Errors and messages for the operator at the terminal."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from service.admin.data_folder import cure_unwritable, describe_unwritable


class CannotRun(Exception):
    """The command cannot run; the message is one sentence that says what to do."""


def say(sentence: str) -> None:
    """Print a sentence on the terminal, if there still is one."""
    with suppress(OSError):
        click.echo(sentence)


@contextmanager
def writable(folder: Path) -> Iterator[None]:
    """Turn an OSError into a CannotRun that names the folder."""
    try:
        yield
    except OSError as error:
        raise CannotRun(
            f"{describe_unwritable(folder, error)}: {cure_unwritable(folder, error)}"
        ) from None
