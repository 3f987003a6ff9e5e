"""A failing bot tries a few times; then a simpler bot plays, then a random one, then the match
ends.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import replace as changed
from typing import Any

import pytest
from msgspec.structs import replace
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from domain.engine.game import Bot, legal_moves
from domain.games import GAMES
from domain.match.state import Chair
from tests.support.patience import PATIENCE_S
from tests.workers.office import ADA, Office
from workers.jobs.bot_move import MAX_ATTEMPTS

SECRET = "what only one seat may know"


def crash(view: Any) -> Any:
    raise RuntimeError(f"{SECRET}: {view.imagine()}" * 100)


def crash_deeply(view: Any) -> Any:
    return crash_deeply(view)


def cheat(view: Any) -> Any:
    move = legal_moves(view.game, view.imagine(), view.seat)[0]
    return replace(move, seat=move.seat + 1)


def hang(view: Any) -> Any:
    while True:
        signal.raise_signal(signal.SIGALRM)  # the signal that ends a job after its time limit


FAULTS: Mapping[str, Bot] = {
    "crashes": crash,
    "crashes deeply": crash_deeply,
    "cheats": cheat,
    "never answers": hang,
}


def break_levels(monkeypatch: pytest.MonkeyPatch, game: str, bot: Bot, *fine: str) -> None:
    """Replace all levels of a game by this bot, except some."""
    levels = [
        level if level.key in fine else changed(level, bot=bot) for level in GAMES[game].levels
    ]
    monkeypatch.setitem(GAMES, game, changed(GAMES[game], levels=levels))


def open_match(office: Office, game: str, level: int) -> str:
    """A match with a bot of this level at seat 0, and players at all other seats."""
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
def test_random_moves_replace_levels_that_all_fail(
    office: Office, monkeypatch: pytest.MonkeyPatch, game: str, fault: str
) -> None:
    """Given a game whose bots all fail, no bot is tried a second time after its replacement."""
    break_levels(monkeypatch, game, FAULTS[fault])
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
    assert failures(game) - before == MAX_ATTEMPTS * failed
    assert match.unrated == "bot_failed"
    assert match.status != "aborted"
    assert match.random_seats


@pytest.mark.parametrize("game", GAMES)
def test_the_simplest_level_replaces_a_failing_one(
    office: Office, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    simplest, strongest = GAMES[game].levels[0].key, GAMES[game].levels[-1].key
    break_levels(monkeypatch, game, crash, simplest)
    match_id = office.open(*[Chair(bot=strongest)] * GAMES[game].seats[0], game=game)
    with capture_logs() as lines:
        for _ in range(10):
            office.work(1)
    match = office.match(match_id)
    assert office.kinds(match_id)[:3] == ["Created", "BotFailed", "Moved"]
    assert simplest in {chair.bot for chair in match.chairs}
    assert not match.random_seats
    failed = [line for line in lines if line["event"] == "bot_failed"]
    assert len(failed) == MAX_ATTEMPTS * office.kinds(match_id).count("BotFailed")
    assert all(SECRET not in repr(line) and len(repr(line)) < 2_000 for line in failed)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_without_a_possible_move_is_aborted(
    office: Office, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Given a broken game, when its bot has to move, the match is aborted."""

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


def test_a_bot_that_fails_once_still_moves(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    fine = GAMES["qin"].levels[0].bot
    tries = iter([crash, crash, *[fine] * 9])
    break_levels(monkeypatch, "qin", lambda view: next(tries)(view))
    match_id = office.open(Chair(bot="li_mu"), ADA, options={"first_player": "seat:0"})
    office.work()
    assert office.kinds(match_id) == ["Created", "Moved"]
