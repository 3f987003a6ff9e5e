"""Matches, and a notary that a test lets work when it likes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from domain.audit.log_entries import Leaf, read_leaf
from domain.audit.notes import Checkpoint, read_checkpoint, read_key, read_note, signed_by
from domain.audit.tiles import ENTRIES, WIDTH, tile_at, unpack
from domain.engine.game import legal_moves
from domain.match.decisions import ending, playing
from domain.match.state import Match
from service.matches.commands import Metadata, carry_out, create
from service.matches.container import open_annals
from service.runtime.settings import read_settings
from service.tlog.checkpoint_signer import Notary
from service.tlog.folder import Folder
from service.tlog.keys import Keys
from service.tlog.responses import Served
from tests.engine.toy import GAME as TOY
from tests.match.table import NOON, plan

ORIGIN = "annals.example/v1/log"
MINUTES = 60_000


class Desk:
    """A service with a log, whose notary works when a test likes."""

    def __init__(self, url: str, path: Path) -> None:
        settings = read_settings({"REDIS_URL": url, "ANNALS_PARTITIONS": "2"})
        self.now = NOON
        self.annals = replace(open_annals(settings, {"toy": TOY}), now=lambda: self.now)
        self.folder = Folder(path)
        self.given: tuple[str, ...] = ()
        self.served = Served(self.folder, self.annals.store)

    def keys(self) -> Keys:
        return Keys(self.folder.path, self.given)

    def notary(self, origin: str = ORIGIN, given: bool = False) -> Notary:
        return Notary(self.folder, self.annals.store, self.keys(), origin, given)

    def work(self) -> Notary:
        """A notary that has done all there was to do."""
        notary = self.notary()
        while notary.step(self.now):
            pass
        return notary

    def open(self, match: str) -> None:
        create(self.annals, plan("ann bob", match=match), TOY, Metadata("ann"))

    def move(self, match: str) -> None:
        def decision(found: Match, now: int) -> Any:
            seat = found.awaited[0]
            return playing.move(found, legal_moves(TOY, found.state, seat)[0], now)

        carry_out(self.annals, match, Metadata("ann"), decision)

    def abort(self, match: str) -> None:
        carry_out(self.annals, match, Metadata("op"), lambda found, _: ending.close(found, "abuse"))

    def play(self, match: str) -> None:
        """Play a match to its end, and score it."""
        while self.annals.matches.latest(match).status == "active":
            self.move(match)
        carry_out(self.annals, match, Metadata("system"), lambda found, _: ending.score(found))

    def checkpoint(self) -> Checkpoint:
        """The checkpoint that is shown, which has to be signed by all keys that are."""
        notary_keys = [read_key(line) for line in self.served.keys().split()]
        note = read_note(self.served.checkpoint())
        assert signed_by(note, notary_keys) == notary_keys != []
        return read_checkpoint(note.text)

    def leaves(self) -> list[Leaf]:
        """All leaves in the checkpoint that is shown."""
        return [read_leaf(entry) for entry in self.entries()]

    def entries(self) -> list[bytes]:
        size = self.checkpoint().size
        bundles = (
            self.folder.tile(tile_at(size, ENTRIES, n // WIDTH)) for n in range(0, size, WIDTH)
        )
        return [entry for bundle in bundles for entry in unpack(bundle)]

    def said(self) -> list[tuple[str, str]]:
        """What the leaves say in short: that a match was opened, or its version and state."""
        return [
            (leaf.match, f"{leaf.version} {leaf.state}" if hasattr(leaf, "version") else "open")
            for leaf in self.leaves()
        ]

    def files(self) -> Iterator[Path]:
        return (path for path in self.folder.public.rglob("*") if path.is_file())
