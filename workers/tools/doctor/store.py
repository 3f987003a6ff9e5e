"""Checks of what the service stores, and of what it works with: Redis, operators, log, Discord."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from service.accounts.operators import Operators
from service.admin.data_folder import find_write_error
from service.admin.setting_rows import hide_secrets
from service.matches.container import wall_clock
from service.runtime.errors import StoreUnavailable
from service.runtime.settings import BadSetting
from service.store.backup_state import read_state
from service.store.store_format import last_program, program_id
from service.tlog.folder import CHECKPOINT, Folder
from service.tlog.state import names_this_machine
from workers.host.errors import CannotRun
from workers.host.folder_lock import holder
from workers.host.redis.checks import check_redis
from workers.host.redis.high_water_mark import REMEDY, find_missing
from workers.host.redis.last_words import last_message
from workers.host.redis.server import state_of
from workers.host.unusable_settings import refuse_unusable
from workers.tools.admin.discord import find_missing_settings
from workers.tools.doctor.finding import Finding, Level, Patient
from workers.tools.running_store import UNREAD, UNREAD_CURE, find_unread
from workers.tools.store.backup_place import open_place

HOUR_MS = 3_600_000


def check_settings(patient: Patient) -> Iterator[Finding]:
    """Yield whether all that the settings name can be used."""
    try:
        refuse_unusable(patient.settings)
    except (BadSetting, CannotRun) as error:
        yield Finding("settings", "fail", str(error), "See `annals config`.")
    else:
        yield Finding("settings", "ok", "All settings can be used.")
    if unread := find_unread(os.environ):
        text = f"{UNREAD}: {', '.join(unread)}."
        yield Finding("settings", "warn", text, UNREAD_CURE)


def check_servers(patient: Patient) -> Iterator[Finding]:
    """Yield whether each Redis answers, and keeps its data."""
    settings = patient.settings
    for url in dict.fromkeys((settings.events_url, settings.queue_url)):
        name, keeps = settings.setting_of(url), url == settings.events_url
        what = "The Redis of the events" if keeps else "The Redis of the queues"
        if name:
            yield from _check_external(name, url, keeps)
        elif state_of(url) != "silent":
            yield Finding("redis", "ok", f"{what} answers.")
        elif holder(settings.data):
            yield _explain_silence(what, settings.data, "redis" if keeps else "queue")
        else:
            yield Finding("redis", "warn", f"{what} is not running.", "annals run")


def _check_external(name: str, url: str, keeps: bool) -> Iterator[Finding]:
    cure = "See docs/operations.md, Use your own Redis."
    try:
        weaknesses = check_redis(name, url, keeps=keeps)
    except CannotRun as error:
        yield Finding("redis", "fail", str(error), cure)
        return
    for weakness in weaknesses:
        yield Finding("redis", "warn", weakness, cure)
    if not weaknesses:
        yield Finding("redis", "ok", f"{name} answers, and keeps what it should.")


def _explain_silence(what: str, data: Path, name: str) -> Finding:
    """Return why a Redis of our own does not answer, although the service runs: the supervisor
    forks it again, so the cure is that of the disk.
    """
    text, cure = f"{what} does not answer, but the service runs", f"See the logs in {data}/log."
    if find_write_error(data):
        cure = "Once the folder of the data can be written, it starts by itself within 30 s."
    elif reason := last_message(data / "log" / f"{name}.log"):
        text, cure = f"{text}: {reason}", f"Then it starts by itself within 30 s. {cure}"
    return Finding("redis", "fail", f"{text}.", cure)


def check_entries(patient: Patient) -> Iterator[Finding]:
    """Yield whether entries are missing that were on disk."""
    if patient.redis is None:
        return
    missing = find_missing(patient.settings, patient.redis)
    if missing:
        yield Finding("entries", "fail", " ".join(missing), REMEDY)
    else:
        yield Finding("entries", "ok", "No entry is missing that was on disk.")


def check_backups(patient: Patient) -> Iterator[Finding]:
    """Yield whether backups are made, and succeed in time."""
    settings, state = patient.settings, read_state(patient.settings.data)
    late_ms = wall_clock() - state.at - int(2 * settings.backup_hours * HOUR_MS)
    cure = "See docs/backup.md, Backups by themselves."
    if not settings.backup:
        yield Finding("backup", "warn", "The service makes no backups.", "Set ANNALS_BACKUP.")
    elif lost := _describe_lost(settings.backup, state.name):
        yield Finding("backup", "fail", lost, cure)
    elif state.failure:
        yield Finding("backup", "fail", state.describe_failure(), cure)
    elif late_ms > 0:
        last = f"The last backup is {state.name}." if state.name else "There is no backup yet."
        yield Finding("backup", "warn", last, "annals backup")
    else:
        hours = (wall_clock() - state.at) / HOUR_MS
        faults = f" It has {len(state.accepted)} accepted faults." if state.accepted else ""
        text = f"{state.name} is there, verified {hours:.0f} hours ago.{faults}"
        yield Finding("backup", "ok", text)


def _describe_lost(location: str, name: str) -> str:
    """Return why the last good backup is not at its place; empty if it is."""
    try:
        is_there = not name or open_place(location).has(name)
    except (BadSetting, CannotRun, StoreUnavailable) as error:
        return f"The place of backups cannot be reached: {error}"
    where = hide_secrets(location)
    return "" if is_there else f"{name}, the last backup, is not in {where} any more."


def check_operators(patient: Patient) -> Iterator[Finding]:
    """Yield whether the service has an operator."""
    if patient.redis is None:
        return
    count = len(Operators(patient.redis).ids())
    if count:
        yield Finding("operators", "ok", f"Operators of the service: {count}.")
    else:
        cure = "Open the link that `annals admin setup` prints."
        yield Finding("operators", "warn", "The service has no operator.", cure)


def check_log(patient: Patient) -> Iterator[Finding]:
    """Yield whether the transparency log is signed, under the address of the service."""
    path = patient.settings.tlog_folder
    if path is None:
        yield Finding("log", "ok", "The transparency log is off.")
        return
    folder = Folder(path)
    origin = (folder.text(CHECKPOINT) or "").partition("\n")[0]
    if reason := folder.stop_reason:
        yield Finding("log", "fail", f"The log signs nothing: {reason}", "annals tlog check")
    elif names_this_machine(origin) and patient.public_url:
        yield Finding(
            "log", "warn", f"The origin of the log is {origin}, which names only this machine.",
            "annals tlog restart --origin HOST/v1/log",
        )  # fmt: skip
    else:
        yield Finding("log", "ok", f"The log is signed: {origin}." if origin else "No log yet.")


def check_discord(patient: Patient) -> Iterator[Finding]:
    """Yield what is missing in the settings and in Discord."""
    if not patient.settings.discord_app:
        yield Finding("discord", "ok", "Discord is off.")
        return
    sentences = list(find_missing_settings(patient.settings))
    only_answers = patient.settings.discord_key and not patient.settings.discord_token
    level: Level = "warn" if only_answers else "fail"
    for sentence in sentences:
        yield Finding("discord", level, sentence, "See docs/how-to/set-up-discord.md.")
    if not sentences:
        yield Finding("discord", "ok", "Everything is set up.")


def check_version(patient: Patient) -> Iterator[Finding]:
    """Yield the installed version, and whether the service has it. Annals asks no one for newer
    ones.
    """
    python = ".".join(map(str, sys.version_info[:3]))
    text = f"Annals {version('annals')} is installed, on Python {python}."
    ran = last_program(patient.redis) if patient.redis else ""
    if ran and ran != program_id():
        other = ran if ran.startswith(version("annals")) else ran.partition("+")[0]
        yield Finding("version", "warn", f"{text} The service runs {other}.", "annals reload")
    else:
        yield Finding("version", "ok", text)
