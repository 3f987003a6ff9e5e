"""Restores a backup into a scratch store in memory, to find out whether this version can read all
of it.

One partition is there at a time, so the memory it takes is that of the largest partition.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from projections.core.spaces import slot_tag
from projections.lists.matches import get
from service import ratings
from service.accounts.look_index import LookReport, add_looks
from service.matches.container import Annals, open_annals
from service.runtime.config.checks import OFF
from service.runtime.settings import Settings
from service.store.archive.targets import ARCHIVE_FOLDER
from service.store.redis_client import store_errors
from workers.host.redis.server import NO_FILE, run_redis
from workers.tools.check.check_accounts import find_account_faults
from workers.tools.store.backup_file import Header, Record, StoredEntry, StoredKey, StoredStub
from workers.tools.store.dump import BATCH
from workers.tools.store.restore import RecordWriter, fold_projections, restore_derived

KEYS = -1
"""Stands for a partition, for records that belong to none."""


@dataclass
class Trial:
    """What a trial has read."""

    header: Header
    matches: int = 0
    entries: int = 0
    keys: int = 0
    earlier_rules: Counter[tuple[str, int]] = field(default_factory=Counter)
    """How many matches in play were last moved by earlier rules, by game and version of the
    rules.
    """
    looks: LookReport = field(default_factory=LookReport)

    def __str__(self) -> str:
        return f"{self.matches} matches, {self.entries} entries and {self.keys} other keys"


def begin_trial(records: Iterable[Record]) -> tuple[Trial, Iterator[Record]]:
    """Return a trial of these records, and those after the header."""
    left = iter(records)
    header = next(left)
    assert isinstance(header, Header)
    return Trial(header), left


def run_trial(
    trial: Trial, records: Iterable[Record], settings: Settings, folder: Path
) -> Iterator[str]:
    """Restore records into a scratch store, whose server has its files in this folder; yields what
    is wrong with them.
    """
    with open_scratch(settings, trial.header.partitions, folder) as annals:
        store = annals.store

        def partition_of(record: Record) -> int:
            if isinstance(record, StoredEntry | StoredStub):
                return store.partition_of(record.match)
            return KEYS

        for partition, section in groupby(_counted(trial, records), partition_of):
            writer = RecordWriter(store)
            writer.write(section)
            if partition != KEYS:
                yield from _check_partition(trial, annals, partition, writer.last)
        for game in annals.games:
            ratings.rebuild(store.redis, game)
        yield from find_account_faults(store.redis)
        deque(add_looks(store.redis, trial.looks), maxlen=0)


@contextmanager
def open_scratch(settings: Settings, partitions: int, folder: Path) -> Iterator[Annals]:
    """Yield an empty service that keeps all in memory, and reads the archive of the real one."""
    archive = settings.archive or str(settings.data / ARCHIVE_FOLDER)
    with run_redis(folder, fsync=NO_FILE) as url:
        own = replace(
            settings, events_url=url, queue_url=url, partitions=partitions, archive=archive,
            tlog=OFF, acknowledge="server",
        )  # fmt: skip
        yield open_annals(own)


def _counted(trial: Trial, records: Iterable[Record]) -> Iterator[Record]:
    for record in records:
        trial.entries += isinstance(record, StoredEntry)
        trial.keys += isinstance(record, StoredKey)
        yield record


def _check_partition(
    trial: Trial, annals: Annals, partition: int, last: Mapping[str, int]
) -> Iterator[str]:
    """Check the matches of a partition, and delete them."""
    trial.matches += len(last)
    faulty = set[str]()
    for match, position in last.items():
        for fault in restore_derived(annals, match, position):
            faulty.add(match)
            yield f"{match}: {fault}"
    fold_projections(annals.store, [partition])
    for match in last.keys() - faulty:
        _count_earlier_rules(trial, annals, partition, match)
    redis = annals.store.redis
    with store_errors():
        for key in list(redis.scan_iter(f"{slot_tag(partition)}:*", count=BATCH)):
            redis.unlink(key)


def _count_earlier_rules(trial: Trial, annals: Annals, partition: int, match: str) -> None:
    summary = get(annals.store.redis, partition, match)
    if summary is None or summary.status != "active" or summary.game not in annals.games:
        return
    for entry in annals.store.read(match, summary.version - 1):
        if entry.rules < annals.games[summary.game].rules:
            trial.earlier_rules[summary.game, entry.rules] += 1
