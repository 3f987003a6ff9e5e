"""The analysis of a match: what changed the chances."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.analysis.analysis import Analysis, CannotBeAnalysed, analyse
from domain.analysis.search_budget import SearchBudget, search_budget
from domain.engine.game import Game
from domain.games import GAMES
from domain.match import length
from domain.match.decisions import ending, lobby
from domain.match.log import Entry, fold_match
from tests.analysis.matches import PEOPLE, Quick, cut_short
from tests.engine.toy import GAME as TOY
from tests.games.modes import tables
from tests.match.table import Table, challenge, clock

ALL = (*GAMES.values(), TOY)
SUMMED = ("great_wall", "hansa_teutonica", "toy")
"""Games whose analyses are summed up: the sums know no game."""
ROUNDING = 1e-9


def run_analysis(game: Game[Any], entries: list[Entry]) -> Analysis:
    """The analysis of a match."""
    return analyse(game, entries, lambda done, of: None)


def of(table: Table) -> Analysis:
    """Score a match that is over, and analyse it."""
    table.act(ending.score(table.match), "system")
    return run_analysis(table.game, table.entries)


def adds_up(told: Analysis, entries: list[Entry], game: Game[Any]) -> None:
    """The parts of each seat's chance add up to the chance."""
    scoring = fold_match({game.key: game}, entries).scoring
    assert scoring
    shares = [(line.rank == 1) / len(scoring.winners) for line in scoring.lines]
    assert [seat.result for seat in told.seats] == pytest.approx(shares)
    for seat in told.seats:
        gained = seat.luck + seat.own + seat.others
        assert gained == pytest.approx(seat.result - seat.start, abs=ROUNDING)
        assert seat.adjusted == pytest.approx(seat.result - seat.luck, abs=ROUNDING)
    for name in ("start", "result"):
        assert sum(getattr(seat, name) for seat in told.seats) == pytest.approx(1)
    assert sum(seat.luck for seat in told.seats) == pytest.approx(0, abs=ROUNDING)
    for draw in told.draws:
        assert sum(draw.luck) == pytest.approx(0, abs=ROUNDING)
        assert draw.dice > 0
        assert draw.outcomes >= 1
    for choice in told.choices:
        assert sum(choice.before) == pytest.approx(1)
        assert sum(choice.after) == pytest.approx(1)
        assert (choice.error is None) == (choice.accuracy is None) == (choice.legal == 1)
        assert (choice.best is not None) == bool(choice.error)


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game.key, marks=[] if game.key in SUMMED else [pytest.mark.long])
        for game in ALL
    ],
)
@settings(max_examples=2, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_luck_own_and_others_are_all_that_changes_a_chance(game, data):
    seats = data.draw(st.sampled_from(game.seats))
    moves, last = data.draw(st.integers(0, 12)), data.draw(st.integers(0, seats - 1))
    entries = cut_short(game, seats, moves, data.draw(st.integers(1, 99)), last)
    told = run_analysis(game, entries)
    adds_up(told, entries, game)
    assert (told.match, told.game, told.rules) == ("m", game.key, game.rules)
    assert told.fitted == game.resources.calibration.curve(seats).matches


TOGETHER = [table for table in tables(GAMES.values()) if table.game.is_cooperative(table.setup)]
NOBODY = -1


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize("table", TOGETHER, ids=lambda table: table.id)
def test_a_table_that_plays_together_gains_and_loses_by_the_same_accounts(table):
    entries = cut_short(table.game, table.seats, moves=4, last=NOBODY)
    told = run_analysis(table.game, entries)
    assert len(told.choices) == 4
    assert told.lead_changes == ()  # the seat has no rival
    for seat in told.seats:
        assert seat.luck + seat.own + seat.others == pytest.approx(seat.result - seat.start)
        assert 0 == seat.result < seat.start


CHEAP = ("qin", "toy")


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize(
    "game", [game for game in ALL if game.key in CHEAP], ids=lambda game: game.key
)
def test_a_game_that_is_played_to_its_end(game):
    match = Quick(game, " ".join(PEOPLE[: game.seats[0]]))
    match.by_chance(Random(4))
    match.score()
    told = run_analysis(game, match.entries)
    adds_up(told, match.entries, game)
    assert told.choices[-1].after == tuple(seat.result for seat in told.seats)


def test_progress_is_reported_entry_by_entry():
    heard: list[tuple[int, int]] = []
    entries = cut_short(TOY, 2, moves=5)
    analyse(TOY, entries, lambda done, of: heard.append((done, of)))
    assert heard == [(done, len(entries)) for done in range(1, len(entries) + 1)]


def test_a_match_that_is_not_over_cannot_be_analysed():
    table = Table("ann ben").play(2)
    with pytest.raises(CannotBeAnalysed, match="not over"):
        run_analysis(TOY, table.entries)


def test_nor_one_that_came_to_nothing():
    table = Table("ann .")
    table.act(lobby.close(table.match, "ann"), "ann")
    with pytest.raises(CannotBeAnalysed, match="not over"):
        run_analysis(TOY, table.entries)


def test_nor_one_that_was_played_by_other_rules():
    first, *entries = cut_short(TOY, 2, moves=2)
    older = msgspec.structs.replace(first, rules=TOY.rules - 1)
    with pytest.raises(CannotBeAnalysed, match=f"version {TOY.rules} of the rules"):
        run_analysis(TOY, [older, *entries])


def test_a_player_who_resigns_gives_up_their_own_chance():
    table = Table("ann ben cid", position=challenge((3, 3, 3)))
    table.resign("ben")
    table.resign("cid")
    told = of(table)
    assert told.choices == ()
    assert [seat.result for seat in told.seats] == [1, 0, 0]
    assert [round(seat.own, 9) for seat in told.seats] == [
        0, *(round(-seat.start, 9) for seat in told.seats[1:2]), round(told.seats[2].own, 9),
    ]  # fmt: skip
    assert told.seats[2].own < -told.seats[2].start  # it had gained when ben resigned
    assert told.seats[0].others == pytest.approx(1 - told.seats[0].start)
    adds_up(told, table.entries, TOY)


def test_a_bot_that_goes_on_for_one_who_resigned_cannot_win():
    table = Table("ann ben cid", position=challenge((3, 3, 3)))
    table.resign("ben")
    table.play(2)
    table.resign("cid")
    told = of(table)
    assert len(told.choices) == 2
    assert all(choice.before[1] == choice.after[1] == 0 for choice in told.choices)


def test_bots_that_step_in_decide_for_the_seat():
    table = Table("ann ben", clock=clock(per_move=5), position=challenge())
    table.wait(6).time_out()
    table.play_out()
    told = of(table)
    adds_up(told, table.entries, TOY)
    assert len(told.choices) == len(table.line) - 1


def test_what_was_undone_is_not_analysed():
    table = Table("ann +easy", undo="free", position=challenge())
    table.play(2)
    table.undo("ann", table.line[-2])
    table.play_out()
    told = of(table)
    assert [choice.version for choice in told.choices] == table.line[1:]
    adds_up(told, table.entries, TOY)


def test_one_that_resigned_on_a_line_that_was_undone_stays_out():
    table = Table("ann ben cid", undo="free", position=challenge((3, 3, 3)))
    table.play(2)
    table.resign("cid")
    table.undo("ann", table.line[-2])
    table.play(1)
    table.resign("ben")
    told = of(table)
    adds_up(told, table.entries, TOY)
    assert told.choices[-1].after[2] == 0


def test_a_position_begins_without_a_draw():
    table = Table("ann ben", position=challenge((3, 1)))
    table.resign("ben")
    told = of(table)
    assert told.draws == ()
    assert told.seats[0].start > told.seats[1].start
    assert [seat.luck for seat in told.seats] == [0, 0]


def test_a_match_that_becomes_too_long_ends_without_an_actor(monkeypatch):
    monkeypatch.setattr(length, "END_VERSION", 4)
    table = Table("ann ben", position=challenge((3, 1)))
    table.play(3)
    assert table.match.end_reason == "length"
    told = of(table)
    adds_up(told, table.entries, TOY)
    last = told.choices[-1].after
    rest = [seat.result - chance for seat, chance in zip(told.seats, last, strict=True)]
    assert max(map(abs, rest)) > 0.01


def test_seats_that_decide_at_the_same_time_are_listed_one_after_another():
    table = Table("ann ben")
    assert table.match.seats_to_move == (0, 1)
    table.play(2).resign("ben")
    told = of(table)
    assert {choice.seat for choice in told.choices} == {0, 1}
    assert all(choice.error is not None for choice in told.choices if choice.legal > 1)
    adds_up(told, table.entries, TOY)


def test_the_longer_a_match_the_less_is_looked_at_for_each_decision():
    assert search_budget(100, 2) == SearchBudget()
    assert search_budget(1_500, 2) == SearchBudget(
        cheap_moves=30, candidates=2, samples=4, redraws=16
    )
    assert search_budget(6_000, 5) == SearchBudget(
        cheap_moves=6, candidates=1, samples=1, redraws=16
    )
    assert search_budget(0, 2) == SearchBudget()
