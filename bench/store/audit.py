"""What it costs that anybody can check: the chain of each move, the log, proofs, full checks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median

from bench.load.limits import best, cpu
from bench.load.matches import PLAYER, QIN, SEED, AnyGame, in_memory, long_match
from domain.audit.stored import check_entries
from domain.audit.texts import Content, Salts, head_after, text_of
from domain.games import GAMES
from domain.match.decisions import lobby
from domain.match.state import START, Chair
from service.matches.commands import Metadata, create
from service.matches.container import Annals, open_annals
from service.runtime.settings import read_settings
from service.tlog.checkpoint_signer import Notary
from service.tlog.folder import Folder
from service.tlog.keys import Keys
from service.tlog.responses import Served
from workers.host.redis_server import embedded_redis

LONG = 300
OPENED = 1_000
PROOFS = 100


def figures(folder: Path) -> dict[str, float]:
    """The chain by game, the check of a long match, leaves per second, a proof."""
    return {
        **{f"{game.title}: chain an entry, us of CPU": _chain(game) for game in GAMES.values()},
        f"full check of a match of {LONG} entries, ms": 1000 * _check(),
        **_log(folder),
    }


def _chain(game: AnyGame) -> float:
    """Microseconds for the text and the head of an entry."""
    steps = [(record, draft) for _, record, draft in in_memory("chain", game)]
    salts = Salts("chain", SEED)

    def chain() -> None:
        head = START
        for record, draft in steps:
            content = Content(draft.move, draft.events)
            head = head_after(head, text_of(salts, record, content))

    return 1e6 * cpu(chain, 10) / len(steps)


def _check() -> float:
    entries = long_match("checked", LONG)
    return best(lambda: list(check_entries(GAMES, "checked", entries)), 3)


def _log(folder: Path) -> dict[str, float]:
    """Of tables that were opened while nobody wrote them into the log."""
    with embedded_redis(folder / "audit") as url:
        settings = replace(read_settings({"REDIS_URL": url}), max_tables=0)
        annals = open_annals(settings)
        matches = [f"match{number:07}" for number in range(OPENED)]
        for match_id in matches:
            _open(annals, match_id)
        log = Folder(folder / "tlog")
        notary = Notary(log, annals.store, Keys(log.path, ()), "annals.example/v1/log")
        with closing(annals.store.redis):
            begin = time.perf_counter()
            while notary.step(annals.now()):
                pass
            seconds = time.perf_counter() - begin
            served = Served(log, annals.store)
            each = list(_timed(served, matches[:PROOFS]))
    return {
        "leaves per second": OPENED / seconds,
        "a proof, median ms": 1000 * median(each),
    }


def _open(annals: Annals, match_id: str) -> None:
    chairs = (Chair(player=PLAYER), Chair())
    plan = lobby.Plan(match=match_id, host=PLAYER, chairs=chairs, expires=1 << 45)
    create(annals, plan, QIN, Metadata(PLAYER))


def _timed(served: Served, matches: list[str]) -> Iterator[float]:
    for match_id in matches:
        yield best(partial(served.proof, match_id, "open"), 1)
