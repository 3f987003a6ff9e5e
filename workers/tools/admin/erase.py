"""Forget: nothing is left of a player but the id that the annals have."""

from __future__ import annotations

import time
from collections.abc import Mapping
from os import environ

import click
from redis import Redis
from redis.exceptions import RedisError

from service.accounts.players import Player
from service.channels import account_deletion
from service.matches.container import Annals, open_annals
from service.runtime.settings import read_settings
from service.store.erased_players import forgotten
from workers.host.redis_up import redis_up
from workers.tools.admin.admin import confirm, note

UNDER_WAY = ("in_progress", "scheduled")


@click.command()
@click.argument("who", metavar="PLAYER")
@click.option("--dry-run", is_flag=True, help="Only tell what would be removed.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def forget(who: str, dry_run: bool, yes: bool) -> None:
    """Forget a PLAYER for good: their name, tokens, webhooks, link with Discord, and words about
    them.

    PLAYER is an id or a name. Their matches in play are resigned, their tables left or closed. The
    id stays in the annals, which can be checked as before. Do it again whenever you like: it
    removes what an earlier attempt left.
    """
    settings = read_settings(environ)
    with redis_up(settings):
        annals = open_annals(settings)
        player = _found(annals, who)
        there = account_deletion.traces(annals, player.id)
        if dry_run:
            click.echo(f"{player.id}: {_in_words(there)} would be removed.")
            return
        confirm(yes, f"Forget {player.name} ({player.id}) for good: {_in_words(there)}?")
        note(annals, "forget", player.id)
        account_deletion.delete(annals, player)
        left = account_deletion.traces(annals, player.id)
        rewrite(annals.store.redis)
        click.echo(f"{player.id}: {_in_words(there)} removed.")
    if left.keys() - {account_deletion.MATCHES}:  # the lists of matches are a little behind
        raise click.ClickException(f"There is still {_in_words(left)}: do it once more.")


def forget_again(annals: Annals) -> None:
    """Forget whoever was forgotten before, of those who are in a store that was filled anew."""
    known = map(annals.players.by_id, forgotten(annals.settings.data))
    back = [player for player in known if player and account_deletion.traces(annals, player.id)]
    for player in back:
        account_deletion.delete(annals, player)
        click.echo(f"{player.id} was forgotten before, and is again.")
    if back:
        rewrite(annals.store.redis)


def rewrite(redis: Redis) -> None:
    """Have Redis write its file anew, and wait for that: what was there once is in the old one."""
    try:
        redis.bgrewriteaof()
        while any(redis.info("persistence")[f"aof_rewrite_{how}"] for how in UNDER_WAY):
            time.sleep(0.05)
    except (RedisError, KeyError):
        click.echo("Note: this Redis keeps what there was until it writes its file anew.", err=True)


def _found(annals: Annals, who: str) -> Player:
    """The player of this name or id, who may be forgotten already."""
    player = annals.players.by_name(who) or annals.players.by_id(who)
    if player is None:
        raise click.ClickException(f"There is no player {who!r}.")
    return player


def _in_words(found: Mapping[str, int]) -> str:
    return ", ".join(f"{what} ({count})" for what, count in found.items()) or "nothing"
