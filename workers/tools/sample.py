"""`annals sample`: prints a sample configuration for what runs around the service."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

import click

from service.http.contract import FOLDER as SHIPPED_FOLDER
from service.runtime.settings import Settings, read_settings
from workers.host.keeper import address_here

SAMPLES = ("nginx.conf", "Caddyfile", "annals.service", "annals@.service")
"""Those that need no copy of the repository, as the container file does."""
SAMPLE_HOST, SAMPLE_ADDRESS = "annals.example.org", "127.0.0.1:8000"


@click.command()
@click.argument("name", type=click.Choice(SAMPLES))
def sample(name: str) -> None:
    """Print a sample for a proxy or systemd, with the address and port of your settings:
    `annals sample nginx.conf > /etc/nginx/conf.d/annals.conf`.
    """
    text = (SHIPPED_FOLDER / "hosting" / name).read_text(encoding="utf-8")
    click.echo(fill_in(text, read_settings(os.environ)), nl=False)


def fill_in(text: str, settings: Settings) -> str:
    """Return a sample with the public address and the port of the settings."""
    host = urlsplit(settings.public_url).hostname or SAMPLE_HOST
    return text.replace(SAMPLE_HOST, host).replace(SAMPLE_ADDRESS, address_here(settings))
