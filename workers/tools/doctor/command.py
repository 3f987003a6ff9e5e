"""The command `annals doctor`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict

import click
import msgspec

from service.runtime.config.checks import mail_address
from service.runtime.settings import BadSetting
from workers.tools.doctor import address, machine, mail, places, push, store
from workers.tools.doctor.finding import Finding, Patient
from workers.tools.running_store import open_redis, read_house, read_service_settings

CHECKS: tuple[Callable[[Patient], Iterator[Finding]], ...] = (
    store.check_version,
    store.check_settings,
    places.check_places,
    machine.check_files,
    machine.check_disk,
    machine.check_memory,
    machine.check_clock,
    store.check_servers,
    store.check_entries,
    address.check_service,
    address.check_address,
    store.check_operators,
    store.check_log,
    store.check_backups,
    store.check_discord,
    mail.check_mail,
    push.check_push,
)
COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


def check_recipient(_context: object, _option: object, recipient: str | None) -> str | None:
    """Return an address for mail, or None if the option is left out. Raises BadParameter if it is
    no address.
    """
    if recipient == "":
        raise click.BadParameter("It is empty.")
    if recipient and (wrong := mail_address(recipient)):
        raise click.BadParameter(f"It {wrong}.")
    return recipient


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@click.option(
    "--mail",
    "recipient",
    metavar="ADDRESS",
    callback=check_recipient,
    help="Send a mail to this address, and check nothing else.",
)
def doctor(as_json: bool, recipient: str | None) -> None:
    """Look for what keeps the service from working well, and say the cure.

    The service may run or not. Nothing is changed. The exit code is 1 if a check fails.
    """
    failed = False
    for one in examine(recipient):
        failed = failed or one.level == "fail"
        if as_json:
            click.echo(msgspec.json.encode(asdict(one)))
        else:
            show(one)
    if failed:
        raise SystemExit(1)


def show(one: Finding) -> None:
    """Print a finding in one line, or two with its cure."""
    level = click.style(f"{one.level:<5}", fg=COLOURS[one.level])
    click.echo(f"{level} {one.check:<10} {printable(one.text)}")
    if one.cure:
        click.echo(f"{'':<16} Cure: {printable(one.cure)}")


def printable(text: str) -> str:
    """Return a text without what could command the terminal: another server may have sent it."""
    return "".join(one if one.isprintable() else "?" for one in text)


def examine(recipient: str | None = None) -> Iterator[Finding]:
    """Yield the findings of all checks; with a recipient, only whether a mail to them is sent."""
    try:
        settings = read_service_settings(os.environ)
    except BadSetting as error:
        yield Finding("settings", "fail", str(error), "See docs/settings.md.")
        return
    with open_redis(settings) as redis:
        patient = Patient(settings, redis, read_house(redis))
        if recipient:
            yield mail.send_trial_mail(patient, recipient)
            return
        for check in CHECKS:
            yield from check(patient)
