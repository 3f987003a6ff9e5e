"""Matches of a corpus are played like all others, whatever else works at them meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain.games import GAMES
from domain.match.scheduled_work import due
from domain.match.state import Chair, Match
from projections import PROJECTIONS
from projections.projector import Projector
from service import ratings
from service.runtime.errors import TooManyTables
from tests.workers.office import Office
from workers.dispatch.due_work import Dispatcher
from workers.jobs import match_jobs
from workers.jobs.bot_move import choose
from workers.tools.bots.corpus import player
from workers.tools.bots.corpus.plans import Corpus, Table, levels_of, table
from workers.tools.bots.corpus.player import host_of_corpus, is_over, play, without_limits
from workers.tools.check.check_indexes import around, wrong_work


@pytest.fixture
def desk(office: Office, monkeypatch: pytest.MonkeyPatch) -> Office:
    monkeypatch.setattr(player, "desk", lambda: office.annals)
    return office


def quick(game: str, number: int = 0) -> Table:
    """A match of two bots of the weakest level."""
    weakest = levels_of(GAMES[game], [GAMES[game].levels[0].key])
    return table(Corpus(1, {game: weakest}), game, number)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_end_and_nothing_is_left_to_do(desk: Office, game: str) -> None:
    one = quick(game)
    assert is_over(desk.annals, one.match) is None
    played = play(one, "ada", 0.1)
    match = desk.match(one.match)
    assert (played.game, played.decisions) == (game, len(match.line) - 1)
    assert (match.status, match.rated, match.unrated) == ("scored", True, None)
    assert (match.host, match.visibility) == ("ada", "public")
    assert is_over(desk.annals, one.match)
    assert due(match) == {}
    assert [*wrong_work(desk.annals.store, match), *around(desk.annals.store)] == []
    assert desk.work() == 0


def test_a_match_that_is_over_is_not_played_again(desk: Office) -> None:
    one = quick("qin")
    play(one, "ada", 0.1)
    before = desk.annals.store.read(one.match)
    assert play(one, "ada", 0.1).decisions == 0
    assert desk.annals.store.read(one.match) == before


def test_bots_of_a_corpus_are_rated(desk: Office) -> None:
    one = Table("m", "qin", 0, ("li_mu", "sun_bin"), {})
    play(one, "ada", 0.1)
    rated = {standing.competitor for standing in ratings.standings(desk.annals.store.redis, "qin")}
    assert rated == {"bot:li_mu", "bot:sun_bin"}


def test_no_worker_is_handed_a_turn_while_a_match_is_played(
    desk: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    dispatcher = Dispatcher(desk.annals.settings, desk.annals.store, desk.queue, lambda: 0.0)
    looked: list[int] = []

    def choose_while_others_look(match: Match, seat: int, seconds: float) -> Any:
        looked.append(dispatcher.look(desk.now))
        return choose(match, seat, seconds)

    monkeypatch.setattr(player, "choose", choose_while_others_look)
    played = play(quick("qin"), "ada", 0.1)
    assert looked == [0] * played.decisions


def test_what_workers_do_meanwhile_is_done_and_not_done_twice(
    desk: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given workers who take up each turn just when a bot has chosen."""
    one = quick("qin")

    def too_late(match: Match, seat: int, seconds: float) -> Any:
        move = choose(match, seat, seconds)
        match_jobs.bot(match.id, match.version)
        return move

    monkeypatch.setattr(player, "choose", too_late)
    assert play(one, "ada", 0.1).decisions == 0
    match = desk.match(one.match)
    assert (match.status, match.rated) == ("scored", True)


def test_a_bot_that_fails_is_replaced(desk: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(match: Match, seat: int, seconds: float) -> Any:
        if match.version == 1:
            raise ArithmeticError
        return choose(match, seat, seconds)

    monkeypatch.setattr(player, "choose", failing)
    one = quick("qin")
    play(one, "ada", 0.1)
    assert desk.kinds(one.match)[1] == "BotFailed"
    assert desk.kinds(one.match)[-1] == "Scored"
    assert is_over(desk.annals, one.match)


def test_the_limits_of_a_host_do_not_hold_up_a_corpus(
    desk: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow = replace(desk.annals.settings, max_tables=1, max_bot_tables=1)
    desk.annals = replace(desk.annals, settings=narrow)
    bots = [Chair(bot="li_mu")] * 2
    desk.open(*bots)
    projector = Projector(desk.annals.store.redis, desk.annals.store, [0, 1], PROJECTIONS)
    while projector.fold_next(100):
        pass
    with pytest.raises(TooManyTables):
        desk.open(*bots)
    monkeypatch.setattr(player, "desk", lambda: without_limits(desk.annals))
    play(quick("qin"), "ada", 0.1)


def test_the_host_is_one_player_whom_nobody_can_be(office: Office) -> None:
    players = office.annals.players
    host = host_of_corpus(players, office.now)
    assert host == host_of_corpus(players, office.now)
    assert players.tokens.of(host) == []
