"""`annals restore`: fills an empty store from a backup, and rebuilds everything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, pairwise
from os import environ
from pathlib import Path
from typing import Any

import click
from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import ResponseError

from domain.match.events import Rated
from domain.match.log import CorruptEntry, fold_match, read_events
from domain.match.scheduled_work import due_work
from projections import PROJECTIONS
from projections.outbox.plan import skip_to
from projections.projector import Projector
from service import ratings
from service.accounts.forced_moves import find_automatic
from service.channels.discord.channels import Channels
from service.channels.mail.addresses import MailAddresses
from service.channels.mail.kinds import subscription_id_of
from service.channels.push.browsers import PushSubscriptions
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue, ResendRequest
from service.channels.webhooks.queue.replay import plan_current_turns
from service.channels.webhooks.subscriptions import Subscriptions
from service.matches.container import Annals, open_annals, wall_clock
from service.runtime.settings import read_settings
from service.store.event_store import EventStore
from service.store.planning.plans import Plans
from service.store.redis_client import CLIENT_NAME, CLIENT_PREFIX, store_errors
from service.store.store_format import RESTORING_KEY, STORE_ID_KEY
from service.store.uptime import UPTIME_KEY
from workers.host.errors import CannotRun
from workers.host.redis.high_water_mark import reset_mark
from workers.host.redis.on_demand import running_redis
from workers.tools.admin.erase import erase_again
from workers.tools.check.verify import find_match_faults
from workers.tools.progress import show_progress
from workers.tools.store.backup import KEY_TREATMENTS, check_backup, read_valid
from workers.tools.store.backup_file import End, Record, StoredEntry, StoredKey, StoredStub
from workers.tools.store.continue_log import continue_log
from workers.tools.store.dump import (
    BATCH,
    is_cluster,
    keys_by_treatment,
    put_entry,
    put_key,
    put_stub,
    put_work,
)
from workers.tools.store.stored_keys import Treatment

BACKED_UP: Sequence[Treatment] = ("entries", *KEY_TREATMENTS)

CREATED_AT_START = (
    b"webhooks:key", b"tlog:signed", UPTIME_KEY.encode(), STORE_ID_KEY.encode(),
)  # fmt: skip
"""Keys that a service creates at its first start or backup; those of the backup replace them."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def restore(file: Path) -> None:
    """Fill an empty store from FILE, and verify it."""
    end = check_backup(file)
    settings = read_settings(environ)
    with running_redis(settings, create=True):
        annals = open_annals(settings)
        refuse_used_store(annals.store)
        for pack in missing_packs(annals.store, end):
            click.echo(f"{pack} is not in the archive, so its matches cannot be read.", err=True)
        mark_restoring(annals.store.redis, file)
        writer, total = RecordWriter(annals.store), 1 + end.keys + end.entries
        writer.write(show_progress("lines", read_valid(file), total))
        last, wrong = writer.last, 0
        for match in show_progress("matches", last, len(last)):
            for fault in restore_derived(annals, match, last[match]):
                wrong += 1
                click.echo(f"{match}: {fault}")
        for game in annals.games:
            ratings.rebuild(annals.store.redis, game)
        fold_projections(annals.store, range(settings.partitions))
        reset_deliveries(annals)
        erase_again(annals)
        reset_mark(settings, annals.store.redis)
        log = continue_log(settings, annals.store)
        annals.store.redis.delete(RESTORING_KEY)
    click.echo(
        f"{end.matches} matches, {end.entries} entries and {end.keys} other keys restored,"
        f" {wrong} faults found."
    )
    if log:
        click.echo(log)
    if wrong:
        raise SystemExit(1)


def missing_packs(store: EventStore, end: End) -> list[str]:
    """Return the packs that belong to a backup and are not in the archive."""
    return [pack for pack in end.packs if not store.rows.archive.target.has(pack)]


def refuse_used_store(store: EventStore) -> None:
    """CannotRun if the store has any key that a backup would contain."""
    found = keys_by_treatment(store.redis, *BACKED_UP)
    names = (name for kind in found.values() for name in kind if name not in CREATED_AT_START)
    used = [name.decode(errors="replace") for name in names]
    if used:
        raise CannotRun(
            f"The store is not empty (it has {min(used)}): a restore needs an empty store."
            " Choose another folder with ANNALS_DATA, or move var/redis away."
        )


def mark_restoring(redis: Redis, file: Path) -> None:
    """Mark a store as being restored. Raises CannotRun if a service uses it.

    A service that starts later finds the mark.
    """
    redis.set(RESTORING_KEY, str(file))
    if is_in_use(redis):
        redis.delete(RESTORING_KEY)
        raise CannotRun("A service uses this store: stop all its processes and try again.")


def is_in_use(redis: Redis) -> bool:
    """Return whether other processes of Annals are connected to this store."""
    options: Any = {"target_nodes": RedisCluster.PRIMARIES} if is_cluster(redis) else {}
    try:
        found: Any = redis.client_list(**options)
    except ResponseError:
        click.echo(
            "Note: this Redis does not list its clients; make sure that no service runs.", err=True
        )
        return False
    lists = found.values() if isinstance(found, dict) else [found]
    clients = [client for connected in lists for client in connected]
    databases = {client["db"] for client in clients if client["name"] == CLIENT_NAME}
    return any(
        client["name"].startswith(CLIENT_PREFIX) and client["name"] != CLIENT_NAME
        for client in clients
        if client["db"] in databases
    )


class RecordWriter:
    """Writes records of a backup into a store.

    The number of partitions may differ: each match keeps the order of its entries.
    """

    def __init__(self, store: EventStore) -> None:
        self._store, self._now = store, wall_clock()
        self._positions, self._versions = Counter[int](), Counter[str]()
        self.last: dict[str, int] = {}
        """The position of the last entry of each match in its feed."""

    def write(self, records: Iterable[Record]) -> None:
        """Write all keys, entries and stubs."""
        store, stubs = self._store, set[str]()
        for page in in_batches(records):
            with store_errors(), store.redis.pipeline(transaction=False) as pipe:
                for record in page:
                    if isinstance(record, StoredKey):
                        put_key(pipe, record, self._now)
                    elif isinstance(record, StoredStub):
                        put_stub(pipe, store, record)
                        stubs.add(record.match)
                    elif isinstance(record, StoredEntry):
                        put_entry(pipe, store, record, self._next_position(record.match))
                pipe.execute()
        for match in stubs:
            truncate_match(store, match, self._versions[match])

    def _next_position(self, match: str) -> int:
        partition = self._store.partition_of(match)
        self._versions[match] += 1
        self._positions[partition] += 1
        self.last[match] = self._positions[partition]
        return self._positions[partition]


def truncate_match(store: EventStore, match: str, version: int) -> None:
    """Cut a match back to this version, if the archive has entries from after the backup."""
    with store_errors(), suppress(CorruptEntry):
        stub = store.rows.read_stub(match)
        if stub and stub.version != version:
            store.rows.restore_stream(match, stub, version)


def in_batches(records: Iterable[Record]) -> Iterator[list[Record]]:
    """Yield the records in batches."""
    left = iter(records)
    while page := list(islice(left, BATCH)):
        yield page


def restore_derived(annals: Annals, match_id: str, position: int) -> Iterator[str]:
    """Write the due work and the rating outcome of a match; yields what is wrong with it."""
    store = annals.store
    try:
        entries = store.read(match_id)
        match = fold_match(annals.games, entries)
    except CorruptEntry as error:
        yield str(error)
        return
    with store_errors(), store.redis.pipeline(transaction=False) as pipe:
        put_work(pipe, store, match_id, due_work(match), position)
        pipe.execute()
    if match.status == "active":  # a backup has no plans, but settings of accounts hold on
        for player in find_automatic(store.redis, sorted(match.deciding_players())):
            Plans(store).add_to_all([match_id], player, annals.now())
    for before, record in pairwise(entries):
        if record.kind == "Rated":
            [rated] = read_events(match.game, record.events)
            assert isinstance(rated, Rated)
            seats, at = ratings.participants_of(match, rated.changes), before.at
            ratings.store_outcome(store.redis, match.game.key, match_id, rated.changes, seats, at)
    yield from find_match_faults(annals, match_id)


def reset_deliveries(annals: Annals) -> None:
    """Let webhooks, mail and push messages deliver only later notices, and resend whose turn it is
    now: a subscriber may have been notified of an earlier turn whose move is lost.
    """
    store = annals.store
    with store_errors():
        for partition in range(store.partitions):
            skip_to(store.redis, partition, store.feed_length(partition))
        known = Subscriptions(store.redis, store.partitions, annals.settings.webhooks)
        for name in known.mark_restored(annals.now()):
            DeliveryQueue(store.redis, store.partitions, name).request_resend(
                ResendRequest("turns")
            )
        Channels(store).follow_all()
        for player, criteria in MailAddresses(store).put_all_filters().items():
            queue = DeliveryQueue(store.redis, store.partitions, subscription_id_of(player))
            plan_current_turns(annals, player, criteria, queue)
        for device, criteria in PushSubscriptions(store).put_all_filters().items():
            queue = DeliveryQueue(store.redis, store.partitions, device.outbox_id)
            plan_current_turns(annals, device.player, criteria, queue)


def fold_projections(store: EventStore, partitions: Iterable[int]) -> None:
    """Fold all projections of these partitions."""
    for partition in partitions:
        projector = Projector(store.redis, store, [partition], PROJECTIONS)
        while projector.fold_next(BATCH):
            pass
