"""Records what this version stores, for all later versions to read: `make stored`.

Each folder here has the stores of a version: a backup, an archive, a log, exported tables, all keys
as an upgrade in place finds them (with queues of webhooks), bundles of matches of each game in each
mode, matches with nearly every type of event and move (between two versions: with those that no
recorded store has), and in `expected.json.gz` what the service answered about them. Folders are
never written again.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sys
from collections.abc import Collection, Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

import msgspec
from flask import Flask

from domain.engine.codecs.binary_codec import class_id
from domain.games import GAMES
from domain.match.events import MATCH_EVENTS
from service.front.app import create_app
from service.matches.container import Annals, open_annals
from service.runtime.atomic_write import PUBLIC_MODE
from service.runtime.logs import configure_logs
from service.runtime.settings import read_settings
from service.store.archive.targets import FolderTarget
from service.store.entry_codec import decode_entry
from service.tlog.checkpoint_signer import CheckpointSigner
from service.tlog.folder import Folder
from service.tlog.keys import Keys
from tests.games.modes import Seating, seatings
from tests.service.api.conftest import NOON, Api
from tests.service.api.seated import Table, table
from tests.stored.keys import write_keys
from tests.stored.scenes import play_scenes
from tests.stored.whole_matches import record_whole_matches, tag, types_in
from tests.support.clean_settings import forget_settings
from workers.host.redis.server import run_redis
from workers.processes.projector import build_projector
from workers.tools.store.archive import archive_matches
from workers.tools.store.backup import write_backup
from workers.tools.store.backup_file import StoredEntry, read_backup
from workers.tools.tables.export import STAGE, Export, ExportOptions

STORED = Path(__file__).parent
BACKUP, KEYS, EXPECTED = "backup.gz", "keys.json.gz", "expected.json.gz"
LOG, ARCHIVE, BUNDLES, TABLES = "tlog", "archive", "bundles", "tables"
NEVER_RECORDED = STORED / "never_recorded.json"
"""By game, the types of events and moves that no recorded store has yet. A game that is not here
has none. The list only gets shorter: `make stored` takes off what it records.
"""
ORIGIN = "annals.example/v1/log"
MOVES = 8
PARTITIONS = 3
OPTIONS = ExportOptions("parquet", private=True, fast=True)
MODES = list({(one.game.key, str(one.options)): one for one in seatings(GAMES.values())}.values())
"""Each game in each of its modes, with the most seats."""


class ExpectedMatch(msgspec.Struct, frozen=True):
    """What the service answered about a match: to a spectator and to each seat. The tokens are
    those of its players, in the order of their seats; of a match of no one, there are none.
    """

    game: str
    head: str
    tokens: list[str]
    answers: list[Any]


def service_on(url: str, data: Path) -> Annals:
    """A service at the time of the recording, with this Redis and this folder."""
    given = {"REDIS_URL": url, "ANNALS_PARTITIONS": str(PARTITIONS), "ANNALS_DATA": str(data)}
    settings = replace(read_settings(given), rate=0, rate_per_address=0, registrations=0)
    return replace(open_annals(settings), now=lambda: NOON)


def answers_about(app: Flask, match: str, tokens: list[str]) -> list[Any]:
    """What the service answers about a match to a spectator and to each seat."""
    callers = [Api(app), *(Api(app, token) for token in tokens)]
    return [caller.get(f"/v1/matches/{match}").json for caller in callers]


def main(name: str = version("annals")) -> int:
    """Record the stores of this version, or under another name between two versions."""
    forget_settings()
    configure_logs("ERROR")
    folder = STORED / name
    if folder.exists():
        sys.stderr.write(f"{folder.name} is recorded already, and lives for ever.\n")
        return 1
    with TemporaryDirectory() as place:
        data = Path(place, "data")
        with run_redis(Path(place), fsync="no") as url:
            is_version = folder.name == version("annals")
            known = set() if is_version else {(tag(game), one) for game, one in recorded_types()}
            record(service_on(url, data), folder, known)
        for name in (LOG, ARCHIVE):
            shutil.copytree(data / name, folder / name)
    shorten_list(NEVER_RECORDED)
    return 0


def record(annals: Annals, folder: Path, known: Collection[tuple[str, int]]) -> None:
    """Write a folder with matches of each game in each mode, and of whole matches those with types
    that are not `known`.
    """
    app = create_app(annals)
    tables = [begun for number, one in enumerate(MODES) for begun in play(app, annals, number, one)]
    tables += play_scenes(app, annals)
    others = record_whole_matches(annals.store, known)
    watch(tables[0].players[0])
    sign(annals)
    projector = build_projector(annals.store, range(PARTITIONS), Event())
    while projector.fold_next(1_000):  # it plans the deliveries of the webhook
        pass
    (folder / BUNDLES).mkdir(parents=True)
    expected = {}
    tokens_by_match = {
        **{at.path.rpartition("/")[2]: [str(one.token) for one in at.players] for at in tables},
        **{match: [] for match in others},
    }
    for match, tokens in tokens_by_match.items():
        bundle = Api(app, *tokens[:1]).get(f"/v1/matches/{match}/export").data
        (folder / BUNDLES / f"{match}.json.gz").write_bytes(gzip.compress(bundle, mtime=0))
        head, answers = annals.store.read(match)[-1].head.hex(), answers_about(app, match, tokens)
        game = annals.matches.latest(match).game.key
        expected[match] = ExpectedMatch(game, head, tokens, answers)
    (folder / EXPECTED).write_bytes(gzip.compress(msgspec.json.encode(expected), mtime=0))
    archive_matches(replace(annals, now=lambda: NOON + 1), 0)
    write_backup(annals.store, folder / BACKUP)
    Export(annals, FolderTarget(folder / TABLES, PUBLIC_MODE), OPTIONS).run()
    shutil.rmtree(folder / TABLES / STAGE)
    write_keys(annals.store.redis, folder / KEYS)


def recorded_types() -> Iterator[tuple[str, int]]:
    """The types in the backups of all versions, each with its game."""
    for file in STORED.glob(f"*/{BACKUP}"):
        text = gzip.decompress((file.parent / EXPECTED).read_bytes())
        matches = msgspec.json.decode(text, type=dict[str, ExpectedMatch])
        for one in read_backup(file):
            if isinstance(one, StoredEntry) and one.value and one.match in matches:
                entry = decode_entry(f"{one.match} {one.version}-0".encode(), one.value)
                yield from types_in(matches[one.match].game, [entry])


def missing_types() -> dict[str, list[str]]:
    """By game, the names of the types of events and moves that no recorded store has."""
    recorded = set(recorded_types())
    numbers = {number for _, number in recorded}
    missing = {"match": [one for one in MATCH_EVENTS if class_id(one) not in numbers]}
    for game in GAMES.values():
        types = (*game.events, *game.answers.moves)
        missing[game.key] = [one for one in types if (game.key, class_id(one)) not in recorded]
    return {key: sorted(one.__name__ for one in found) for key, found in missing.items() if found}


def shorten_list(path: Path) -> None:
    """Take the types that are recorded by now off a list of those that never were."""
    listed, missing = json.loads(path.read_text()), missing_types()
    left = {key: [one for one in listed[key] if one in missing.get(key, ())] for key in listed}
    left = {key: names for key, names in left.items() if names}
    path.write_text(f"{json.dumps(left, indent=1)}\n")


def play(app: Flask, annals: Annals, number: int, one: Seating) -> list[Table]:
    """A match that goes on, with an undone move, and one that is over."""
    tables = [
        table(app, one.game.key, one.seats, f"Of {number} {name}", options=one.options)
        for name in ("active", "over")
    ]
    for at in tables:
        at.play(MOVES)
    active, over = tables
    active.players[0].post(f"{active.path}/undo", {"to": active.version - 1})
    over.end(annals)
    return tables


def watch(player: Api) -> None:
    """Let a player be told of their matches."""
    made = player.post("/v1/webhooks", {"url": "https://example.com/annals"})
    assert made.status_code == 201, made.text


def sign(annals: Annals) -> None:
    """Let the log grow over all matches."""
    assert annals.settings.tlog_folder
    folder = Folder(annals.settings.tlog_folder)
    signer = CheckpointSigner(folder, annals.store, Keys(folder.path, ()), ORIGIN, False)
    while signer.step(NOON):
        pass


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
