"""A folder of tables: parts that are never changed, and a manifest that says which count.

Parts come first, then the manifest, as a whole. So whatever happens between, the manifest names
parts that are there; what a killed export left besides has the number of the next batch, and is
removed before that begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from service.analytics.table_folders import (
    IDS,
    MANIFEST,
    Made,
    Manifest,
    Part,
    Reached,
    Total,
    Unknown,
    read_manifest,
)
from service.store.archive.targets import Target
from workers.host.errors import CannotRun


class Group(NamedTuple):
    """What stands in one file of a batch."""

    table: str
    game: str
    month: str


class Folder:
    """A folder of tables in some place."""

    def __init__(self, target: Target, made: Made) -> None:
        self._target = target
        self.manifest = _continued(manifest_of(target) or Manifest(made=made), made)
        target.remove(self._part_name)

    @property
    def _part_name(self) -> str:
        """The name of the files of the batch that comes next."""
        return f"part-{self.manifest.batches + 1:06}.{self.manifest.made.format}"

    def put(self, group: Group, rows: int, content: bytes) -> Part:
        """Write a file of the batch that comes next."""
        path = f"{group.table}/game={group.game}/month={group.month}/{self._part_name}"
        self._target.write(path, content)
        return Part(path, *group, rows, len(content), sha256(content).hexdigest())

    def conclude(
        self,
        parts: Sequence[Part],
        reached: Mapping[int, Reached],
        damaged: Iterable[tuple[int, int]],
        now: int,
        checkpoint: str | None,
    ) -> None:
        """Let these parts count from now on."""
        files = (*self.manifest.files, *parts)
        known = replace(
            self.manifest,
            updated=now,
            batches=self.manifest.batches + bool(parts),
            tables=_totals(files),
            checkpoint=checkpoint,
            reached=dict(reached),
            damaged=sorted(damaged),
            files=files,
        )
        text = msgspec.json.format(msgspec.json.encode(known), indent=1)
        self._target.write(MANIFEST, text)
        self.manifest = known


def manifest_of(target: Target) -> Manifest | None:
    """The manifest of a folder; None if it has none. CannotRun if it cannot be understood."""
    try:
        return read_manifest(target)
    except Unknown as reason:
        raise CannotRun(str(reason)) from None


def _continued(manifest: Manifest, made: Made) -> Manifest:
    """The same manifest, if its tables were made in the same way; CannotRun."""
    if manifest.made.people != made.people and IDS not in (manifest.made.people, made.people):
        raise CannotRun(
            "The tables there have pseudonyms of another service, or of one that was made anew:"
            " name another folder."
        )
    if manifest.made != made:
        raise CannotRun(
            f"The tables there were made with {_said(manifest.made)}: say the same, or name"
            " another folder."
        )
    return manifest


def _said(made: Made) -> str:
    """The options of `annals export` that make such tables."""
    flags = {
        "--private": made.private,
        "--analyse": made.analyse,
        "--fast": made.fast,
        "--names": made.people == IDS,
    }
    given = [name for name, is_set in flags.items() if is_set]
    return " ".join([f"--format {made.format}", *given, *([] if given else ["and nothing else"])])


def _totals(files: Sequence[Part]) -> Mapping[str, Total]:
    totals: dict[str, Total] = {}
    for part in files:
        known = totals.get(part.table, Total(0, 0, 0))
        totals[part.table] = Total(
            known.rows + part.rows, known.files + 1, known.bytes + part.bytes
        )
    return totals
