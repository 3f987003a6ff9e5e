"""Backups by themselves: writes, verifies and copies a backup, and deletes those no longer needed.

A kill at any moment loses nothing. A backup is written and verified in a folder beside the data; at
its place it gets its name once all its bytes are there. The next one deletes what a killed one
left.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Collection, Sequence
from contextlib import suppress
from errno import EACCES
from functools import partial
from http.client import HTTPException
from math import ceil
from pathlib import Path
from threading import Event
from urllib.request import Request, urlopen

import click
import structlog
from msgspec.structs import replace

from domain.match.log import CorruptEntry
from service.matches.container import open_annals, wall_clock
from service.runtime.errors import StoreUnavailable
from service.runtime.logs import configure_logs, describe_error
from service.runtime.settings import BadSetting, Settings
from service.store.archive.targets import FolderTarget
from service.store.backup_state import (
    BackupState,
    is_requested,
    read_state,
    withdraw_request,
    write_state,
)
from service.store.erased_players import ERASED_FILE
from service.store.event_store import EventStore
from service.store.store_format import store_id
from workers.host.errors import CannotRun
from workers.host.redis.checks import await_both
from workers.host.redis.on_demand import running_redis
from workers.tools.stage_folder import StageInUse, hold_stage
from workers.tools.store.backup import check_backup, read_valid, write_backup
from workers.tools.store.backup_file import End
from workers.tools.store.backup_place import FAULTY, GOOD, BackupName, BackupPlace, open_place
from workers.tools.store.dump import feed_lengths
from workers.tools.store.stall_watch import STALL_S, ending_if_stalled
from workers.tools.store.trial import begin_trial, run_trial

LOOK_S = 10.0
"""How often the schedule is looked at; it begins so long after the start."""
MB = 1_000_000
ENTRY_BYTES = 200
"""What an entry takes in a backup, at most, with its part of the accounts."""
ALERT_S = 10.0
NICE = 15
"""Niceness of the process: all else comes first."""
STAGE = "backup-stage"
MAX_ACCEPTED = 300
"""Limits the faults in the file of the state, which the keeper reads every few seconds."""
PACKS = "packs"
FAULT_OF_ENTRY = re.compile(r"^((?:\S+: )?version \d+) .*", re.DOTALL)
log = structlog.get_logger("annals.backup")


class FaultyStore(CannotRun):
    """The backup is complete, but the store has faults."""


def keep_backups(settings: Settings, *, scheduled: bool, accept: bool = False) -> None:
    """Back up now, or by the schedule for ever. Raises CannotRun if the backup fails.

    With `accept`, a backup with the faults that the store has now counts as good from now on.
    """
    if not settings.backup:
        raise CannotRun("Name a FILE, or set ANNALS_BACKUP.")
    if scheduled:
        configure_logs(settings.log_level)
        os.nice(NICE)
        await_both(settings)
        run_scheduled(settings, open_annals(settings).store, Event())
        return
    with running_redis(settings):
        state = attempt_backup(settings, open_annals(settings).store, accept=accept)
    for fault in state.accepted if accept and state.at >= state.failed_at else ():
        click.echo(f"Accepted: {fault}")
    if state.failure:
        raise CannotRun(state.describe_failure())
    click.echo(f"{state.name}: {state.matches} matches, {state.bytes} bytes, verified.")


def run_scheduled(settings: Settings, store: EventStore, stop: Event) -> None:
    """Back up whenever a backup is due or requested, until `stop` is set."""
    known = BackupState()  # also what could not be recorded
    while not stop.wait(LOOK_S):
        known = latest(known, read_state(settings.data))
        due = is_due(known, settings.backup_hours, wall_clock())
        if due or is_requested(settings.data):
            guard = ending_if_stalled(partial(report_stall, settings))
            with suppress(StageInUse), guard:  # the operator may have begun one
                known = attempt_backup(settings, store, known)


def latest(*states: BackupState) -> BackupState:
    """Return the state that changed last."""
    return max(states, key=lambda state: state.changed_at)


def is_due(state: BackupState, hours: float, now: int) -> bool:
    """Return whether a backup is due, also because the clock was set back."""
    return not state.changed_at <= now < state.due_at(hours)


def attempt_backup(
    settings: Settings, store: EventStore, known: BackupState | None = None, accept: bool = False
) -> BackupState:
    """Back up, and report what became of it. Raises StageInUse if another process is doing so.

    `known` is the state if it is known better than from its file. With `accept`, all faults of the
    store are.
    """
    before, now = known or read_state(settings.data), wall_clock()
    try:
        with hold_stage(settings.data / STAGE, "backup") as files:
            before = begin_attempt(settings, before, now)
            accepted = None if accept else before.accepted
            after = replace(back_up(settings, store, files, now, accepted), alerted=before.alerted)
    except StageInUse:
        raise
    except Exception as error:  # whatever it is, the operator has no backup
        with suppress(OSError):  # it may have failed before it began
            withdraw_request(settings.data)
        faulty = isinstance(error, FaultyStore)
        after = replace(before, failure=describe(error), failed_at=now, faulty=faulty, begun_at=0)
    return report(settings, after)


def begin_attempt(settings: Settings, before: BackupState, now: int) -> BackupState:
    """Record that an attempt begins; the one before has failed if it never ended."""
    if before.begun_at:
        failure = "its process ended before it was complete."
        failed = replace(before, failure=failure, failed_at=before.begun_at, faulty=False)
        before = report(settings, failed)
    begun = replace(before, begun_at=now)
    record(settings, begun)
    withdraw_request(settings.data)
    return begun


def report_stall(settings: Settings) -> BackupState:
    """Report that the attempt under way hangs."""
    failure = f"it made no progress for {STALL_S / 60:g} minutes: its place may not answer."
    begun, now = read_state(settings.data), wall_clock()
    return report(
        settings, replace(begun, failure=failure, failed_at=now, faulty=False, begun_at=0)
    )


def report(settings: Settings, state: BackupState) -> BackupState:
    """Log and record a state, and send an alert of what the address for alerts does not know yet;
    returns the state with what it knows then.
    """
    if state.failure:
        log.error("backup_failed", reason=state.failure)
    else:
        log.info("backed_up", name=state.name, bytes=state.bytes, matches=state.matches)
    if state.is_news and send_alert(settings.alert_url, state):
        state = replace(state, alerted=state.failure)
    record(settings, state)
    return state


def record(settings: Settings, state: BackupState) -> None:
    """Write a state to its file, if that is possible."""
    with suppress(OSError):  # such as on a full disk
        write_state(settings.data, state)


def back_up(
    settings: Settings, store: EventStore, files: Path, now: int, accepted: Collection[str] | None
) -> BackupState:
    """Write a backup into a folder, verify it by a restore into a scratch store, and copy it to its
    place.

    If the store itself has faults, its backup has them too: it is kept beside the good ones, unless
    all of them are `accepted` (None: whatever they are). If it may lack what an earlier backup has,
    the state says so as a failure.
    """
    refuse_full_disk(settings, store)
    place, store_name = open_place(settings.backup), store_id(store.redis)
    place.delete_unfinished(store_name)
    file = files / "new"
    end = write_backup(store, file)
    check_backup(file)
    found = run_trial(*begin_trial(read_valid(file)), settings, files / "scratch")
    faults = tuple(dict.fromkeys(map(hide_values, found)))
    new_faults = choose_new(faults, accepted)
    new = BackupName(store_name, now // 1000 * 1000, end.entries, FAULTY if new_faults else GOOD)
    copy_packs(settings, store, place, end)
    place.store(file, str(new))
    loss = place.describe_loss(new)
    place.prune(new, settings.backup_keep)
    if new_faults:
        raise FaultyStore(f"it is kept as {FAULTY}, because the store has faults. {new_faults[0]}")
    size, failed_at = file.stat().st_size, now if loss else 0
    return BackupState(str(new), now, size, end.matches, loss, failed_at, accepted=faults)


def choose_new(faults: Sequence[str], accepted: Collection[str] | None) -> Sequence[str]:
    """Return the faults that are not `accepted` (None: all are). Raises FaultyStore if they are too
    many to be accepted.
    """
    if accepted is not None:
        known = set(accepted)
        return [one for one in faults if one not in known]
    if len(faults) > MAX_ACCEPTED:
        raise FaultyStore(
            f"{len(faults)} faults are too many to accept ({MAX_ACCEPTED}): see `annals verify`."
        )
    return []


def refuse_full_disk(settings: Settings, store: EventStore) -> None:
    """Raise CannotRun if a backup might fill the disk of the data."""
    size = max(read_state(settings.data).bytes * 5 // 4, sum(feed_lengths(store)) * ENTRY_BYTES)
    needed = size + settings.disk_reserve_mb * MB
    if shutil.disk_usage(settings.data).free < needed:
        raise CannotRun(
            f"less than {ceil(needed / MB)} MB are free in {settings.data}, where a backup is"
            " written first."
        )


def copy_packs(settings: Settings, store: EventStore, place: BackupPlace, end: End) -> None:
    """Copy what belongs to a backup and is only in the data folder: packs of the archive, and the
    list of erased players.
    """
    archive = store.rows.archive.target
    if isinstance(archive, FolderTarget):
        for pack in end.packs:
            place.store_missing(archive.path / pack, f"{PACKS}/{pack}")
    erased = settings.data / ERASED_FILE
    if erased.is_file():
        place.store(erased, ERASED_FILE)


def describe(error: Exception) -> str:
    """Return an error as a sentence for the operator."""
    if isinstance(error, CannotRun | BadSetting | CorruptEntry | StoreUnavailable):
        return hide_values(str(error))
    if isinstance(error, OSError) and error.strerror:
        cure = (
            f" Let its folder belong to this user (chown {os.getuid()})."
            if error.errno == EACCES
            else ""
        )
        return f"{error.filename or 'A file'}: {error.strerror}.{cure}"
    return describe_error(error)


def hide_values(fault: str) -> str:
    """Return a sentence about an entry with only its match and version: the rest may quote a move
    or a hand, which operators who read states, alerts and logs must not see.
    """
    return FAULT_OF_ENTRY.sub(r"\1 has a fault: see `annals verify`.", fault)


def send_alert(url: str, state: BackupState) -> bool:
    """Send what became of a backup to the address for alerts, if there is one; return whether it
    has received it.
    """
    if not url:
        return False
    text = state.describe_failure() or f"Backups work again: {state.name} is good."
    kind = "backup.failed" if state.failure else "backup.recovered"
    body = json.dumps({"type": kind, "text": text, "content": text}).encode()
    request = Request(url, body, {"Content-Type": "application/json", "User-Agent": "Annals"})  # noqa: S310 - the operator's own URL
    try:
        urlopen(request, timeout=ALERT_S).close()  # noqa: S310 - likewise
    except (OSError, HTTPException) as error:
        log.error("alert_failed", reason=str(error))
        return False
    return True
