"""Folders of tables of matches that are over: the manifest, and what this service publishes.

`annals export` writes them (workers/tools/tables/); docs/tables.md has what is in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Literal

import msgspec
from msgspec import Struct

from service.runtime.errors import NotFound
from service.runtime.event_loop import aside
from service.runtime.settings import Settings
from service.store.archive.targets import Target, target_at

SCHEMA = 2
"""The version of all tables: what a column means never changes within one."""
MANIFEST = "manifest.json"
IDS = "ids"
"""What stands for the pseudonyms of tables that have none."""
REMEMBERED_S = 30
"""How long a process does not look whether there is more."""
FormatName = Literal["parquet", "ndjson", "csv"]


class Made(Struct, frozen=True):
    """How the tables of a folder are made: all of them alike."""

    format: FormatName
    private: bool
    analyse: bool
    fast: bool
    people: str  # which pseudonyms they have, or IDS

    @property
    def for_all(self) -> bool:
        """Whether anybody may read them."""
        return not self.private and self.people != IDS


class Part(Struct, frozen=True):
    """A file of a table."""

    path: str
    table: str
    game: str
    month: str
    rows: int
    bytes: int
    sha256: str


class Reached(Struct, frozen=True):
    """How far a feed was read: a place in it, and a mark of what it points to, which names no
    match: it may be a private one.
    """

    position: int
    mark: str


class Total(Struct, frozen=True):
    """A table in all."""

    rows: int
    files: int
    bytes: int


class Manifest(Struct, frozen=True, kw_only=True):
    """What is in a folder of tables. Times in ms since the epoch, UTC."""

    schema: int = SCHEMA
    made: Made
    updated: int = 0
    batches: int = 0
    tables: Mapping[str, Total] = {}
    checkpoint: str | None = None  # of the transparency log, signed, at that time
    reached: Mapping[int, Reached] = {}  # by partition: where the next export goes on
    damaged: Sequence[tuple[int, int]] = ()  # partitions and positions of what is to be tried again
    files: Sequence[Part] = ()


class Unknown(Exception):
    """A manifest that means nothing to this program; says why."""


class _Version(Struct):
    schema: int


def read_manifest(target: Target) -> Manifest | None:
    """The manifest of a folder; None if it has none; Unknown if it cannot be understood."""
    if not target.has(MANIFEST):
        return None
    text = target.read(MANIFEST)
    try:
        known = msgspec.json.decode(text, type=_Version)
        if known.schema == SCHEMA:
            return msgspec.json.decode(text, type=Manifest)
    except msgspec.MsgspecError as error:
        raise Unknown(f"{MANIFEST} there cannot be read: {error}.") from None
    raise Unknown(
        f"The tables there have version {known.schema}; this program knows {SCHEMA}: name another"
        " folder."
    )


class Published:
    """The tables that this service keeps up to date in some place, as everybody sees them."""

    def __init__(self, settings: Settings) -> None:
        self._target = target_at(settings.export, "ANNALS_EXPORT") if settings.export else None
        self._known: Manifest | None = None
        self._until = 0.0

    def manifest(self) -> Manifest:
        """What there is; NotFound if there is nothing that anybody may read."""
        if self._target and monotonic() >= self._until:
            self._known = aside(_read, self._target)
            self._until = monotonic() + REMEMBERED_S
        if self._known is None or not self._known.made.for_all:
            raise NotFound("This service publishes no tables.")
        return self._known


def _read(target: Target) -> Manifest | None:
    try:
        return read_manifest(target)
    except Unknown:
        return None
