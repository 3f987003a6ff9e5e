"""`annals erase`: deletes all personal data of a player; their id stays in the matches."""

from __future__ import annotations

import time
from collections.abc import Mapping
from os import environ

import click
from redis import Redis

from service.accounts.players import Player
from service.channels import account_deletion
from service.matches.container import Annals, open_annals
from service.runtime.errors import REDIS_ERRORS
from service.store.erased_players import read_erased_players
from workers.host.redis.on_demand import running_redis
from workers.tools.admin.admin import confirm, moderation
from workers.tools.running_store import read_service_settings

RUNNING_STATES = ("in_progress", "scheduled")


@click.command()
@click.argument("who", metavar="PLAYER")
@click.option("--dry-run", is_flag=True, help="Only print what would be removed.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def erase(who: str, dry_run: bool, yes: bool) -> None:
    """Erase a PLAYER for good: name, tokens, webhooks, link with Discord, and admin notes.

    PLAYER is an id or a name. Their active matches are resigned, their tables left or closed, and
    their invitations declined.
    The id stays in the matches, which you can verify as before. You can repeat the command: it
    removes what an earlier attempt left.
    """
    settings = read_service_settings(environ)
    with running_redis(settings):
        annals = open_annals(settings)
        player = _find_player(annals, who)
        present = account_deletion.remaining_data(annals, player.id)
        if dry_run:
            click.echo(f"{player.id}: {_describe(present)} would be removed.")
            return
        confirm(yes, f"Erase {player.name} ({player.id}) for good: {_describe(present)}?")
        moderation(annals).record("erase", player.id)
        account_deletion.delete_account(annals, player)
        left = account_deletion.remaining_data(annals, player.id)
        rewrite_log(annals.store.redis)
        click.echo(f"{player.id}: {_describe(present)} removed.")
    if left.keys() - account_deletion.LEFT_UNTIL_THE_END:
        raise click.ClickException(
            f"Some data is still left, {_describe(left)}: run the command again."
        )


def erase_again(annals: Annals) -> None:
    """Erase the players in a restored store that were erased before the restore."""
    known = map(annals.players.by_id, read_erased_players(annals.settings.data))
    restored = [
        player for player in known if player and account_deletion.remaining_data(annals, player.id)
    ]
    for player in restored:  # the restore has just folded the lists, and no projector runs
        account_deletion.delete_account(annals, player, wait_s=0)
        click.echo(f"{player.id} was erased before the restore, and is erased again.")
    if restored:
        rewrite_log(annals.store.redis)


def rewrite_log(redis: Redis) -> None:
    """Have Redis rewrite its append-only file, and wait for that: the old file still has the erased
    data.
    """
    try:
        redis.bgrewriteaof()
        while any(redis.info("persistence")[f"aof_rewrite_{how}"] for how in RUNNING_STATES):
            time.sleep(0.05)
    except (*REDIS_ERRORS, KeyError):
        click.echo(
            "Note: this Redis keeps the erased data until it rewrites its append-only file.",
            err=True,
        )


def _find_player(annals: Annals, who: str) -> Player:
    """Return the player with this name or id, who may be erased already."""
    player = annals.players.by_name(who) or annals.players.by_id(who)
    if player is None:
        raise click.ClickException(f"There is no player {who!r}.")
    return player


def _describe(found: Mapping[str, int]) -> str:
    return ", ".join(f"{what} ({count})" for what, count in found.items()) or "nothing"
