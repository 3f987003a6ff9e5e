"""Matches of a corpus are played to their end, even beside workers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain.games import GAMES
from domain.match.scheduled_work import due_work
from domain.match.state import Chair, Match
from projections import PROJECTIONS
from projections.projector import Projector
from service import ratings
from service.runtime.errors import TooManyTables
from tests.workers.office import Office
from workers.dispatch.due_work import Dispatcher
from workers.jobs import match_jobs
from workers.jobs.bot_move import choose_move
from workers.tools.bots.corpus import player
from workers.tools.bots.corpus.plans import Corpus, Table, levels_of, plan_table
from workers.tools.bots.corpus.player import corpus_host, is_over, play, without_limits
from workers.tools.check.check_indexes import find_feed_faults, find_work_faults


@pytest.fixture
def office(office: Office, monkeypatch: pytest.MonkeyPatch) -> Office:
    monkeypatch.setattr(player, "open_service", lambda: office.annals)
    return office


def quick_table(game: str, number: int = 0) -> Table:
    """A table of two bots of the weakest level."""
    weakest = levels_of(GAMES[game], [GAMES[game].levels[0].key])
    return plan_table(Corpus(1, {game: weakest}), game, number)


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.long] * (game != "qin")) for game in GAMES]
)
def test_a_match_is_played_to_its_end_and_nothing_is_left_to_do(office: Office, game: str) -> None:
    one = quick_table(game)
    assert is_over(office.annals, one.match) is None
    played = play(one, "ada", 0.1)
    match = office.match(one.match)
    assert (played.game, played.decisions) == (game, len(match.line) - 1)
    assert (match.status, match.rated, match.unrated) == ("scored", True, None)
    assert (match.host, match.visibility) == ("ada", "public")
    assert is_over(office.annals, one.match)
    assert due_work(match) == {}
    assert [
        *find_work_faults(office.annals.store, match),
        *find_feed_faults(office.annals.store),
    ] == []
    assert office.work() == 0


def test_a_finished_match_is_not_played_again(office: Office) -> None:
    one = quick_table("qin")
    play(one, "ada", 0.1)
    before = office.annals.store.read(one.match)
    assert play(one, "ada", 0.1).decisions == 0
    assert office.annals.store.read(one.match) == before


def test_bots_of_a_corpus_are_rated(office: Office) -> None:
    one = Table("m", "qin", 0, ("li_mu", "sun_bin"), {})
    play(one, "ada", 0.1)
    rated = {
        standing.competitor for standing in ratings.standings(office.annals.store.redis, "qin")
    }
    assert rated == {"bot:li_mu", "bot:sun_bin"}


def test_no_worker_is_handed_a_turn_while_a_match_is_played(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    dispatcher = Dispatcher(office.annals.settings, office.annals.store, office.queue, lambda: 0.0)
    looked: list[int] = []

    def choose_while_others_scan(match: Match, seat: int, seconds: float) -> Any:
        looked.append(dispatcher.scan(office.now))
        return choose_move(match, seat, seconds)

    monkeypatch.setattr(player, "choose_move", choose_while_others_scan)
    played = play(quick_table("qin"), "ada", 0.1)
    assert looked == [0] * played.decisions


def test_moves_of_workers_count_once(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given workers that make each move just after a bot has chosen."""
    one = quick_table("qin")

    def too_late(match: Match, seat: int, seconds: float) -> Any:
        move = choose_move(match, seat, seconds)
        match_jobs.bot(match.id, match.version)
        return move

    monkeypatch.setattr(player, "choose_move", too_late)
    assert play(one, "ada", 0.1).decisions == 0
    match = office.match(one.match)
    assert (match.status, match.rated) == ("scored", True)


def test_a_bot_that_fails_is_replaced(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(match: Match, seat: int, seconds: float) -> Any:
        if match.version == 1:
            raise ArithmeticError
        return choose_move(match, seat, seconds)

    monkeypatch.setattr(player, "choose_move", failing)
    one = quick_table("qin")
    play(one, "ada", 0.1)
    assert office.kinds(one.match)[1] == "BotFailed"
    assert office.kinds(one.match)[-1] == "Scored"
    assert is_over(office.annals, one.match)


def test_a_corpus_ignores_the_limits_of_a_host(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow = replace(office.annals.settings, max_tables=1, max_bot_tables=1)
    office.annals = replace(office.annals, settings=narrow)
    bots = [Chair(bot="li_mu")] * 2
    office.open(*bots)
    projector = Projector(office.annals.store.redis, office.annals.store, [0, 1], PROJECTIONS)
    while projector.fold_next(100):
        pass
    with pytest.raises(TooManyTables):
        office.open(*bots)
    monkeypatch.setattr(player, "open_service", lambda: without_limits(office.annals))
    play(quick_table("qin"), "ada", 0.1)


def test_the_host_is_one_player_without_a_token(office: Office) -> None:
    players = office.annals.players
    host = corpus_host(players, office.now)
    assert host == corpus_host(players, office.now)
    assert players.tokens.of_player(host) == []
