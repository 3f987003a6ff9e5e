"""`annals tlog`: checks the transparency log, changes keys, and continues after a restore."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from os import environ
from pathlib import Path

import click

from domain.audit.errors import Unproven
from domain.audit.log_entries import read_leaf
from domain.audit.notes import find_signers, read_checkpoint, read_key, read_note
from domain.audit.tiles import ENTRIES_LEVEL, TILE_WIDTH, Tile, grow, nodes_of, tile_at, unpack
from domain.audit.tree import root_of
from service.runtime.settings import Settings
from service.store.event_store import EventStore
from service.store.redis_client import connect
from service.tlog.errors import LogBusy, LogInconsistent
from service.tlog.folder import CHECKPOINT, KEYS, Folder
from service.tlog.keys import Keys
from service.tlog.signed_state import SignedStateStore
from service.tlog.state import LogState, load, save
from workers.host.errors import CannotRun
from workers.host.redis.on_demand import running_redis
from workers.processes.notary import find_origin
from workers.tools.progress import show_progress
from workers.tools.running_store import read_service_settings

WAIT_S = 15.0
"""How long to wait for the notary to release the folder; a notary that is stopped does so now and
then.
"""


@click.group()
def tlog() -> None:
    """Manage the transparency log."""


@tlog.command()
def check() -> None:
    """Compute all hashes of the log, and compare them with the signed checkpoint. If the log has
    stopped, say why.
    """
    folder = _folder(read_service_settings(environ))
    stopped = folder.stop_reason
    if folder.text(CHECKPOINT) is None:
        raise CannotRun(stopped or f"There is no signed log in {folder.path}.")
    try:
        size, faults = check_log(folder)
    except Unproven as reason:
        raise CannotRun(f"The checkpoint cannot be read: {reason}") from None
    if stopped:
        faults.append(f"The log has stopped: {stopped}")
    for fault in faults:
        click.echo(fault)
    click.echo(f"{size} leaves, {len(faults)} faults found.")
    if faults:
        raise SystemExit(1)


@tlog.command()
def rotate() -> None:
    """Create another key, which signs in addition to the existing ones."""
    keys, origin = _keys()
    keys.add()
    click.echo(f"New signing key: {keys.signers(origin)[0].key.vkey}")


@tlog.command()
@click.argument("key_id")
def retire(key_id: str) -> None:
    """Stop signing with the key with KEY_ID (8 hexadecimal digits)."""
    keys, origin = _keys()
    if not keys.drop(origin, key_id):
        raise CannotRun(f"There is no key {key_id}, or it is the only one.")
    click.echo(f"{key_id} no longer signs.")


@tlog.command()
def resume() -> None:
    """Continue the log with an event store that is older or has other feeds.

    The log keeps all its leaves, including those that the store has lost.
    """
    settings = read_service_settings(environ)
    folder = _folder(settings)
    with _lock_folder(folder):
        save(folder.path, _load_state(folder).from_start())
    click.echo("The log reads the feeds again; leaves that it has already are not added twice.")


@tlog.command()
@click.option("--origin", help="The origin of the new log, if ANNALS_TLOG_ORIGIN is not set.")
def restart(origin: str | None) -> None:
    """Start another log with a new origin and key; the folder keeps the files of the old one."""
    settings = read_service_settings(environ)
    folder = _folder(settings)
    with _lock_folder(folder), running_redis(settings):
        store = EventStore(connect(settings.events_url), settings.partitions)
        new_origin = settings.tlog_origin or origin or find_origin(settings, store)
        signed_state = SignedStateStore(store)
        if new_origin in origins(folder, signed_state):
            raise CannotRun(
                f"{new_origin} is the origin of the old log: a new log needs another origin. Set"
                " ANNALS_TLOG_ORIGIN or --origin."
            )
        set_aside = _set_aside(folder)
        save(folder.path, LogState(new_origin))
        signed_state.clear()
    click.echo(f"The log {new_origin} starts; the files of the old log are in {set_aside}.")


def origins(folder: Folder, signed_state: SignedStateStore) -> Iterator[str]:
    """Yield the origins of earlier logs, as far as this machine knows them."""
    if signed := signed_state.latest():
        yield signed.origin
    for path in (folder.path, *folder.path.glob("ended-*")):
        text = Folder(path).text(CHECKPOINT)
        if text:
            yield text.partition("\n")[0]


def check_log(folder: Folder) -> tuple[int, list[str]]:
    """Return the number of leaves of a log, and its faults. Raises Unproven if it cannot be
    checked.
    """
    note = read_note(folder.text(CHECKPOINT) or "")
    checkpoint = read_checkpoint(note.text)
    keys = [read_key(line) for line in (folder.text(KEYS) or "").split()]
    faults = list(find_tile_faults(folder, checkpoint.size))
    if not keys or find_signers(note, keys) != keys:
        faults.append("The checkpoint is not signed by all keys of the log.")
    if not faults and root_of(checkpoint.size, nodes_of(checkpoint.size, folder.tile)) != (
        checkpoint.root
    ):
        faults.append("The root in the checkpoint does not match the tiles.")
    return checkpoint.size, faults


def find_tile_faults(folder: Folder, size: int) -> Iterator[str]:
    """Sentences about faults of the tiles of a log, which all follow from its entries."""
    last: dict[Tile, bytes] = {}
    for first in show_progress("bundles", range(0, size, TILE_WIDTH), -(-size // TILE_WIDTH)):
        bundle = tile_at(size, ENTRIES_LEVEL, first // TILE_WIDTH)
        try:
            entries = unpack(folder.tile(bundle))
            for entry in entries:
                read_leaf(entry)
            made = grow(first, entries, last.__getitem__)
        except Unproven as reason:
            yield f"{bundle.path}: {reason}"
            return
        over = first + TILE_WIDTH >= size
        yield from _compare_tiles(
            folder, {t: made[t] for t in made if over or t.width == TILE_WIDTH}
        )
        last |= made


def _compare_tiles(folder: Folder, tiles: Mapping[Tile, bytes]) -> Iterator[str]:
    """Sentences about tiles that differ from the expected ones."""
    for tile, content in tiles.items():
        try:
            if folder.tile(tile) != content:
                yield f"{tile.path} does not match the entries."
        except Unproven as missing:
            yield str(missing)


@contextmanager
def _lock_folder(folder: Folder) -> Iterator[None]:
    """Hold the folder, as soon as the notary releases it; CannotRun after WAIT_S."""
    until = time.monotonic() + WAIT_S
    while True:
        try:
            with folder.lock():
                yield
            return
        except LogBusy:
            if time.monotonic() > until:
                raise CannotRun("The notary is running: stop it or the service first.") from None
            time.sleep(0.1)


def _folder(settings: Settings) -> Folder:
    if settings.tlog_folder is None:
        raise CannotRun("ANNALS_TLOG is off, so there is no log.")
    return Folder(settings.tlog_folder)


def _load_state(folder: Folder) -> LogState:
    try:
        state = load(folder.path)
    except LogInconsistent as reason:
        raise CannotRun(str(reason)) from None
    if state is None:
        raise CannotRun(f"There is no log in {folder.path}.")
    return state


def _keys() -> tuple[Keys, str]:
    settings = read_service_settings(environ)
    if settings.tlog_keys:
        raise CannotRun("ANNALS_TLOG_KEYS sets the keys: change them there.")
    folder = _folder(settings)
    return Keys(folder.path, ()), _load_state(folder).origin


def _set_aside(folder: Folder) -> Path:
    """Move all files of a folder into a new folder inside it, and return that."""
    set_aside = next(path for n in count(1) if not (path := folder.path / f"ended-{n}").exists())
    set_aside.mkdir(mode=0o700)
    for path in sorted(folder.path.iterdir()):
        if path.name != "lock" and not path.name.startswith("ended-"):
            path.rename(set_aside / path.name)
    return set_aside
