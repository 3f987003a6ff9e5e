"""A folder of tables: parts that never change, and a manifest that lists those that count.

Parts are written first, then the whole manifest. So the manifest always names existing parts. Other
parts that a killed export has left have the number of the next batch; that batch deletes them
first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from service.analytics.table_folders import (
    MANIFEST_FILE,
    REAL_IDS,
    TABLES_VERSION,
    FeedMark,
    Manifest,
    TableFile,
    TableOptions,
    TableTotal,
    UnknownManifest,
    read_manifest,
)
from service.store.archive.targets import Target
from workers.host.errors import CannotRun


class Group(NamedTuple):
    """The rows in one file of a batch."""

    table: str
    game: str
    month: str


class TableFolder:
    """A folder of tables in some place."""

    def __init__(self, target: Target, made: TableOptions) -> None:
        self._target, new = target, Manifest(schema=TABLES_VERSION, made=made)
        self.manifest = _check_options(load_manifest(target) or new, made)
        target.remove_everywhere(self._part_name)

    @property
    def _part_name(self) -> str:
        """The name of the files of the next batch."""
        return f"part-{self.manifest.batches + 1:06}.{self.manifest.made.format}"

    def write_file(self, group: Group, rows: int, content: bytes) -> TableFile:
        """Write a file of the next batch."""
        path = f"{group.table}/game={group.game}/month={group.month}/{self._part_name}"
        self._target.write(path, content)
        return TableFile(path, *group, rows, len(content), sha256(content).hexdigest())

    def publish(
        self,
        parts: Sequence[TableFile],
        reached: Mapping[int, FeedMark],
        corrupt: Iterable[tuple[int, int]],
        now: int,
        checkpoint: str | None,
    ) -> None:
        """Write a manifest that includes these parts."""
        files = (*self.manifest.files, *parts)
        known = replace(
            self.manifest,
            updated=now,
            batches=self.manifest.batches + bool(parts),
            tables=_totals(files),
            checkpoint=checkpoint,
            reached=dict(reached),
            corrupt=sorted(corrupt),
            files=files,
        )
        text = msgspec.json.format(msgspec.json.encode(known), indent=1)
        self._target.write(MANIFEST_FILE, text)
        self.manifest = known


def load_manifest(target: Target) -> Manifest | None:
    """Return the manifest of a folder, or None if it has none. Raises CannotRun if it is not
    readable.
    """
    try:
        return read_manifest(target)
    except UnknownManifest as reason:
        raise CannotRun(str(reason)) from None


def _check_options(manifest: Manifest, made: TableOptions) -> Manifest:
    """Return the manifest, if its tables have this version and the same options. Raises CannotRun
    otherwise.
    """
    if manifest.schema != TABLES_VERSION:
        raise CannotRun(
            f"The tables there have version {manifest.schema}, and this program writes version"
            f" {TABLES_VERSION}: they stay as they are, and `annals sql` reads them. Name another"
            " folder."
        )
    if manifest.made.people != made.people and REAL_IDS not in (manifest.made.people, made.people):
        raise CannotRun(
            "The tables there have pseudonyms of another service, or of one that was reset:"
            " name another folder."
        )
    if manifest.made != made:
        raise CannotRun(
            f"The tables there were written with {_describe_options(manifest.made)}: use the same"
            " options, or name another folder."
        )
    return manifest


def _describe_options(made: TableOptions) -> str:
    """Return the options of `annals export` that create such tables."""
    flags = {
        "--private": made.private,
        "--analyse": made.analyse,
        "--fast": made.fast,
        "--names": made.people == REAL_IDS,
    }
    given = [name for name, is_set in flags.items() if is_set]
    return " ".join(
        [f"--format {made.format}", *given, *([] if given else ["and no other option"])]
    )


def _totals(files: Sequence[TableFile]) -> Mapping[str, TableTotal]:
    totals: dict[str, TableTotal] = {}
    for part in files:
        known = totals.get(part.table, TableTotal(0, 0, 0))
        totals[part.table] = TableTotal(
            known.rows + part.rows, known.files + 1, known.bytes + part.bytes
        )
    return totals
