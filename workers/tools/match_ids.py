"""Ids of matches as they are typed at the terminal."""

from __future__ import annotations

import re

import click

SHAPE = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


def checked_id(words: str) -> str:
    """The id of a match, as it is; ClickException for what could not be one."""
    if not SHAPE.fullmatch(words):
        raise click.ClickException("There is no such match: ids are a-z, 0-9 and hyphens.")
    return words
