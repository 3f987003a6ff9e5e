"""The cost of verifiability: the chain of each move, the log, proofs, full checks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median

from bench.load.limits import best_time, cpu_time
from bench.load.matches import MATCH_SEED, PLAYER, QIN, AnyGame, build_long_match, play_in_memory
from domain.audit.stored import check_entries
from domain.audit.texts import Content, Salts, head_after, text_of
from domain.games import GAMES
from domain.match.decisions import lobby
from domain.match.state import GENESIS_HEAD, Chair
from service.matches.commands import Metadata, create
from service.matches.container import Annals, open_annals
from service.runtime.settings import read_settings
from service.runtime.shares.byte_cache import ByteCache
from service.tlog.checkpoint_signer import CheckpointSigner
from service.tlog.folder import Folder
from service.tlog.keys import Keys
from service.tlog.responses import LogResponses
from workers.host.redis.server import run_redis

LONG = 300
OPENED_TABLES = 1_000
PROOFS = 100


def figures(folder: Path) -> dict[str, float]:
    """Figures of the chain by game, the check of a long match, leaves per second, a proof."""
    return {
        **{f"{game.title}: chain an entry, us of CPU": _chain(game) for game in GAMES.values()},
        f"full check of a match of {LONG} entries, ms": 1000 * _check(),
        **_log(folder),
    }


def _chain(game: AnyGame) -> float:
    """Microseconds for the text and the head of an entry."""
    steps = [(record, draft) for _, record, draft in play_in_memory("chain", game)]
    salts = Salts("chain", MATCH_SEED)

    def chain() -> None:
        head = GENESIS_HEAD
        for record, draft in steps:
            content = Content(draft.move, draft.events)
            head = head_after(head, text_of(salts, record, content))

    return 1e6 * cpu_time(chain, 10) / len(steps)


def _check() -> float:
    entries = build_long_match("checked", LONG)
    return best_time(lambda: list(check_entries(GAMES, "checked", entries)), 3)


def _log(folder: Path) -> dict[str, float]:
    """Figures of writing many openings into the log."""
    with run_redis(folder / "audit") as url:
        settings = replace(read_settings({"REDIS_URL": url}), max_tables=0)
        annals = open_annals(settings)
        matches = [f"match{number:07}" for number in range(OPENED_TABLES)]
        for match_id in matches:
            _open(annals, match_id)
        log = Folder(folder / "tlog")
        notary = CheckpointSigner(log, annals.store, Keys(log.path, ()), "annals.example/v1/log")
        with closing(annals.store.redis):
            begin = time.perf_counter()
            while notary.step(annals.now()):
                pass
            seconds = time.perf_counter() - begin
            served = LogResponses(log, annals.store, ByteCache(0))
            each = list(_time(served, matches[:PROOFS]))
    return {
        "leaves per second": OPENED_TABLES / seconds,
        "a proof, median ms": 1000 * median(each),
    }


def _open(annals: Annals, match_id: str) -> None:
    chairs = (Chair(player=PLAYER), Chair())
    plan = lobby.Plan(match=match_id, host=PLAYER, chairs=chairs, expires=1 << 45)
    create(annals, plan, QIN, Metadata(PLAYER))


def _time(served: LogResponses, matches: list[str]) -> Iterator[float]:
    for match_id in matches:
        yield best_time(partial(served.proof, match_id, "open"), 1)
