"""`annals tlog`: checks the transparency log, looks after its keys, and goes on after a restore."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from os import environ
from pathlib import Path

import click
from msgspec.structs import replace

from domain.audit.errors import Unproven
from domain.audit.log_entries import read_leaf
from domain.audit.notes import read_checkpoint, read_key, read_note, signed_by
from domain.audit.tiles import ENTRIES, WIDTH, Tile, grown, nodes_of, tile_at, unpack
from domain.audit.tree import root_of
from service.runtime.settings import Settings, read_settings
from service.store.event_store import Store
from service.store.redis_client import connect
from service.tlog.errors import Busy, Contradiction
from service.tlog.folder import CHECKPOINT, KEYS, Folder
from service.tlog.keys import Keys
from service.tlog.signed_state import Noted
from service.tlog.state import Standing, load, save
from workers.host.errors import CannotRun
from workers.host.redis_up import redis_up
from workers.processes.notary import origin_of
from workers.tools.progress import counted

WAIT_S = 15.0
"""How long a notary may hold the folder; one that cannot go on lets go of it now and then."""


@click.group()
def tlog() -> None:
    """Look after the transparency log."""


@tlog.command()
def check() -> None:
    """Compute all hashes of the log anew, and compare them with what was signed."""
    folder = _folder(read_settings(environ))
    try:
        size, faults = check_all(folder)
    except Unproven as reason:
        raise CannotRun(f"The checkpoint cannot be read: {reason}") from None
    for fault in faults:
        click.echo(fault)
    click.echo(f"{size} leaves, {len(faults)} faults found.")
    if faults:
        raise SystemExit(1)


@tlog.command()
def rotate() -> None:
    """Make another key, which signs besides those there are."""
    keys, origin = _keys()
    keys.add()
    click.echo(f"Signs from now on: {keys.signers(origin)[0].key.vkey}")


@tlog.command()
@click.argument("key_id")
def retire(key_id: str) -> None:
    """Let the key with KEY_ID (8 hexadecimal digits) sign no more."""
    keys, origin = _keys()
    if not keys.drop(origin, key_id):
        raise CannotRun(f"There is no key {key_id}, or no other one.")
    click.echo(f"{key_id} signs no more.")


@tlog.command()
def resume() -> None:
    """Go on with the log beside an event store that is older, or has other feeds.

    What the log has stays in it, also what the store has lost.
    """
    settings = read_settings(environ)
    folder = _folder(settings)
    with _held(folder):
        standing = _standing(folder)
        save(folder.path, replace(standing, places={}, moved={}, rescan=True))
    click.echo("The feeds are read anew; what is in the log already comes no second time.")


@tlog.command()
@click.option("--origin", help="The origin of the new log, if no setting names it.")
def restart(origin: str | None) -> None:
    """Begin another log, with an origin and a key of its own; the folder of this one is kept."""
    settings = read_settings(environ)
    folder = _folder(settings)
    begun = settings.tlog_origin or origin or origin_of(settings)
    with _held(folder), redis_up(settings):
        noted = Noted(Store(connect(settings.events_url), settings.partitions))
        if begun in origins(folder, noted):
            raise CannotRun(
                f"{begun} is the origin of the log there was: another log needs another one. Set"
                " ANNALS_TLOG_ORIGIN, or name it with --origin."
            )
        kept = _put_aside(folder)
        save(folder.path, Standing(begun))
        noted.forget()
    click.echo(f"{begun} begins; what there was of the other log is kept in {kept}.")


def origins(folder: Folder, noted: Noted) -> Iterator[str]:
    """The origins of logs that there were, as far as they are known here."""
    if signed := noted.signed():
        yield signed.origin
    for path in (folder.path, *folder.path.glob("ended-*")):
        text = Folder(path).text(CHECKPOINT)
        if text:
            yield text.partition("\n")[0]


def check_all(folder: Folder) -> tuple[int, list[str]]:
    """How many leaves a log has, and what is wrong with it; Unproven if nobody can tell."""
    note = read_note(folder.text(CHECKPOINT) or "")
    checkpoint = read_checkpoint(note.text)
    keys = [read_key(line) for line in (folder.text(KEYS) or "").split()]
    faults = list(wrong_tiles(folder, checkpoint.size))
    if not keys or signed_by(note, keys) != keys:
        faults.append("The checkpoint is not signed by all keys of the log.")
    if not faults and root_of(checkpoint.size, nodes_of(checkpoint.size, folder.tile)) != (
        checkpoint.root
    ):
        faults.append("The root in the checkpoint is not that of the tiles.")
    return checkpoint.size, faults


def wrong_tiles(folder: Folder, size: int) -> Iterator[str]:
    """What is wrong with the tiles of a log: all follow from the entries."""
    last: dict[Tile, bytes] = {}
    for first in counted("bundles", range(0, size, WIDTH), -(-size // WIDTH)):
        bundle = tile_at(size, ENTRIES, first // WIDTH)
        try:
            entries = unpack(folder.tile(bundle))
            for entry in entries:
                read_leaf(entry)
            made = grown(first, entries, last.__getitem__)
        except Unproven as reason:
            yield f"{bundle.path}: {reason}"
            return
        over = first + WIDTH >= size
        yield from wrong(folder, {t: made[t] for t in made if over or t.width == WIDTH})
        last |= made


def wrong(folder: Folder, tiles: Mapping[Tile, bytes]) -> Iterator[str]:
    """Those of some tiles that are not what they have to be."""
    for tile, content in tiles.items():
        try:
            if folder.tile(tile) != content:
                yield f"{tile.path} is not what follows from the entries."
        except Unproven as missing:
            yield str(missing)


@contextmanager
def _held(folder: Folder) -> Iterator[None]:
    """Hold the folder, as soon as the notary lets go of it."""
    until = time.monotonic() + WAIT_S
    while True:
        try:
            with folder.held():
                yield
            return
        except Busy:
            if time.monotonic() > until:
                raise CannotRun(
                    "The notary goes on with the log: stop it, or the service, first."
                ) from None
            time.sleep(0.1)


def _folder(settings: Settings) -> Folder:
    if settings.tlog_folder is None:
        raise CannotRun("ANNALS_TLOG is off: there is no log.")
    return Folder(settings.tlog_folder)


def _standing(folder: Folder) -> Standing:
    try:
        standing = load(folder.path)
    except Contradiction as reason:
        raise CannotRun(str(reason)) from None
    if standing is None:
        raise CannotRun(f"There is no log in {folder.path}.")
    return standing


def _keys() -> tuple[Keys, str]:
    settings = read_settings(environ)
    if settings.tlog_keys:
        raise CannotRun("ANNALS_TLOG_KEYS names the keys: change them there.")
    folder = _folder(settings)
    return Keys(folder.path, ()), _standing(folder).origin


def _put_aside(folder: Folder) -> Path:
    """Keep all that is in a folder in one inside it."""
    kept = next(path for n in count(1) if not (path := folder.path / f"ended-{n}").exists())
    kept.mkdir(mode=0o700)
    for path in sorted(folder.path.iterdir()):
        if path.name != "lock" and not path.name.startswith("ended-"):
            path.rename(kept / path.name)
    return kept
