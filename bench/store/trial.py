"""The cost of reading a whole backup as a restore would: `annals upgrade --check`, and the check of
each scheduled backup. `BENCH_BACKUP` is the number of matches, of all games in turn.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

from msgspec.msgpack import encode
from msgspec.structs import replace

from bench.load.matches import MATCH_SEED, play_in_memory
from domain.audit.texts import Salts, content_of, head_after, text_of
from domain.games import GAMES
from domain.match.log import Entry
from domain.match.state import GENESIS_HEAD
from service.runtime.settings import read_settings
from service.store.entry_codec import encode_entry
from service.store.store_format import STORE_FORMAT, STORE_LEVEL
from workers.tools.store.backup import check_backup, read_valid
from workers.tools.store.backup_file import FORMAT, Header, StoredEntry, backup_writer
from workers.tools.store.trial import begin_trial, run_trial

MATCHES = 1_000
PARTITIONS = 16
PATTERN_ID = "ofthebench00"


def figures(folder: Path) -> dict[str, float]:
    """Seconds and memory of a check of a backup."""
    count = int(os.environ.get("BENCH_BACKUP", MATCHES))
    file = folder / "backup"
    write_copies(file, count)
    begin = time.process_time()
    check_backup(file)
    read_s = time.process_time() - begin
    trial, rest = begin_trial(read_valid(file))
    faults = list(run_trial(trial, rest, read_settings({}), folder / "scratch"))
    assert not faults, faults[:3]
    seconds = time.process_time() - begin - read_s
    used, server = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {
        "matches": count,
        "entries": trial.entries,
        "the file, MB": file.stat().st_size / 1e6,
        "reading and checksums, s of CPU": read_s,
        "the whole check, s of CPU": seconds,
        "ms of CPU per match": 1000 * seconds / count,
        "memory of the process at most, MB": used.ru_maxrss / 1000,
        "memory of the scratch store at most, MB": server.ru_maxrss / 1000,
    }


def write_copies(file: Path, count: int) -> None:
    """Write a backup of copies of one match of each game, with other ids and their own heads."""
    ids = sorted((f"m{number:011}" for number in range(count)), key=_partition)
    patterns = [
        [entry for _, entry, _ in play_in_memory(PATTERN_ID, game)] for game in GAMES.values()
    ]
    with backup_writer(file) as writer:
        at = "2026-01-01T00:00:00Z"
        writer.write(Header(FORMAT, STORE_FORMAT, "bench", at, PARTITIONS, count, STORE_LEVEL))
        for number, match in enumerate(ids):
            for entry in copy(patterns[number % len(patterns)], match):
                writer.write(StoredEntry(match, entry.version, encode_entry(match, entry)))
        writer.end()


def copy(pattern: Sequence[Entry], match: str) -> Iterator[Entry]:
    """Yield the entries of a match that is the same but for its id."""
    head, salts = GENESIS_HEAD, Salts(match, MATCH_SEED)
    game = next(one for one in GAMES.values() if encode(one.key) in pattern[0].events)
    for entry in pattern:
        events = entry.events.replace(encode(PATTERN_ID), encode(match))
        own = replace(entry, events=events)
        head = head_after(head, text_of(salts, own, content_of(game, own)))
        yield replace(own, head=head)


def _partition(match: str) -> int:
    return crc32(match.encode()) % PARTITIONS
