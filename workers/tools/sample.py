"""`annals sample`: prints a sample configuration for what runs around the service."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

import click

from service.http.contract import FOLDER as SHIPPED_FOLDER
from service.runtime.settings import Settings
from workers.host.keeper import address_here
from workers.tools.running_store import open_redis, read_house, read_service_settings

SAMPLES = ("nginx.conf", "Caddyfile", "annals.service", "annals@.service")
"""Those that need no copy of the repository, as the container file does."""
SAMPLE_HOST, SAMPLE_ADDRESS = "annals.example.org", "127.0.0.1:8000"
PLACES_OF_PORT = {
    "listen 443 ": "listen {port} ",
    "https://$host$": "https://$host:{port}$",
    f"\n{SAMPLE_HOST} {{": f"\n{SAMPLE_HOST}:{{port}} {{{{",
}
"""What stands in the samples of proxies where a public address without a port is meant."""


@click.command()
@click.argument("name", type=click.Choice(SAMPLES))
def sample(name: str) -> None:
    """Print a sample for a proxy or systemd, with the public address and port of your service:
    `annals sample nginx.conf > /etc/nginx/conf.d/annals.conf`.
    """
    text = (SHIPPED_FOLDER / "hosting" / name).read_text(encoding="utf-8")
    settings = read_service_settings(os.environ)
    with open_redis(settings) as redis:
        public_url = settings.public_url or read_house(redis).public_url
    click.echo(fill_in(text, settings, public_url), nl=False)


def fill_in(text: str, settings: Settings, public_url: str) -> str:
    """Return a sample with this public address, its port if it names one, and the port of the
    settings.
    """
    public = urlsplit(public_url)
    if public.port is not None:
        for place, with_port in PLACES_OF_PORT.items():
            text = text.replace(place, with_port.format(port=public.port))
    host = public.hostname or SAMPLE_HOST
    return text.replace(SAMPLE_HOST, host).replace(SAMPLE_ADDRESS, address_here(settings))
