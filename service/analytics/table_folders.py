"""Folders of tables of finished matches: their manifest, and the published folder of this service.

`annals export` writes them (workers/tools/tables/); docs/tables.md describes their content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Literal

import msgspec
from msgspec import Struct

from service.runtime.errors import NotFound
from service.runtime.event_loop import run_in_thread
from service.runtime.settings import Settings
from service.store.archive.targets import Target, open_target

TABLES_VERSION = 3
"""The version of all tables, which any change of a column increases."""
MANIFEST_FILE = "manifest.json"
REAL_IDS = "ids"
"""The value that stands for "real ids instead of pseudonyms"."""
MANIFEST_CACHE_S = 30
"""How long a process caches the manifest, in seconds."""
FormatName = Literal["parquet", "ndjson", "csv"]


class TableOptions(Struct, frozen=True):
    """The options with which all tables of a folder were made."""

    format: FormatName
    private: bool
    analyse: bool
    fast: bool
    people: str  # the pseudonyms in use, or REAL_IDS

    @property
    def is_public(self) -> bool:
        """Whether anyone may read them."""
        return not self.private and self.people != REAL_IDS


class TableFile(Struct, frozen=True):
    """A file of a table."""

    path: str
    table: str
    game: str
    month: str
    rows: int
    bytes: int
    sha256: str


class FeedMark(Struct, frozen=True):
    """How far a feed was exported: a position, and a hash of the pointer there. The hash does not
    reveal the match, which may be private.
    """

    position: int
    mark: str


class TableTotal(Struct, frozen=True):
    """The totals of a table."""

    rows: int
    files: int
    bytes: int


class Manifest(Struct, frozen=True, kw_only=True):
    """The content of a folder of tables. Times are in ms since the epoch, UTC."""

    schema: int
    """The version of the tables."""
    made: TableOptions
    updated: int = 0
    batches: int = 0
    tables: Mapping[str, TableTotal] = {}
    checkpoint: str | None = None  # of the transparency log, signed, at that time
    reached: Mapping[int, FeedMark] = {}  # by partition: where the next export continues
    corrupt: Sequence[tuple[int, int]] = ()  # partitions and positions to retry
    files: Sequence[TableFile] = ()


class UnknownManifest(Exception):
    """A manifest that this program cannot read; the message says why."""


class _Version(Struct):
    schema: int


def read_manifest(target: Target) -> Manifest | None:
    """Return the manifest of a folder; None if it has none. Raises UnknownManifest if it is
    invalid, or that of a newer version.
    """
    if not target.has(MANIFEST_FILE):
        return None
    text = target.read(MANIFEST_FILE)
    try:
        known = msgspec.json.decode(text, type=_Version)
        if known.schema <= TABLES_VERSION:
            return msgspec.json.decode(text, type=Manifest)
    except msgspec.MsgspecError as error:
        raise UnknownManifest(f"The {MANIFEST_FILE} there is invalid: {error}.") from None
    raise UnknownManifest(
        f"The tables there have version {known.schema}; this program reads versions up to"
        f" {TABLES_VERSION}."
    )


class PublishedTables:
    """The tables that this service publishes."""

    def __init__(self, settings: Settings) -> None:
        self._target = open_target(settings.export, "ANNALS_EXPORT") if settings.export else None
        self._manifest: Manifest | None = None
        self._until = 0.0

    def manifest(self) -> Manifest:
        """Return their manifest. Raises NotFound if nothing is published."""
        if self._target and monotonic() >= self._until:
            self._manifest = run_in_thread(_read, self._target)
            self._until = monotonic() + MANIFEST_CACHE_S
        if self._manifest is None or not self._manifest.made.is_public:
            raise NotFound("This service publishes no tables.")
        return self._manifest


def _read(target: Target) -> Manifest | None:
    try:
        return read_manifest(target)
    except UnknownManifest:
        return None
