"""A corpus is played by real processes; killed at any moment, it goes on where it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import click
import pytest
from redis import Redis

from domain.games import GAMES
from service.store.event_store import Store
from tests.support.patience import PATIENCE_S, eventually
from workers.tools.bots.corpus.command import corpus_of
from workers.tools.bots.corpus.plans import match_id

ROOT = Path(__file__).resolve().parents[5]
QUICK = ("chang_cheng", "qin")
WEAKEST = ",".join(GAMES[game].levels[0].key for game in QUICK)
MATCHES = 8


@pytest.fixture
def environ(redis_client: Redis, redis_url: str, tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "REDIS_URL": redis_url, "ANNALS_DATA": str(tmp_path)}


def command(*more: str) -> list[str]:
    words = f"demo-corpus --matches {MATCHES} --games {','.join(QUICK)} --levels {WEAKEST}"
    return [sys.executable, "-m", "workers.cli", *words.split(), "--processes", "2", *more]


def run(environ: dict[str, str], *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*more), cwd=ROOT, env=environ, capture_output=True, text=True, timeout=PATIENCE_S
    )


def entries(store: Store) -> dict[str, list[bytes]]:
    """All entries of all matches, as they are stored."""
    return {match: [one.head for one in store.read(match)] for match in store.matches()}


def test_killed_at_any_moment_it_goes_on_and_plays_nothing_twice(
    redis_client: Redis, environ: dict[str, str]
) -> None:
    store = Store(redis_client)
    playing = subprocess.Popen(command(), cwd=ROOT, env=environ, stderr=subprocess.DEVNULL)
    eventually(partial(has_recorded, store, 150))
    os.kill(playing.pid, signal.SIGKILL)
    playing.wait(PATIENCE_S)
    before = entries(store)
    assert 0 < len(before) < MATCHES
    told = run(environ)
    assert told.returncode == 0, told.stderr
    after = entries(store)
    assert all(after[match][: len(heads)] == heads for match, heads in before.items())
    assert len(after) == MATCHES
    corpus = corpus_of(",".join(QUICK), WEAKEST, 1)
    assert after.keys() <= {match_id(corpus, game, n) for game in QUICK for n in range(MATCHES)}
    for match in after:
        kinds = Counter(one.kind for one in store.read(match))
        assert (kinds["Scored"], kinds["Rated"]) == (1, 1)
    assert "a minute" in told.stdout
    more = run(environ, "--matches", str(MATCHES + 1), "--processes", "1")
    assert f"{MATCHES} matches are there already." in more.stderr
    assert "matches 1 of 1" in more.stderr
    assert len(entries(store)) == MATCHES + 1


def has_recorded(store: Store, entries: int) -> bool:
    return sum(map(store.feed_length, range(store.partitions))) >= entries


@pytest.mark.parametrize(
    ("games", "levels", "said"),
    [
        ("chess", None, "There is no game 'chess'; there are chang_cheng,"),
        (None, "genius", "has none of these levels; it has "),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(
    games: str | None, levels: str | None, said: str
) -> None:
    with pytest.raises(click.BadParameter, match=said):
        corpus_of(games, levels, 1)
