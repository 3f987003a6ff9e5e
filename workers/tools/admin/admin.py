"""`annals admin`: what operators can do to players and matches while the service runs."""

from __future__ import annotations

from collections.abc import Sequence
from getpass import getuser
from os import environ
from typing import get_args

import click
import msgspec

from domain.engine.errors import Refusal
from domain.match.state import CloseReason
from service.accounts.admin_log import AdminLog
from service.accounts.operators import Operators
from service.accounts.players import Account
from service.admin.moderation import Moderation
from service.matches.container import Annals, open_annals
from service.matches.queries import iso
from service.runtime.errors import NotFound
from service.talk.speakers import MAX_MUTE_DAYS, OperatorMute, Speakers
from workers.tools.match_ids import check_match_id
from workers.tools.running_store import read_service_settings

player_argument = click.argument("who", metavar="PLAYER")
yes_option = click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
reason_option = click.option("--reason", required=True, help="The reason; players can see it.")


@click.group()
def admin() -> None:
    """Manage players and matches while the service runs.

    A PLAYER is an id or a name. Each action is recorded: see `annals admin log`. The exit code is 0
    if the action was done, and 1 if it was not.
    """


@admin.command()
@click.argument("prefix", metavar="[BEGINNING]", default="")
@click.option("--after", default="", metavar="NAME", help="Start after this name.")
@click.option("--limit", default=50, type=click.IntRange(1, 1000), help="Number of players (50).")
@json_option
def players(prefix: str, after: str, limit: int, as_json: bool) -> None:
    """List players by name: all of them, or those whose names start with BEGINNING."""
    found = _annals().players.search(prefix, after, limit)
    _print(found, as_json, [_player_line(one) for one in found])
    if len(found) == limit and not as_json:
        click.echo(f"More: --after {found[-1].name!r}", err=True)


@admin.command()
@player_argument
@json_option
def player(who: str, as_json: bool) -> None:
    """Show a PLAYER and the scopes of their tokens."""
    annals = _annals()
    account = _find_player(annals, who)
    tokens = annals.players.tokens.of_player(account.id)
    lines = [_player_line(account)]
    lines += [f"  {one.id}  {', '.join(one.scopes)}  {one.name or 'the account'}" for one in tokens]
    left = annals.players.recovery.count(account.id)
    if mute := Speakers(annals.store.redis, 0).find_mute(account.id, annals.now()):
        lines.append(f"  muted{_until(mute)}: {mute.reason}")
    _print([account, *tokens], as_json, [*lines, f"  {left} recovery codes left"])


@admin.command()
@player_argument
@reason_option
@click.option("--keep-matches", is_flag=True, help="Do not change their matches.")
@yes_option
def ban(who: str, reason: str, keep_matches: bool, yes: bool) -> None:
    """Ban a PLAYER: resign their matches, and leave or close their tables.

    Web processes cache tokens for 30 seconds by default, so the player may take another seat in
    that time. If so, repeat the command.
    """
    annals = _annals()
    account = _find_player(annals, who)
    confirm(yes, f"Ban {account.name} ({account.id})?")
    left, failed = moderation(annals).ban(account.id, reason, keep_matches=keep_matches)
    click.echo(f"{account.name} is banned and has left {left} matches.")
    if failed:
        raise click.ClickException(f"They could not leave {', '.join(failed)}: see the log.")


@admin.command()
@player_argument
def unban(who: str) -> None:
    """Lift the ban of a PLAYER."""
    annals = _annals()
    account = _find_player(annals, who)
    moderation(annals).lift_ban(account.id)
    click.echo(f"{account.name} can play again.")


@admin.command()
@player_argument
@reason_option
@click.option(
    "--days", type=click.IntRange(1, MAX_MUTE_DAYS), help="Length of the mute (until you lift it)."
)
@yes_option
def mute(who: str, reason: str, days: int | None, yes: bool) -> None:
    """Mute a PLAYER: they can say nothing at any table, and read why and until when."""
    annals = _annals()
    account = _find_player(annals, who)
    confirm(yes, f"Mute {account.name} ({account.id})?")
    done = moderation(annals).mute(account.id, reason, days)
    click.echo(f"{account.name} is muted{_until(done)}.")


@admin.command()
@player_argument
def unmute(who: str) -> None:
    """Let a PLAYER talk again."""
    annals = _annals()
    account = _find_player(annals, who)
    moderation(annals).lift_mute(account.id)
    click.echo(f"{account.name} can talk again.")


@admin.command()
@click.argument("match_id", metavar="MATCH")
@click.option("--reason", "close_reason", required=True, type=click.Choice(get_args(CloseReason)))
@click.option("--note", "admin_note", default="", help="A note for `annals admin log` only.")
@yes_option
def close(match_id: str, close_reason: CloseReason, admin_note: str, yes: bool) -> None:
    """Close a MATCH that has no result yet; its entries stay, and the last one has the reason.

    Entries never change, so your note goes only into `annals admin log`.
    """
    annals, match_id = _annals(), check_match_id(match_id)
    confirm(yes, f"Close the match {match_id}?")
    try:
        moderation(annals).close_match(match_id, close_reason, admin_note)
    except Refusal as refusal:
        raise click.ClickException(refusal.reason) from refusal
    click.echo(f"The match {match_id} is closed.")


@admin.command()
@player_argument
@yes_option
def token(who: str, yes: bool) -> None:
    """Give a PLAYER a new token and end all else that gives access to their account."""
    annals = _annals()
    account = _find_player(annals, who)
    question = (
        f"Revoke all tokens and recovery codes of {account.name} ({account.id}), unlink Discord"
    )
    confirm(yes, f"{question} and turn off their webhooks?")
    click.echo(moderation(annals).replace_tokens(account.id))


@admin.command()
@player_argument
@yes_option
def codes(who: str, yes: bool) -> None:
    """Give a PLAYER new recovery codes and revoke the old ones."""
    annals = _annals()
    account = _find_player(annals, who)
    confirm(yes, f"Revoke all recovery codes of {account.name} ({account.id})?")
    for code in moderation(annals).replace_codes(account.id):
        click.echo(code)


@admin.command()
def setup() -> None:
    """Print a link that makes its visitor an operator, once, within a day; earlier links end."""
    annals = _annals()
    moderation(annals).record("setup", "link")
    click.echo(Operators(annals.store.redis).issue_link(annals.base_url))


@admin.command()
@click.option("--remove", "removed", metavar="PLAYER", help="Let this player operate no more.")
def operators(removed: str | None) -> None:
    """List the operators of the service, or remove one."""
    annals = _annals()
    known = Operators(annals.store.redis)
    if removed is None:
        for who in known.ids():
            click.echo(_player_line(annals.players.account(who)))
        return
    account = _find_player(annals, removed)
    moderation(annals).record("remove operator", account.id)
    if not known.remove(account.id):
        raise click.ClickException(f"{account.name} is no operator.")
    click.echo(f"{account.name} is no operator any more.")


@admin.command()
@click.option(
    "--limit", default=50, type=click.IntRange(1, 1000), help="Maximum number of actions (50)."
)
@json_option
def log(limit: int, as_json: bool) -> None:
    """Show the latest actions, newest first."""
    actions = AdminLog(_annals().store.redis).latest(limit)
    lines = [
        f"{iso(one.at)}  {one.operator}: {one.action} {one.subject} {one.reason}".rstrip()
        for one in actions
    ]
    _print(actions, as_json, lines)


def _annals() -> Annals:
    return open_annals(read_service_settings(environ))


def _find_player(annals: Annals, who: str) -> Account:
    """Return the player with this id or name. Raises ClickException if none exists or it is
    deleted.
    """
    named = annals.players.by_name(who)
    try:
        account = annals.players.account(named.id if named else who)
    except NotFound as refusal:
        raise click.ClickException(f"There is no player {who!r}.") from refusal
    if account.deleted_at is not None:
        raise click.ClickException(f"The player {account.id} is deleted.")
    return account


def moderation(annals: Annals) -> Moderation:
    """Return what this user of the machine can do."""
    return Moderation(annals, getuser())


def confirm(yes: bool, question: str) -> None:
    """Ask the operator, unless `yes` is set; click.Abort if they decline."""
    if not yes:
        click.confirm(question, abort=True, err=True)


def _until(mute: OperatorMute) -> str:
    return "" if mute.until is None else f" until {iso(mute.until)}"


def _print(records: Sequence[msgspec.Struct], as_json: bool, lines: Sequence[str]) -> None:
    for line in [msgspec.json.encode(one).decode() for one in records] if as_json else lines:
        click.echo(line)


def _player_line(one: Account) -> str:
    mark = f"  banned: {one.banned}" if one.banned else ""
    mark += f"  deleted {iso(one.deleted_at)}" if one.deleted_at else ""
    return f"{one.id}  {iso(one.registered_at)}  {one.name}{mark}"
