"""Match ids from the command line."""

from __future__ import annotations

import re

import click

MATCH_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


def check_match_id(text: str) -> str:
    """Return the text if it may be the id of a match. Raises ClickException otherwise."""
    if not MATCH_ID.fullmatch(text):
        raise click.ClickException("This is not a match id: ids consist of a-z, 0-9 and hyphens.")
    return text
