"""`annals settings`: what each setting does, and its value."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from textwrap import wrap

import click

from service.runtime.setting_fields import SETTINGS, Setting
from service.runtime.settings import BadSetting, Settings, read_settings

ASIDE = re.compile(r" \(\[[^\]]*\]\([^)]*\)\)")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
PASSWORD = re.compile(r"://[^/\s,]*@")
QUERY = re.compile(r"(://[^?\s,]*\?)[^\s,]+")
INDENT = "    "


@click.command()
def settings() -> None:
    """List all settings with their values; the values of secrets are not shown.

    If a setting is wrong, all are listed with their defaults, and the exit code is 1.
    """
    try:
        found, wrong = read_settings(os.environ), None
    except BadSetting as error:
        found, wrong = read_settings({}), error
    for line in describe_settings(found):
        click.echo(line)
    if wrong:
        raise wrong


def describe_settings(found: Settings) -> Iterator[str]:
    """Yield the lines about all settings."""
    for field, one in SETTINGS.items():
        yield f"{one.name}={show_value(getattr(found, field), one)}"
        about = LINK.sub(r"\1", ASIDE.sub("", one.about))
        yield from wrap(about, initial_indent=INDENT, subsequent_indent=INDENT)


def show_value(value: object, one: Setting) -> str:
    """Return a value as you would set it, without the names, passwords and queries of URLs."""
    if one.secret and value:
        return "(not shown)"
    if isinstance(value, float):
        return f"{value:g}"
    shown = ",".join(value) if isinstance(value, tuple) else str(value)
    return QUERY.sub(r"\1...", PASSWORD.sub("://...@", shown))
