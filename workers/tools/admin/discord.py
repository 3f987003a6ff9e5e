"""`annals discord`: registers the commands of the bot, and checks the configuration."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from service.channels.discord.client import Application, DiscordClient, DiscordError
from service.channels.discord.registration import MAX_COMMAND_CHARS, build_commands, count_chars
from service.runtime.settings import Settings
from workers.host.errors import CannotRun
from workers.jobs.discord import discord_client
from workers.tools.running_store import UNREAD, UNREAD_CURE, find_unread, read_service_settings

ENDPOINT = "/v1/discord/interactions"


@click.group()
def discord() -> None:
    """Manage the application in Discord."""


@discord.command()
def register() -> None:
    """Register the commands of the bot in Discord."""
    settings = _complete_settings()
    wanted = build_commands()
    try:
        discord_client(settings).register_commands(wanted)
    except DiscordError as failed:
        raise CannotRun(str(failed)) from failed
    used = max(map(count_chars, wanted))
    click.echo(f"/annals is registered: {used} of {MAX_COMMAND_CHARS} characters.")


@discord.command()
def check() -> None:
    """Show what is missing in the settings and in Discord."""
    _refuse_unread()
    missing = list(find_missing_settings(read_service_settings(os.environ)))
    for sentence in missing:
        click.echo(sentence)
    if missing:
        raise SystemExit(1)
    click.echo("Everything is set up.")


def _complete_settings() -> Settings:
    """Return the settings, if they have everything needed to call Discord. Raises CannotRun
    otherwise.
    """
    _refuse_unread()
    settings = read_service_settings(os.environ)
    if missing := next(_unset_settings(settings), None):
        raise CannotRun(missing)
    return settings


def _refuse_unread() -> None:
    """Raise CannotRun if a service runs with other settings for Discord than its file has."""
    unread = [name for name in find_unread(os.environ) if "DISCORD" in name]
    if unread:
        raise CannotRun(f"{UNREAD}: {', '.join(unread)}. {UNREAD_CURE}")


def _unset_settings(settings: Settings) -> Iterator[str]:
    for name, where in (
        ("app", "the page General Information of the application: Application ID"),
        ("key", "the page General Information of the application: Public Key"),
        ("token", "the page Bot of the application: Reset Token"),
    ):
        if not getattr(settings, f"discord_{name}"):
            yield f"ANNALS_DISCORD_{name.upper()} is not set. Find it on {where}."


def find_missing_settings(settings: Settings) -> Iterator[str]:
    """Yield a sentence about each thing that is missing in the settings or in Discord."""
    unset = list(_unset_settings(settings))
    yield from unset
    if not unset:
        client = discord_client(settings)
        try:
            yield from _find_differences(settings, client.application())
            yield from _find_unregistered(client)
        except DiscordError as failed:
            yield str(failed)


def _find_differences(settings: Settings, known: Application) -> Iterator[str]:
    """Sentences about differences between the settings and the application."""
    if known.id != settings.discord_app:
        yield "ANNALS_DISCORD_APP and ANNALS_DISCORD_TOKEN belong to different applications."
    if known.verify_key.lower() != settings.discord_key.lower():
        yield "ANNALS_DISCORD_KEY is not the public key of this application."
    if not (known.interactions_endpoint_url or "").endswith(ENDPOINT):
        yield f"Interactions Endpoint URL is not set in Discord: https://<your host>{ENDPOINT}"


def _find_unregistered(client: DiscordClient) -> Iterator[str]:
    wanted = {command["name"] for command in build_commands()}
    if not wanted <= {command.name for command in client.commands()}:
        yield "The commands are not registered: run `annals discord register`."
