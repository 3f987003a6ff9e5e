"""`annals config`: each setting with its value, where that is from, its default and meaning."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from textwrap import wrap

import click
import msgspec

from service.runtime.config.fields import SETTINGS
from service.runtime.config.record import Setting
from service.runtime.config.sources import SourcedText, find_given
from service.runtime.settings import BadSetting, Settings, build_settings

ASIDE = re.compile(r" \(\[[^\]]*\]\([^)]*\)\)")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
PASSWORD = re.compile(r"://[^/\s,]*@")
QUERY = re.compile(r"(://[^?\s,]*\?)[^\s,]+")
INDENT = "    "
DEFAULT = "default"


@dataclass(frozen=True)
class Row:
    """A setting as it is shown."""

    name: str
    value: str
    source: str
    default: str
    about: str


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def config(as_json: bool) -> None:
    """List all settings: value, source, default and meaning; values of secrets are not shown.

    If a setting is wrong, all are listed with their defaults, and the exit code is 1.
    """
    try:
        given = find_given(os.environ)
        found, wrong = build_settings(given), None
    except BadSetting as error:
        given, found, wrong = {}, build_settings({}), error
    for row in describe_settings(given, found):
        if as_json:
            click.echo(msgspec.json.encode(asdict(row)))
        else:
            show_row(row)
    if wrong:
        raise wrong


def show_row(row: Row) -> None:
    """Print a setting in a few lines."""
    click.echo(f"{row.name}={row.value}")
    if row.source != DEFAULT:
        click.echo(f"{INDENT}from {row.source}; default: {row.default or 'none'}")
    click.echo("\n".join(wrap(row.about, initial_indent=INDENT, subsequent_indent=INDENT)))


def describe_settings(given: Mapping[str, SourcedText], found: Settings) -> Iterator[Row]:
    """Yield all settings: what is `given` by field, and what has been `found` with it."""
    for field, one in SETTINGS.items():
        source = DEFAULT
        if field in given:
            source = given[field].source
        elif found.size in one.by_size:
            source = f"ANNALS_SIZE={found.size}"
        is_derived = one.secret and field not in given
        value = one.default if is_derived else getattr(found, field)
        yield Row(
            one.name,
            show_value(value, one),
            source,
            show_value(one.default, one),
            LINK.sub(r"\1", ASIDE.sub("", one.about)),
        )


def show_value(value: object, one: Setting) -> str:
    """Return a value as you would set it, without the names, passwords and queries of URLs."""
    if one.secret and value:
        return "(not shown)"
    if isinstance(value, float):
        return f"{value:g}"
    shown = ",".join(value) if isinstance(value, tuple) else str(value)
    return QUERY.sub(r"\1...", PASSWORD.sub("://...@", shown))
