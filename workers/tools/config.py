"""`annals config`: each setting with its value, where that is from, its default and meaning."""

from __future__ import annotations

import os
from dataclasses import asdict
from textwrap import wrap

import click
import msgspec

from service.admin.setting_rows import DEFAULT, Row, describe_settings
from service.runtime.config.sources import find_given
from service.runtime.settings import BadSetting, build_settings

INDENT = "    "


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
