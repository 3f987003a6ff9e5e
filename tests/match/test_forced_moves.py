"""Forced moves that the service makes: only what all players know to be forced, and only while
nothing waits for an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from domain.engine.defaults import identity
from domain.engine.game import Game
from domain.games import GAMES
from domain.match.decisions import forced_moves, pauses, proposals
from domain.match.decisions.forced_moves import find_forced_move, forced_move, play_forced_move
from domain.match.log import AnyEvent
from domain.match.outages import Outage, decide
from domain.match.scheduled_work import IF_PLANNED, plan_changes
from tests.engine.nim import GAME as NIM
from tests.engine.nim.table import Take, Turn
from tests.engine.toy import GAME as TOY
from tests.match.table import Table, clock, kinds
from tests.projections.test_summary import agree, summary_of
from tests.support.for_each import for_each

HIDING: Game[object] = replace(NIM, imagine=lambda state, _seat, _dice: state.copy())
"""Nim, if it hid something."""


def forced_turn(seats: str = "ann bob", **more: object) -> Table:
    """One stone is left for seat 0, after three each."""
    table = Table(seats, game=NIM, **more)
    table.move(Take(0, 3))
    table.move(Take(1, 3))
    return table


def play(table: Table) -> list[AnyEvent]:
    return table.act(play_forced_move(table.match, 0, table.now), "ann")


def test_the_service_makes_the_only_move_and_says_so() -> None:
    table = forced_turn()
    assert find_forced_move(table.match, 0, table.now) == Take(0, 1)
    assert kinds(play(table)) == ["Ended", "ForcedMovePlayed"]
    assert table.match.line[-1].player == "ann"


def test_a_choice_is_not_forced_and_neither_is_the_move_of_another() -> None:
    table = Table("ann bob", game=NIM)
    assert find_forced_move(table.match, 0, table.now) is None
    assert find_forced_move(forced_turn().match, 1, 0) is None


def test_what_may_depend_on_hidden_things_is_forced_only_if_the_step_says_that_all_know_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = forced_turn().match.state
    assert forced_move(HIDING, state, 0) is None
    monkeypatch.setattr(Turn, "public_answers", True)
    assert forced_move(HIDING, state, 0) == Take(0, 1)


def test_only_games_that_hide_nothing_need_to_say_nothing() -> None:
    assert {key for key, game in GAMES.items() if game.imagine is identity} == {"hansa_teutonica"}


def ask_to_undo(table: Table) -> None:
    table.undo("ann")


def propose_the_end(table: Table) -> None:
    table.act(proposals.propose(table.match, "ann", "end", table.now), "ann")


def pause(table: Table) -> None:
    for player in "ann", "bob":
        table.act(proposals.propose(table.match, player, "pause", table.now), player)


@for_each("wait", [ask_to_undo, propose_the_end, pause])
def test_it_waits_for_an_answer(wait: Callable[[Table], None]) -> None:
    table = forced_turn(clock=clock(per_move=3_600))
    wait(table)
    assert table.match.seats_to_move == (0,)
    assert find_forced_move(table.match, 0, table.now) is None
    if table.match.pause:
        table.act(pauses.resume(table.match, "bob", table.now), "bob")
        assert find_forced_move(table.match, 0, table.now)


def test_a_player_who_goes_back_is_not_carried_forward_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A forced move would follow each undo at once."""
    table = Table("ann bob", game=NIM, undo="free")
    table.move(Take(0, 3))
    monkeypatch.setattr(forced_moves, "legal_moves", lambda *_: [Take(1, 1)])
    assert find_forced_move(table.match, 1, table.now)
    table.move(Take(1, 1))
    table.undo("bob")
    assert table.match.seats_to_move == (1,)
    assert find_forced_move(table.match, 1, table.now) is None


def test_a_forced_move_is_no_sign_that_its_player_is_back_after_an_outage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table("ann bob", game=NIM, clock=clock(per_move=3_600))
    table.move(Take(0, 3))
    monkeypatch.setattr(forced_moves, "legal_moves", lambda *_: [Take(1, 1)])
    lost = [Outage(table.now, table.now + 60_000)]
    table.wait(60)
    play = lambda match, now: play_forced_move(match, 1, now)  # noqa: E731
    table.act(decide(table.match, play, table.now, lost), "bob")
    assert table.match.interrupted == {1}
    agree(summary_of(table), table.match)


def test_a_player_whose_time_is_up_or_who_has_left_makes_no_move() -> None:
    table = forced_turn(clock=clock(per_move=60))
    assert find_forced_move(table.match, 0, table.now)
    assert find_forced_move(table.wait(60).match, 0, table.now) is None
    table.time_out()
    assert find_forced_move(table.match, 0, table.now) is None
    assert find_forced_move(forced_turn("+random bob").match, 0, 0) is None


def test_plans_are_looked_at_when_a_person_has_to_decide() -> None:
    table = Table("ann .", game=TOY)
    assert plan_changes(None, table.match) == {}
    begun = Table("ann bob")
    assert plan_changes(None, begun.match) == {"plan": IF_PLANNED}
    before = begun.match
    assert plan_changes(before, begun.play().match) == {"plan": IF_PLANNED}
    over = begun.play_out().match
    assert plan_changes(before, over) == {"plan": IF_PLANNED}
    assert plan_changes(over, over) == {}
    bots = Table("+easy +easy", host="ann")
    assert plan_changes(None, bots.match) == {}
