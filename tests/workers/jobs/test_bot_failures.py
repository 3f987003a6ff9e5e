"""A bot that fails tries a few times more; then a simpler one plays, then chance, then nobody."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace as changed
from typing import Any

import pytest
from msgspec.structs import replace
from prometheus_client import REGISTRY
from rq import Queue
from structlog.testing import capture_logs

from domain.engine.game import Bot, legal_moves
from domain.games import GAMES
from domain.match.state import Chair
from tests.support.patience import PATIENCE_S
from tests.workers.office import ADA, Office
from workers.dispatch import job_queue
from workers.dispatch.due_work import Dispatcher
from workers.jobs.bot_move import TRIES

SECRET = "what only one seat may know"


def crash(sight: Any) -> Any:
    raise RuntimeError(f"{SECRET}: {sight.imagine()}" * 100)


def crash_deeply(sight: Any) -> Any:
    return crash_deeply(sight)


def cheat(sight: Any) -> Any:
    move = legal_moves(sight.game, sight.imagine(), sight.seat)[0]
    return replace(move, seat=move.seat + 1)


def hang(sight: Any) -> Any:
    while True:
        signal.raise_signal(signal.SIGALRM)  # by which a worker ends a job that takes too long


FAULTS: Mapping[str, Bot] = {
    "crashes": crash,
    "crashes deeply": crash_deeply,
    "cheats": cheat,
    "never answers": hang,
}


def broken(monkeypatch: pytest.MonkeyPatch, game: str, bot: Bot, *fine: str) -> None:
    """Let all levels of a game play by this bot, except those that are fine."""
    levels = [
        level if level.key in fine else changed(level, bot=bot) for level in GAMES[game].levels
    ]
    monkeypatch.setitem(GAMES, game, changed(GAMES[game], levels=levels))


def opened(office: Office, game: str, level: int) -> str:
    """A match in which the bot of seat 0 plays on this level, and people on all other seats."""
    people = [Chair(player=f"p{seat}") for seat in range(1, GAMES[game].seats[0])]
    bot = Chair(bot=GAMES[game].levels[level].key)
    return office.open(bot, *people, game=game)


def failures(game: str) -> float:
    name = "annals_bot_failures_total"
    return sum(
        REGISTRY.get_sample_value(name, {"game": game, "level": level.key}) or 0
        for level in GAMES[game].levels
    )


@pytest.mark.parametrize(
    ("game", "fault"),
    [*((game, "crashes") for game in GAMES), *(("qin", fault) for fault in list(FAULTS)[1:])],
)
def test_chance_moves_at_last_and_goes_on_moving_if_no_level_can(
    office: Office, monkeypatch: pytest.MonkeyPatch, game: str, fault: str
) -> None:
    """Given a game whose bots all fail, when two bots play, then no try is made a second time."""
    broken(monkeypatch, game, FAULTS[fault])
    strongest = Chair(bot=GAMES[game].levels[-1].key)
    patient = changed(office.annals.settings, bot_seconds=PATIENCE_S)
    office.annals = changed(office.annals, settings=patient)
    before = failures(game)
    match_id = office.open(*[strongest] * GAMES[game].seats[0], game=game)
    for _ in range(16):
        office.work(1)
    match, seats = office.match(match_id), GAMES[game].seats[0]
    moving = {entry.actor for entry in office.annals.store.read(match_id) if entry.move}
    failed = office.kinds(match_id).count("BotFailed")
    assert moving == {f"bot:{GAMES[game].levels[0].key}"}
    assert failed <= 2 * seats
    assert failures(game) - before == TRIES * failed
    assert match.unrated == "bot_failed"
    assert match.status != "aborted"
    assert match.left_to_chance


@pytest.mark.parametrize("game", GAMES)
def test_the_simplest_level_plays_on_for_one_that_fails(
    office: Office, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    simplest, strongest = GAMES[game].levels[0].key, GAMES[game].levels[-1].key
    broken(monkeypatch, game, crash, simplest)
    match_id = office.open(*[Chair(bot=strongest)] * GAMES[game].seats[0], game=game)
    with capture_logs() as lines:
        for _ in range(10):
            office.work(1)
    match = office.match(match_id)
    assert office.kinds(match_id)[:3] == ["Created", "BotFailed", "Moved"]
    assert simplest in {chair.bot for chair in match.chairs}
    assert not match.left_to_chance
    failed = [line for line in lines if line["event"] == "bot_failed"]
    assert len(failed) == TRIES * office.kinds(match_id).count("BotFailed")
    assert all(SECRET not in repr(line) and len(repr(line)) < 2_000 for line in failed)


@pytest.mark.parametrize("game", GAMES)
def test_the_match_says_so_if_no_move_can_be_made_at_all(
    office: Office, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Given a game that has lost its way, when its bot has to move, then the match is aborted."""

    def lost(*_: Any) -> Any:
        raise LookupError

    monkeypatch.setitem(GAMES, game, changed(GAMES[game], imagine=lost))
    match_id = office.open(
        *[Chair(bot=GAMES[game].levels[-1].key)] * GAMES[game].seats[0], game=game
    )
    office.work()
    match = office.match(match_id)
    assert office.kinds(match_id) == ["Created", "BotFailed", "BotFailed", "Aborted"]
    assert (match.status, match.end_reason) == ("aborted", "bot_failed")


def test_no_clock_runs_while_a_test_works(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a machine that stands still for some seconds would end all that a process tests."""
    fine, clocks = GAMES["qin"].levels[0].bot, []

    def look(sight: Any) -> Any:
        clocks.append(signal.getitimer(signal.ITIMER_REAL)[0])
        return fine(sight)

    broken(monkeypatch, "qin", look)
    office.open(Chair(bot="li_mu"), ADA, options={"first_player": "seat:0"})
    office.work()
    assert clocks == [0]


def test_a_bot_that_fails_once_moves_all_the_same(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    fine = GAMES["qin"].levels[0].bot
    tries = iter([crash, crash, *[fine] * 9])
    broken(monkeypatch, "qin", lambda sight: next(tries)(sight))
    match_id = office.open(Chair(bot="li_mu"), ADA, options={"first_player": "seat:0"})
    office.work()
    assert office.kinds(match_id) == ["Created", "Moved"]


WORKER = """
import itertools, os, signal, sys
from dataclasses import replace
from domain.games import GAMES
from service.runtime.settings import read_settings
from workers.processes.worker import main

def kills(sight):
    os.kill(os.getpid(), signal.SIGKILL)

def is_deaf(sight):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass

def hangs_outside_python(sight):
    any(itertools.repeat(0))

qin, bot = GAMES["qin"], globals()[sys.argv[1]]
GAMES["qin"] = replace(qin, levels=[replace(level, bot=bot) for level in qin.levels])
main(read_settings(os.environ))
"""
ENDS = {"kills": -signal.SIGKILL, "is_deaf": 1, "hangs_outside_python": 1}


@pytest.mark.parametrize("bot", ENDS)
def test_a_bot_that_ends_its_worker_is_replaced_like_any_other(
    office: Office, redis_url: str, monkeypatch: pytest.MonkeyPatch, bot: str
) -> None:
    """Given a bot that kills its worker, or that goes on when its time is up, so that its worker
    is ended, when that happens again and again, then something else plays.
    """
    monkeypatch.setattr(job_queue, "TIMEOUT_S", 0.5)
    passed = 0.0
    dispatcher = Dispatcher(
        office.annals.settings, office.annals.store, office.queue, clock=lambda: passed
    )
    match_id = office.open(Chair(bot="wu_qi"), ADA, options={"first_player": "seat:0"})
    environ = {**os.environ, "REDIS_URL": redis_url, "ANNALS_PARTITIONS": "2"}
    for _ in range(TRIES):
        while not Queue("bots", connection=office.queue).job_ids:
            passed += 10
            dispatcher.look(office.now)
        worker = subprocess.run(
            [sys.executable, "-c", WORKER, bot], env=environ, timeout=PATIENCE_S, check=False
        )
        assert worker.returncode == ENDS[bot]
        assert office.kinds(match_id) == ["Created"]
    passed += 100
    for _ in range(2):
        dispatcher.look(office.now)
        passed += 100
    office.work()
    assert office.kinds(match_id)[:2] == ["Created", "BotFailed"]
