"""Admin: what those who run the service can do to players and matches, beside a running service."""

from __future__ import annotations

from collections.abc import Sequence
from getpass import getuser
from os import environ
from typing import get_args

import click
import msgspec

from domain.engine.errors import Refused
from domain.match.decisions import ending
from domain.match.state import WhyClosed
from service.accounts.admin_log import Deed, Journal
from service.accounts.players import Account
from service.channels import account_deletion
from service.matches.commands import Metadata, carry_out
from service.matches.container import Annals, open_annals
from service.matches.queries import iso
from service.runtime.errors import NotFound
from service.runtime.settings import read_settings
from workers.tools.match_ids import checked_id

who = click.argument("who", metavar="PLAYER")
sure = click.option("--yes", is_flag=True, help="Do not ask.")
as_json = click.option("--json", "plain", is_flag=True, help="One JSON object a line.")
reason = click.option("--reason", required=True, help="Why; players get to see it.")


@click.group()
def admin() -> None:
    """Look after players and matches, beside a running service.

    A PLAYER is an id or a name. What is done is written down: `annals admin log`. The exit code is
    0 if it was done, and 1 if it was not.
    """


@admin.command()
@click.argument("beginning", default="")
@click.option("--after", default="", metavar="NAME", help="Those after this name.")
@click.option("--limit", default=50, type=click.IntRange(1, 1000), help="So many at once (50).")
@as_json
def players(beginning: str, after: str, limit: int, plain: bool) -> None:
    """List players by name, all of them or those whose names have this BEGINNING."""
    found = _annals().players.search(beginning, after, limit)
    _tell(found, plain, [_player_line(one) for one in found])
    if len(found) == limit and not plain:
        click.echo(f"More: --after {found[-1].name!r}", err=True)


@admin.command()
@who
@as_json
def player(who: str, plain: bool) -> None:
    """Show a PLAYER and what their tokens are for."""
    annals = _annals()
    account = _found(annals, who)
    tokens = annals.players.tokens.of(account.id)
    lines = [_player_line(account)]
    lines += [f"  {one.id}  {', '.join(one.scopes)}  {one.name or 'the account'}" for one in tokens]
    left = annals.players.recovery.left(account.id)
    _tell([account, *tokens], plain, [*lines, f"  {left} recovery codes left"])


@admin.command()
@who
@reason
@click.option("--keep-matches", is_flag=True, help="Let their matches stand as they are.")
@sure
def ban(who: str, reason: str, keep_matches: bool, yes: bool) -> None:
    """Keep a PLAYER out: their matches are resigned, their tables left or closed.

    Web processes may let them in until they have forgotten their token (30 seconds by default). Do
    it again if they sat down somewhere meanwhile.
    """
    annals = _annals()
    account = _found(annals, who)
    confirm(yes, f"Ban {account.name} ({account.id})?")
    note(annals, "ban", account.id, reason)
    annals.players.ban(account.id, reason)
    left = 0 if keep_matches else account_deletion.withdraw(annals, account.id)
    click.echo(f"{account.name} is banned and has left {left} matches.")


@admin.command()
@who
def unban(who: str) -> None:
    """Let a PLAYER in again."""
    annals = _annals()
    account = _found(annals, who)
    note(annals, "unban", account.id)
    annals.players.ban(account.id, None)
    click.echo(f"{account.name} may play again.")


@admin.command()
@click.argument("match_id", metavar="MATCH")
@click.option("--reason", "why", required=True, type=click.Choice(get_args(WhyClosed)))
@click.option("--note", "more", default="", help="More words, for `annals admin log` alone.")
@sure
def close(match_id: str, why: WhyClosed, more: str, yes: bool) -> None:
    """Close a MATCH that has no result yet; its entries stay, and say why.

    They are never changed, so no words of yours get into them.
    """
    annals, match_id = _annals(), checked_id(match_id)
    confirm(yes, f"Close the match {match_id}?")
    note(annals, "close", match_id, f"{why} {more}".strip())
    try:
        carry_out(annals, match_id, Metadata(), lambda match, _: ending.close(match, why))
    except Refused as refusal:
        raise click.ClickException(refusal.reason) from refusal
    click.echo(f"The match {match_id} is closed.")


@admin.command()
@who
@sure
def token(who: str, yes: bool) -> None:
    """Give a PLAYER a new token; all others of theirs end."""
    annals = _annals()
    account = _found(annals, who)
    confirm(yes, f"End all tokens of {account.name} ({account.id})?")
    note(annals, "token", account.id)
    click.echo(annals.players.replace_all(account.id, annals.now()))


@admin.command()
@who
@sure
def codes(who: str, yes: bool) -> None:
    """Give a PLAYER new recovery codes; the old ones end."""
    annals = _annals()
    account = _found(annals, who)
    confirm(yes, f"End all recovery codes of {account.name} ({account.id})?")
    note(annals, "codes", account.id)
    for code in annals.players.recovery.give(account.id):
        click.echo(code)


@admin.command()
@click.option("--limit", default=50, type=click.IntRange(1, 1000), help="So many at most (50).")
@as_json
def log(limit: int, plain: bool) -> None:
    """Tell what was done last, the newest first."""
    deeds = Journal(_annals().store.redis).last(limit)
    lines = [
        f"{iso(deed.at)}  {deed.who}: {deed.action} {deed.subject} {deed.reason}".rstrip()
        for deed in deeds
    ]
    _tell(deeds, plain, lines)


def _annals() -> Annals:
    return open_annals(read_settings(environ))


def _found(annals: Annals, who: str) -> Account:
    """The player of this id or name, who is not deleted."""
    named = annals.players.by_name(who)
    try:
        account = annals.players.account(named.id if named else who)
    except NotFound as refusal:
        raise click.ClickException(f"There is no player {who!r}.") from refusal
    if account.deleted_at is not None:
        raise click.ClickException(f"The player {account.id} is deleted.")
    return account


def note(annals: Annals, action: str, subject: str, reason: str = "") -> None:
    """Write down what is about to be done."""
    deed = Deed(annals.now(), getuser(), action, subject, reason)
    Journal(annals.store.redis).note(deed)


def confirm(yes: bool, question: str) -> None:
    """Ask, unless whoever is at the terminal is sure; click.Abort if they would rather not."""
    if not yes:
        click.confirm(question, abort=True, err=True)


def _tell(records: Sequence[msgspec.Struct], plain: bool, lines: Sequence[str]) -> None:
    for line in [msgspec.json.encode(one).decode() for one in records] if plain else lines:
        click.echo(line)


def _player_line(one: Account) -> str:
    mark = f"  banned: {one.banned}" if one.banned else ""
    mark += f"  deleted {iso(one.deleted_at)}" if one.deleted_at else ""
    return f"{one.id}  {iso(one.registered_at)}  {one.name}{mark}"
