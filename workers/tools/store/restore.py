"""Restore: an empty store is filled from a backup, and everything else is made anew from that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from os import environ
from pathlib import Path
from typing import Any

import click
from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import ResponseError

from domain.match.events import Rated
from domain.match.log import Damaged, fold_match, read_events
from domain.match.scheduled_work import due
from projections import PROJECTIONS
from projections.outbox.plan import skip
from projections.projector import Projector
from service import ratings
from service.channels.discord.channels import Channels
from service.channels.webhooks.queue.delivery_queue import Errand, Mail
from service.channels.webhooks.subscriptions import Subscriptions
from service.matches.container import Annals, open_annals, wall_clock
from service.runtime.settings import read_settings
from service.store.event_store import Store
from service.store.redis_client import CLIENT, OF_ANNALS, answering
from service.store.store_format import RESTORING
from workers.host.errors import CannotRun
from workers.host.high_water_mark import accept_loss
from workers.host.redis_up import redis_up
from workers.tools.admin.erase import forget_again
from workers.tools.check.verify import faults
from workers.tools.progress import counted
from workers.tools.store.backup import checked, sound
from workers.tools.store.backup_file import End, Record, StoredEntry, StoredKey, StoredStub
from workers.tools.store.dump import (
    PAGE,
    is_cluster,
    keys_by_treatment,
    owe,
    put_entry,
    put_key,
    put_stub,
)
from workers.tools.store.stored_keys import Treatment

KEPT: Sequence[Treatment] = ("entries", "result", "account")

MADE_AT_START = (b"webhooks:key", b"tlog:signed")
"""What a service has that was started, and not used: that of the backup takes its place."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def restore(file: Path) -> None:
    """Fill an empty store from FILE, and check what is there then."""
    end = checked(file)
    settings = read_settings(environ)
    with redis_up(settings, create=True):
        annals = open_annals(settings)
        refuse_what_is_there(annals.store)
        for pack in missing_packs(annals.store, end):
            click.echo(f"{pack} is not in the archive: its matches cannot be read.", err=True)
        mark(annals.store.redis, file)
        last = put_back(annals.store, file, end)
        wrong = 0
        for match in counted("matches", last, len(last)):
            for fault in settle(annals, match, last[match]):
                wrong += 1
                click.echo(f"{match}: {fault}")
        for game in annals.games:
            ratings.catch_up(annals.store.redis, game)
        fold(annals.store)
        tell_from_now_on(annals)
        forget_again(annals)
        annals.store.redis.delete(RESTORING)
        accept_loss(settings, annals.store.redis)
    click.echo(
        f"{end.matches} matches, {end.entries} entries and {end.keys} other keys restored,"
        f" {wrong} faults found."
    )
    if wrong:
        raise SystemExit(1)


def missing_packs(store: Store, end: End) -> list[str]:
    """The packs that belong to a backup, and are not there."""
    return [pack for pack in end.packs if not store.rows.archive.target.has(pack)]


def refuse_what_is_there(store: Store) -> None:
    """Refuse a store in which anything is that a backup would have."""
    found = keys_by_treatment(store.redis)
    kept = (name for kind in KEPT for name in found.get(kind, []) if name not in MADE_AT_START)
    there = [name.decode(errors="replace") for name in kept]
    if there:
        raise CannotRun(
            f"The store is not empty (it has {min(there)}): a backup is restored into an empty one"
            " only. Choose another folder with ANNALS_DATA, or move var/redis away."
        )


def mark(redis: Redis, file: Path) -> None:
    """Mark a store as being filled; CannotRun if a service uses it, which would go on from half of
    what is to be there. Whoever comes later meets the mark.
    """
    redis.set(RESTORING, str(file))
    if others_use(redis):
        redis.delete(RESTORING)
        raise CannotRun(
            "A service uses this store: stop it, with all its processes, and try again."
        )


def others_use(redis: Redis) -> bool:
    """Whether other processes of Annals are connected to this store."""
    asked: Any = {"target_nodes": RedisCluster.PRIMARIES} if is_cluster(redis) else {}
    try:
        found: Any = redis.client_list(**asked)
    except ResponseError:
        click.echo("Note: this Redis tells nobody who uses it; no service may run.", err=True)
        return False
    lists = found.values() if isinstance(found, dict) else [found]
    clients = [client for connected in lists for client in connected]
    places = {client["db"] for client in clients if client["name"] == CLIENT}
    return any(
        client["name"].startswith(OF_ANNALS) and client["name"] != CLIENT
        for client in clients
        if client["db"] in places
    )


def put_back(store: Store, file: Path, end: End) -> dict[str, int]:
    """Write all keys and entries; the matches with the places of their last entries in the feeds.

    With another number of partitions each match keeps the order of its entries.
    """
    now, positions, last = wall_clock(), Counter[int](), dict[str, int]()
    versions, stubs = Counter[str](), set[str]()
    total = 1 + end.keys + end.entries
    for page in pages(counted("lines", sound(file), total)):
        with answering(), store.redis.pipeline(transaction=False) as pipe:
            for record in page:
                if isinstance(record, StoredKey):
                    put_key(pipe, record, now)
                elif isinstance(record, StoredStub):
                    put_stub(pipe, store, record)
                    stubs.add(record.match)
                elif isinstance(record, StoredEntry):
                    versions[record.match] += 1
                    partition = store.partition_of(record.match)
                    positions[partition] += 1
                    last[record.match] = positions[partition]
                    put_entry(pipe, store, record, positions[partition])
            pipe.execute()
    for match in stubs:
        cut_back(store, match, versions[match])
    return last


def cut_back(store: Store, match: str, version: int) -> None:
    """Let a match have so many entries, if the archive has some of after the backup."""
    with answering(), suppress(Damaged):
        stub = store.rows.stub(match)
        if stub and stub.version != version:
            store.rows.take_back(match, stub, version)


def pages(records: Iterable[Record]) -> Iterator[list[object]]:
    """The records, some at a time."""
    page: list[object] = []
    for record in records:
        page.append(record)
        if len(page) == PAGE:
            yield page
            page = []
    yield page


def settle(annals: Annals, match_id: str, position: int) -> Iterator[str]:
    """Write down what is due for a match, and what it did to the ratings; what is wrong with it."""
    store = annals.store
    try:
        entries = store.read(match_id)
        match = fold_match(annals.games, entries)
    except Damaged as damage:
        yield str(damage)
        return
    with answering(), store.redis.pipeline(transaction=False) as pipe:
        owe(pipe, store, match_id, due(match), position)
        pipe.execute()
    for before, record in pairwise(entries):
        if record.kind == "Rated":
            [rated] = read_events(match.game, record.events)
            assert isinstance(rated, Rated)
            seats, at = ratings.competitors_of(match), before.at
            ratings.remember(store.redis, match.game.key, match_id, rated.changes, seats, at)
    yield from faults(annals, match_id)


def tell_from_now_on(annals: Annals) -> None:
    """Let webhooks tell what happens later; of what is there now, whose turn it is: it may be the
    turn of somebody who was told so before, and whose move is lost.
    """
    store = annals.store
    with answering():
        for partition in range(store.partitions):
            skip(store.redis, partition, store.feed_length(partition))
        known = Subscriptions(store.redis, store.partitions, annals.settings.webhooks)
        for name in known.restored(annals.now()):
            Mail(store.redis, store.partitions, name).ask(Errand("turns"))
        Channels(store).follow_all()


def fold(store: Store) -> None:
    """Fold all projections; the projector may be at it as well."""
    for partition in range(store.partitions):
        projector = Projector(store.redis, store, [partition], PROJECTIONS)
        while projector.fold_next(PAGE):
            pass
