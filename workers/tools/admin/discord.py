"""`annals discord`: registering the commands, and what is missing."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from service.channels.discord.client import Application, Client, DiscordFailed
from service.channels.discord.registration import MOST_LETTERS, commands, letters
from service.runtime.settings import Settings, read_settings
from workers.host.errors import CannotRun
from workers.jobs.discord import client_of

ENDPOINT = "/v1/discord/interactions"


@click.group()
def discord() -> None:
    """Look after the application in Discord."""


@discord.command()
def register() -> None:
    """Tell Discord the commands of the bot."""
    settings = _set()
    wanted = commands()
    try:
        client_of(settings).register(wanted)
    except DiscordFailed as failed:
        raise CannotRun(str(failed)) from failed
    used = max(map(letters, wanted))
    click.echo(f"/annals is registered: {used} of {MOST_LETTERS} letters.")


@discord.command()
def check() -> None:
    """Say what is missing, in the settings and in Discord."""
    missing = list(_missing(read_settings(os.environ)))
    for sentence in missing:
        click.echo(sentence)
    if missing:
        raise SystemExit(1)
    click.echo("All is set.")


def _set() -> Settings:
    """The settings, if all are there that are needed to speak to Discord; CannotRun."""
    settings = read_settings(os.environ)
    if missing := next(_unset(settings), None):
        raise CannotRun(missing)
    return settings


def _unset(settings: Settings) -> Iterator[str]:
    for name, where in (
        ("app", "the page General Information of the application: Application ID"),
        ("key", "the page General Information of the application: Public Key"),
        ("token", "the page Bot of the application: Reset Token"),
    ):
        if not getattr(settings, f"discord_{name}"):
            yield f"ANNALS_DISCORD_{name.upper()} is not set. It is on {where}."


def _missing(settings: Settings) -> Iterator[str]:
    unset = list(_unset(settings))
    yield from unset
    if not unset:
        client = client_of(settings)
        try:
            yield from _differences(settings, client.application())
            yield from _unregistered(client)
        except DiscordFailed as failed:
            yield str(failed)


def _differences(settings: Settings, known: Application) -> Iterator[str]:
    """Where the settings and the application differ."""
    if known.id != settings.discord_app:
        yield "ANNALS_DISCORD_APP and ANNALS_DISCORD_TOKEN are of two different applications."
    if known.verify_key.lower() != settings.discord_key.lower():
        yield "ANNALS_DISCORD_KEY is not the public key of this application."
    if not (known.interactions_endpoint_url or "").endswith(ENDPOINT):
        yield f"Interactions Endpoint URL is not set in Discord: https://<your host>{ENDPOINT}"


def _unregistered(client: Client) -> Iterator[str]:
    wanted = {command["name"] for command in commands()}
    if not wanted <= {command.name for command in client.commands()}:
        yield "The commands are not registered: run `annals discord register`."
