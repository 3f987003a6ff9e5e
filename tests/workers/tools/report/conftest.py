"""A tiny corpus of all games as tables, built once."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from redis import Redis

from domain.analysis.facts import Facts, facts_of
from domain.games import GAMES
from service.matches.commands import new_match_id
from service.matches.container import Annals, open_annals
from service.runtime.settings import read_settings
from service.store.archive.targets import open_target
from tests.games.modes import Seating, seatings
from workers.jobs import match_jobs
from workers.tools.bots.corpus import player
from workers.tools.bots.corpus.plans import Corpus, Table, plan_table
from workers.tools.bots.corpus.player import play
from workers.tools.tables.export import Export, ExportOptions

MATCHES = 2
"""Matches of each game with two seats."""
ANALYSED_MATCHES = "qin"
"""The game of which two matches are analysed."""


class Tiny(NamedTuple):
    """A corpus: the folder of its tables, a folder with a few analysed matches, and the facts of
    its matches by game.
    """

    tables: str
    analysed: str
    facts: dict[str, list[Facts]]


@pytest.fixture(scope="session")
def tiny(redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    with Redis.from_url(redis_url) as client, pytest.MonkeyPatch.context() as patch:
        client.flushdb()
        annals = open_annals(read_settings({"REDIS_URL": redis_url, "ANNALS_PARTITIONS": "2"}))
        patch.setattr(player, "open_service", lambda: annals)
        patch.setattr(match_jobs, "_annals", lambda: annals)
        first = [play_facts(annals, ANALYSED_MATCHES, number) for number in (0, 1)]
        analysed = export_to(annals, tmp_path_factory.mktemp("analysed"), analyse=True)
        facts = {game: [play_facts(annals, game, n) for n in range(MATCHES)] for game in GAMES}
        assert facts[ANALYSED_MATCHES][:2] == first
        play_cooperative(next(one for one in seatings(GAMES.values()) if one.together))
        tables = export_to(annals, tmp_path_factory.mktemp("tables"), analyse=False)
        client.flushdb()
    return Tiny(tables, analysed, facts)


def play_facts(annals: Annals, game: str, number: int) -> Facts:
    """The facts of the n-th match of two bots of the weakest level of a game."""
    weakest = Corpus(1, {game: (GAMES[game].levels[0].key,)})
    one = plan_table(weakest, game, number * len(GAMES[game].seats))
    play(one, "host", 0.1)
    facts = facts_of(GAMES[game], annals.store.read(one.match))
    assert facts
    return facts


def play_cooperative(one: Seating) -> None:
    """A cooperative match between bots of the weakest level, which does not count."""
    levels = (one.game.levels[0].key,) * one.seats
    match = new_match_id("together", one.id)
    play(Table(match, one.game.key, 0, levels, one.options), "host", 0.1)


def export_to(annals: Annals, folder: Path, *, analyse: bool) -> str:
    """Export all matches to the folder, and return it."""
    target = open_target(str(folder), "--from")
    Export(annals, target, ExportOptions("parquet", analyse=analyse, fast=not analyse)).run(1)
    return str(folder)
