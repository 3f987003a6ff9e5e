"""Matches, and a checkpoint signer that runs when a test asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from domain.audit.log_entries import Leaf, read_leaf
from domain.audit.notes import Checkpoint, find_signers, read_checkpoint, read_key, read_note
from domain.audit.tiles import ENTRIES_LEVEL, TILE_WIDTH, tile_at, unpack
from domain.engine.game import legal_moves
from domain.match.decisions import ending, playing
from domain.match.state import Match
from service.matches.commands import Metadata, create, execute
from service.matches.container import open_annals
from service.runtime.settings import read_settings
from service.runtime.shares.byte_cache import ByteCache
from service.tlog.checkpoint_signer import CheckpointSigner
from service.tlog.folder import Folder
from service.tlog.keys import Keys
from service.tlog.responses import LogResponses
from tests.engine.toy import GAME as TOY
from tests.match.table import NOON, plan

ORIGIN = "annals.example/v1/log"
MINUTES = 60_000
CACHE_BYTES = 100_000


class LogHarness:
    """A service with a log."""

    def __init__(self, url: str, path: Path) -> None:
        settings = read_settings({"REDIS_URL": url, "ANNALS_PARTITIONS": "2"})
        self.now = NOON
        self.annals = replace(open_annals(settings, {"toy": TOY}), now=lambda: self.now)
        self.folder = Folder(path)
        self.given: tuple[str, ...] = ()
        self.served = LogResponses(self.folder, self.annals.store, ByteCache(CACHE_BYTES))

    def keys(self) -> Keys:
        return Keys(self.folder.path, self.given)

    def notary(self, origin: str = ORIGIN, given: bool = False) -> CheckpointSigner:
        return CheckpointSigner(self.folder, self.annals.store, self.keys(), origin, given)

    def work(self) -> CheckpointSigner:
        """Run a signer until there is nothing to do, and return it."""
        notary = self.notary()
        while notary.step(self.now):
            pass
        return notary

    def open(self, match: str) -> None:
        create(self.annals, plan("ann bob", match=match), TOY, Metadata("ann"))

    def move(self, match: str) -> None:
        def decision(found: Match, now: int) -> Any:
            seat = found.seats_to_move[0]
            return playing.move(found, legal_moves(TOY, found.state, seat)[0], now)

        execute(self.annals, match, Metadata("ann"), decision)

    def abort(self, match: str) -> None:
        execute(self.annals, match, Metadata("op"), lambda found, _: ending.close(found, "abuse"))

    def play(self, match: str) -> None:
        """Play a match to its end, and score it."""
        while self.annals.matches.latest(match).status == "active":
            self.move(match)
        execute(self.annals, match, Metadata("system"), lambda found, _: ending.score(found))

    def checkpoint(self) -> Checkpoint:
        """The published checkpoint, after checking that all current keys signed it."""
        notary_keys = [read_key(line) for line in self.served.keys().split()]
        note = read_note(self.served.checkpoint())
        assert find_signers(note, notary_keys) == notary_keys != []
        return read_checkpoint(note.text)

    def leaves(self) -> list[Leaf]:
        """All leaves of the published checkpoint."""
        return [read_leaf(entry) for entry in self.entries()]

    def entries(self) -> list[bytes]:
        size = self.checkpoint().size
        bundles = (
            self.folder.tile(tile_at(size, ENTRIES_LEVEL, n // TILE_WIDTH))
            for n in range(0, size, TILE_WIDTH)
        )
        return [entry for bundle in bundles for entry in unpack(bundle)]

    def list_leaves(self) -> list[tuple[str, str]]:
        """The leaves in short: a match and `open`, or its version and state."""
        return [
            (leaf.match, f"{leaf.version} {leaf.state}" if hasattr(leaf, "version") else "open")
            for leaf in self.leaves()
        ]

    def files(self) -> Iterator[Path]:
        return (path for path in self.folder.public.rglob("*") if path.is_file())
