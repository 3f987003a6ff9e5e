"""The command `annals doctor`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from dataclasses import asdict

import click
import msgspec
from redis import Redis
from redis.exceptions import RedisError

from service.accounts.house import House, HouseRecord
from service.admin.running_settings import recorded_settings
from service.runtime.settings import BadSetting, Settings, read_settings
from service.store.redis_client import connect
from workers.host.folder_lock import holder
from workers.host.redis.server import state_of
from workers.tools.doctor import address, machine, store
from workers.tools.doctor.finding import Finding, Patient

CHECKS: tuple[Callable[[Patient], Iterator[Finding]], ...] = (
    store.check_version,
    store.check_settings,
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
)
COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def doctor(as_json: bool) -> None:
    """Look for what keeps the service from working well, and say the cure.

    The service may run or not. Nothing is changed. The exit code is 1 if a check fails.
    """
    failed = False
    for one in examine():
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
    click.echo(f"{level} {one.check:<10} {one.text}")
    if one.cure:
        click.echo(f"{'':<16} Cure: {one.cure}")


def examine() -> Iterator[Finding]:
    """Yield the findings of all checks."""
    try:
        settings = read_settings(os.environ)
        if holder(settings.data):
            settings = recorded_settings(settings)
    except BadSetting as error:
        yield Finding("settings", "fail", str(error), "See docs/settings.md.")
        return
    with open_redis(settings) as redis:
        house = HouseRecord(redis, 0).read() if redis else House()
        patient = Patient(settings, redis, house)
        for check in CHECKS:
            yield from check(patient)


def open_redis(settings: Settings) -> closing[Redis] | nullcontext[None]:
    """Return a client for the events; nothing if their Redis does not answer."""
    try:
        if settings.owns_redis and state_of(settings.events_url) != "up":
            return nullcontext()
        client = connect(settings.events_url)
        client.ping()
    except RedisError:
        return nullcontext()
    return closing(client)
