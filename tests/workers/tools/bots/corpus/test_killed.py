"""Real processes play a corpus; after a kill at any moment it continues."""

from __future__ import annotations

import os
import signal
import subprocess
from collections import Counter
from functools import partial
from pathlib import Path

import click
import pytest
from redis import Redis

from domain.games import GAMES
from service.store.event_store import EventStore
from tests.support.patience import PATIENCE_S, eventually
from tests.support.warm_start import run_command, start_command
from workers.tools.bots.corpus.command import choose_corpus
from workers.tools.bots.corpus.plans import corpus_match_id

QUICK = ("chang_cheng", "qin")
WEAKEST = ",".join(GAMES[game].levels[0].key for game in QUICK)
MATCHES = 8


@pytest.fixture
def environ(redis_client: Redis, redis_url: str, tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "REDIS_URL": redis_url, "ANNALS_DATA": str(tmp_path)}


def command(*more: str) -> list[str]:
    words = f"corpus --matches {MATCHES} --games {','.join(QUICK)} --levels {WEAKEST}"
    return [*words.split(), "--processes", "2", *more]


def run(environ: dict[str, str], *more: str) -> subprocess.CompletedProcess[str]:
    return run_command(command(*more), environ)


def entries(store: EventStore) -> dict[str, list[bytes]]:
    """All stored entries of all matches."""
    return {match: [one.head for one in store.read(match)] for match in store.match_ids()}


def test_after_a_kill_it_continues_and_repeats_nothing(
    redis_client: Redis, environ: dict[str, str]
) -> None:
    store = EventStore(redis_client)
    playing = start_command(command(), environ, stdout=subprocess.DEVNULL)
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
    corpus = choose_corpus(",".join(QUICK), WEAKEST, 1)
    assert after.keys() <= {
        corpus_match_id(corpus, game, n) for game in QUICK for n in range(MATCHES)
    }
    for match in after:
        kinds = Counter(one.kind for one in store.read(match))
        assert (kinds["Scored"], kinds["Rated"]) == (1, 1)
    assert "a minute" in told.stdout
    more = run(environ, "--matches", str(MATCHES + 1), "--processes", "1")
    assert f"{MATCHES} matches exist already." in more.stderr
    assert "matches 1 of 1" in more.stderr
    assert len(entries(store)) == MATCHES + 1


def has_recorded(store: EventStore, entries: int) -> bool:
    return sum(map(store.feed_length, range(store.partitions))) >= entries


@pytest.mark.parametrize(
    ("games", "levels", "said"),
    [
        ("chess", None, "There is no game 'chess'; there are chang_cheng,"),
        (None, "genius", "has none of these levels; it has "),
    ],
)
def test_an_unknown_name_is_refused_with_the_valid_ones(
    games: str | None, levels: str | None, said: str
) -> None:
    with pytest.raises(click.BadParameter, match=said):
        choose_corpus(games, levels, 1)
