"""Hands the texts of the files with settings to the new code of a reload, which has to start with
the settings that the rehearsal has checked, even if a file has changed since.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile

from service.runtime.config.texts import keep_texts

TEXTS_VARIABLE = "_ANNALS_TEXTS"
"""The environment variable that names the file descriptor of the texts."""


@contextmanager
def leave_texts(encoded: bytes) -> Iterator[dict[str, str]]:
    """Yield the environment for a program that this process executes, with these texts in a file
    without a name, because they have secrets. Raises OSError.
    """
    with TemporaryFile() as file:
        file.write(encoded)
        file.seek(0)
        os.set_inheritable(file.fileno(), True)
        yield {TEXTS_VARIABLE: str(file.fileno())}


def take_texts() -> None:
    """Keep the texts that the previous code has left, if any. Comes before settings are read."""
    if left := os.environ.pop(TEXTS_VARIABLE, ""):
        with open(int(left), "rb") as file:
            keep_texts(file.read())
